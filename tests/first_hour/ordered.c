/* A task that receives, created before the one that sends: on one thread, and on runtimes that hold
 * a thread for each blocked task, it waits for ever. It is a program, and a library that a script
 * opens (python3 ...: begin(), exchange(), end()). */
#include <mpi.h>
#include <stdio.h>

int begin(void) { return MPI_Init(NULL, NULL); }
int end(void) { return MPI_Finalize(); }

int exchange(void) {
    int rank, received = 0, sent = 42;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#pragma omp parallel num_threads(1)
#pragma omp single
    {
#pragma omp task shared(received)
        MPI_Recv(&received, 1, MPI_INT, rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#pragma omp task shared(sent)
        MPI_Send(&sent, 1, MPI_INT, rank, 0, MPI_COMM_WORLD);
    }
    return received;
}

int main(void) {
    begin();
    printf("%d\n", exchange());
    return end();
}
