/* Open MPI's algorithm of MPI_Iallreduce: the argument is its number. The layer chooses it during
 * MPI_Init without MPI's tool interface, whose start takes .2 s in Open MPI 4. */
#include "check.h"

static int starts_of_tools = 0;

/* Comes before the library's. */
int MPI_T_init_thread(int required, int *provided) {
    ++starts_of_tools;
    return PMPI_T_init_thread(required, provided);
}

int main(int argc, char **argv) {
    int provided = 0, index = 0, count = 0, algorithm = -1;
    MPI_T_cvar_handle handle;

    start_mpi(&argc, &argv);
    CHECK(argc == 2);
#pragma omp parallel
    CHECK(starts_of_tools == 0);
    CHECK_MPI(MPI_T_init_thread(MPI_THREAD_MULTIPLE, &provided));
    CHECK_MPI(MPI_T_cvar_get_index("coll_libnbc_iallreduce_algorithm", &index));
    CHECK_MPI(MPI_T_cvar_handle_alloc(index, NULL, &handle, &count));
    CHECK_MPI(MPI_T_cvar_read(handle, &algorithm));
    CHECK(algorithm == atoi(argv[1]));
    CHECK_MPI(MPI_T_cvar_handle_free(&handle));
    CHECK_MPI(MPI_T_finalize());
    return end_mpi();
}
