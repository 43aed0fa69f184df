/* A blocking receive in a task: it suspends the task, and its thread runs the task that sends.
 *
 *     mpicc -fopenmp blocking_receive.c -o blocking_receive
 *     OMP_NUM_THREADS=1 mpirun -n 2 loomp run ./blocking_receive
 *
 * Prints what rank 0 received. With one thread, this program hangs on other runtimes. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv) {
    int provided, rank, size;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    const int left = (rank + size - 1) % size;
    const int right = (rank + 1) % size;
    int received = -1;

#pragma omp parallel
#pragma omp single
    {
#pragma omp task shared(received)
        MPI_Recv(&received, 1, MPI_INT, left, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#pragma omp task
        MPI_Send(&rank, 1, MPI_INT, right, 0, MPI_COMM_WORLD);
    }

    const int wrong = received != left;
    if (rank == 0 || wrong)
        printf("blocking_receive: rank %d received %d, expected %d\n", rank, received, left);
    MPI_Finalize();
    return wrong;
}
