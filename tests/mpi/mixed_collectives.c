/* The ranks call the same collectives, some inside tasks and some outside any region: they match.
 */
#include "check.h"

static void some(void) {
    for (int i = 0; i < 20; ++i) {
        int sum = rank, root = -1;
        CHECK_MPI(MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
        CHECK(sum == size * (size - 1) / 2);
        root = rank == 0 ? i : -1;
        CHECK_MPI(MPI_Bcast(&root, 1, MPI_INT, 0, MPI_COMM_WORLD));
        CHECK(root == i);
        CHECK_MPI(MPI_Barrier(MPI_COMM_WORLD));
    }
}

int main(int argc, char **argv) {
    start_mpi(&argc, &argv);
    for (int left = repetitions(); left > 0; --left)
        if (rank % 2) {
            some();
        } else {
#pragma omp parallel
#pragma omp single
#pragma omp task
            some();
        }
    return end_mpi();
}
