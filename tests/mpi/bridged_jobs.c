/* Collectives with a process that only the first rank spawns. The second rank learns of another job
 * by MPI_Intercomm_create alone. The arguments are the command that starts the process, with the
 * layer or without it. While a task waits in a collective, its thread runs the task whose message
 * the process waits for first. */
#include "check.h"

static void meet(MPI_Comm both, int is_child) {
    MPI_Comm all;
    int go = 0, count = 0, sum = 0, got = -1, value = is_child ? 7 : 5, values[3] = {0};
    for (int i = 0; is_child && i < 2; ++i)
        CHECK_MPI(MPI_Recv(&go, 1, MPI_INT, i, 1, both, MPI_STATUS_IGNORE));
    CHECK_MPI(MPI_Barrier(both));
    CHECK_MPI(MPI_Allreduce(&value, &got, 1, MPI_INT, MPI_SUM, both));
    CHECK(got == (is_child ? 10 : 7));
    CHECK_MPI(MPI_Intercomm_merge(both, is_child, &all));
    CHECK_MPI(MPI_Comm_size(all, &count));
    CHECK(count == 3);
    CHECK_MPI(MPI_Allreduce(&value, &sum, 1, MPI_INT, MPI_SUM, all));
    CHECK(sum == 17);
    CHECK_MPI(MPI_Allgather(&value, 1, MPI_INT, values, 1, MPI_INT, all));
    CHECK(values[0] == 5 && values[1] == 5 && values[2] == 7);
    CHECK_MPI(MPI_Comm_free(&all));
    CHECK_MPI(MPI_Comm_disconnect(&both));
}

int main(int argc, char **argv) {
    start_mpi(&argc, &argv);
    MPI_Comm parent, made = MPI_COMM_NULL, bridge = MPI_COMM_NULL, both = MPI_COMM_NULL;
    int error = -1;
    CHECK_MPI(MPI_Comm_get_parent(&parent));
    const int is_child = parent != MPI_COMM_NULL;
    if (is_child) {
        made = parent;
    } else if (rank == 0) {
        CHECK(argc > 1);
        CHECK_MPI(
            MPI_Comm_spawn(argv[1], argv + 2, 1, MPI_INFO_NULL, 0, MPI_COMM_SELF, &made, &error));
        CHECK(error == MPI_SUCCESS);
    }
    if (made != MPI_COMM_NULL)
        CHECK_MPI(MPI_Intercomm_merge(made, is_child, &bridge));
    CHECK_MPI(MPI_Intercomm_create(MPI_COMM_WORLD, 0, bridge, is_child ? 0 : 1, 2, &both));
#pragma omp parallel
#pragma omp single
    {
        const int go = 1;
#pragma omp task
        meet(both, is_child);
#pragma omp task
        if (!is_child)
            CHECK_MPI(MPI_Send(&go, 1, MPI_INT, 0, 1, both));
    }
    if (made != MPI_COMM_NULL) {
        CHECK_MPI(MPI_Comm_free(&bridge));
        CHECK_MPI(MPI_Comm_disconnect(&made));
    }
    return end_mpi();
}
