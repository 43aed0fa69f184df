// Probes, which wait by their own tests.
#include "mpi/waiting/wait_in_task.h"
#include "platform/export.h"

using namespace loomp::mpi;

LOOMP_EXPORT int MPI_Probe(int source, int tag, MPI_Comm comm, MPI_Status *status) {
    if (!in_task())
        return PMPI_Probe(source, tag, comm, status);
    return wait_until(
        {.name = "MPI_Probe", .comm = comm, .peer = source, .tag = tag, .from = LOOMP_CALLER},
        [&](int *flag) { return PMPI_Iprobe(source, tag, comm, flag, status); });
}

LOOMP_EXPORT int MPI_Mprobe(int source, int tag, MPI_Comm comm, MPI_Message *message,
                            MPI_Status *status) {
    if (!in_task())
        return PMPI_Mprobe(source, tag, comm, message, status);
    return wait_until(
        {.name = "MPI_Mprobe", .comm = comm, .peer = source, .tag = tag, .from = LOOMP_CALLER},
        [&](int *flag) { return PMPI_Improbe(source, tag, comm, flag, message, status); });
}
