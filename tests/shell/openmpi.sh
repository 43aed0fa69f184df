# Settings for tests on Open MPI: as root, with more ranks than processors, in containers. $mpirun
# is its launcher, by default Debian's.
# shellcheck shell=bash
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
# Most containers forbid reading another process' memory, and vader then prints a warning.
export OMPI_MCA_btl=self,vader OMPI_MCA_btl_vader_single_copy_mechanism=none
# Without such a network, Open MPI 5 prints a warning about one of its components.
export OMPI_MCA_osc=^ucx
case $("${mpirun:-mpirun.openmpi}" --version 2>/dev/null) in
*"(Open MPI) 4."* | "") ;;
*"(Open MPI) 5."*) export PRTE_MCA_rmaps_default_mapping_policy=:oversubscribe ;;
# 6.0.0rc2 loses messages between several threads of ranks in shared memory, with plain programs, too.
*) export PRTE_MCA_mapby=:oversubscribe OMPI_MCA_btl=self,tcp ;;
esac
