/* The program of docs/mpi.md that reports stuck tasks: rank 0 sends what they wait for seconds
 * later, so that it ends. */
#include <mpi.h>
#include <unistd.h>

static void receive_all(int rank) {
    int sent = rank, received[2];
    MPI_Request requests[3];
    MPI_Isend(&sent, 1, MPI_INT, rank, 100, MPI_COMM_WORLD, &requests[0]);
    MPI_Irecv(&received[0], 1, MPI_INT, MPI_ANY_SOURCE, 101, MPI_COMM_WORLD, &requests[1]);
    MPI_Irecv(&received[1], 1, MPI_INT, rank, 100, MPI_COMM_WORLD, &requests[2]);
    MPI_Waitall(3, requests, MPI_STATUSES_IGNORE);
}

int main(int argc, char **argv) {
    int level, rank, value = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        sleep(3);
        MPI_Send(&value, 1, MPI_INT, 1, 7, MPI_COMM_WORLD);
        MPI_Send(&value, 1, MPI_INT, 1, 101, MPI_COMM_WORLD);
    } else {
#pragma omp parallel
#pragma omp single
        {
#pragma omp task shared(value)
            MPI_Recv(&value, 1, MPI_INT, 0, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#pragma omp task
            receive_all(rank);
        }
    }
    MPI_Finalize();
}
