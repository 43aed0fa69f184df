"""Starts Open MPI's programs here: on one machine, also as root in a container, where processes may
not read each other's memory, and with more ranks than cores."""

ENVIRONMENT = {
    "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
    "OMPI_MCA_btl": "self,vader", "OMPI_MCA_btl_vader_single_copy_mechanism": "none",
}
# Waiting ranks yield their core to others.
YIELDING = {"OMPI_MCA_mpi_yield_when_idle": "1"}


def launch(ranks):
    return ["mpirun.openmpi", "--oversubscribe", "--bind-to", "none", "-n", str(ranks)]
