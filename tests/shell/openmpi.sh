# How Open MPI runs the tests: as root, with more ranks than processors, in containers. $mpirun is its launcher, by
# default Debian's.
# shellcheck shell=bash
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
# Containers mostly forbid to read another process' memory, which vader complains of.
export OMPI_MCA_btl=self,vader OMPI_MCA_btl_vader_single_copy_mechanism=none
# Where there is no such network, Open MPI 5 complains of one of its components.
export OMPI_MCA_osc=^ucx
case $("${mpirun:-mpirun.openmpi}" --version 2>/dev/null) in
*"(Open MPI) 4."* | "") ;;
*"(Open MPI) 5."*) export PRTE_MCA_rmaps_default_mapping_policy=:oversubscribe ;;
# 6.0.0rc2 loses messages between several threads of ranks in shared memory, with plain programs, too.
*) export PRTE_MCA_mapby=:oversubscribe OMPI_MCA_btl=self,tcp ;;
esac
