/* All ranks but the last have tasks, and duplicate a communicator of their own in tasks. Rank 0's
 * call waits for a message of its other task. usage: half_with_tasks */
#include "check.h"

int main(int argc, char **argv) {
    start_mpi(&argc, &argv);
    CHECK(size > 2);
    int value = 1;
    MPI_Comm own, copy = MPI_COMM_NULL;
    CHECK_MPI(MPI_Comm_split(MPI_COMM_WORLD, rank == size - 1, rank, &own));
    if (rank < size - 1) {
#pragma omp parallel
#pragma omp single
        if (rank == 0) {
#pragma omp task shared(copy)
            CHECK_MPI(MPI_Comm_dup(own, &copy));
#pragma omp task
            CHECK_MPI(MPI_Send(&value, 1, MPI_INT, 1, 7, own));
        } else {
#pragma omp task shared(copy)
            {
                if (rank == 1)
                    CHECK_MPI(MPI_Recv(&value, 1, MPI_INT, 0, 7, own, MPI_STATUS_IGNORE));
                CHECK_MPI(MPI_Comm_dup(own, &copy));
            }
        }
        CHECK_MPI(MPI_Comm_free(&copy));
    }
    CHECK_MPI(MPI_Comm_free(&own));
    return end_mpi();
}
