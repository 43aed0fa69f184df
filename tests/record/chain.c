/* A chain of messages on 2 ranks: the first task of rank 0 receives from a task of rank 1, which
 * has received from the second task of rank 0; with an argument its child has. */
#include <mpi.h>
#include <stddef.h>

int main(int argc, char **argv) {
    int provided, rank, sent = 1, got = 0, passed = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#pragma omp parallel
#pragma omp single
    if (rank == 0) {
#pragma omp task shared(got) /* receives */
        MPI_Recv(&got, 1, MPI_INT, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#pragma omp task shared(sent) /* sends */
        MPI_Send(&sent, 1, MPI_INT, 1, 2, MPI_COMM_WORLD);
    } else {
#pragma omp task shared(got, passed) /* passes on */
        {
            if (argc > 1) {
#pragma omp task shared(passed) /* receives for it */
                MPI_Recv(&passed, 1, MPI_INT, 0, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#pragma omp taskwait
            } else {
                MPI_Recv(&passed, 1, MPI_INT, 0, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            }
            MPI_Send(&passed, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
            got = passed;
        }
    }
    MPI_Finalize();
    return got != 1;
}
