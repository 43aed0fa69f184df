/* Collectives with processes that the program spawns. The arguments are the command that starts
 * them, with the layer or without it. While a task waits in a collective with them, its thread runs
 * the task whose message they wait for first. */
#include "check.h"

#include <string.h>

static void meet(MPI_Comm both, int is_child) {
    MPI_Comm all;
    int got = -1, value = is_child ? 7 : 5, sum = 0, count = 0;
    if (is_child)
        CHECK_MPI(MPI_Recv(&got, 1, MPI_INT, 0, 1, both, MPI_STATUS_IGNORE));
    CHECK_MPI(MPI_Allreduce(&value, &got, 1, MPI_INT, MPI_SUM, both));
    CHECK(got == (is_child ? 5 : 7));
    CHECK_MPI(MPI_Barrier(both));
    CHECK_MPI(MPI_Bcast(&value, 1, MPI_INT, is_child ? 0 : MPI_ROOT, both));
    CHECK(value == 5);
    CHECK_MPI(MPI_Intercomm_merge(both, is_child, &all));
    CHECK_MPI(MPI_Comm_size(all, &count));
    CHECK(count == 2);
    value = is_child ? 7 : 5;
    CHECK_MPI(MPI_Allreduce(&value, &sum, 1, MPI_INT, MPI_SUM, all));
    CHECK(sum == 12);
    int values[2];
    CHECK_MPI(MPI_Allgather(&value, 1, MPI_INT, values, 1, MPI_INT, all));
    CHECK(values[0] == 5 && values[1] == 7);
    CHECK_MPI(MPI_Comm_free(&all));
    /* Within one job nothing has changed. */
    CHECK_MPI(MPI_Allreduce(&value, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
    CHECK(sum == value);
    CHECK_MPI(MPI_Comm_disconnect(&both));
}

int main(int argc, char **argv) {
    start_mpi(&argc, &argv);
    MPI_Comm parent, made = MPI_COMM_NULL;
    CHECK_MPI(MPI_Comm_get_parent(&parent));
    CHECK(size == 1);
#pragma omp parallel
#pragma omp single
    if (parent == MPI_COMM_NULL) {
        int error = -1, go = 1;
        CHECK(argc > 1);
        CHECK_MPI(
            MPI_Comm_spawn(argv[1], argv + 2, 1, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &made, &error));
        CHECK(error == MPI_SUCCESS);
#pragma omp task
        meet(made, 0);
#pragma omp task
        CHECK_MPI(MPI_Send(&go, 1, MPI_INT, 0, 1, made));
    } else {
#pragma omp task
        meet(parent, 1);
    }
    return end_mpi();
}
