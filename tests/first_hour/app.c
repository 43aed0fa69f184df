/* An application like in the documents, ./app: tasks with dependences, some of which send and
 * receive around the ring of ranks. It runs on any runtime. */
#include <math.h>
#include <mpi.h>
#include <stdio.h>

enum { kBlocks = 8, kIterations = 20 };

static double work(double x, int steps) {
    for (int i = 0; i < steps; i++)
        x = sin(x) + 1;
    return x;
}

int main(int argc, char **argv) {
    int level, rank, ranks;
    double block[kBlocks] = {0}, halo = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
#pragma omp parallel
#pragma omp single
    for (int iteration = 0; iteration < kIterations; iteration++) {
#pragma omp task depend(in : block[kBlocks - 1]) depend(out : halo)
        MPI_Sendrecv(&block[kBlocks - 1], 1, MPI_DOUBLE, (rank + 1) % ranks, 0, &halo, 1,
                     MPI_DOUBLE, (rank + ranks - 1) % ranks, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#pragma omp task depend(in : halo) depend(inout : block[0])
        block[0] = work(block[0] + halo, 10000);
        for (int i = 1; i < kBlocks; i++) {
#pragma omp task depend(inout : block[i])
            block[i] = work(block[i], 10000);
        }
    }
    MPI_Finalize();
    return 0;
}
