/* Neighbours exchange blocks by blocking MPI calls in tasks. Each rank first creates the tasks that
 * receive, like usual loops over neighbours. */
#include <mpi.h>
#include <stdio.h>

enum { kBlocks = 4, kLength = 1000 };

int main(int argc, char **argv) {
    static double halo[kBlocks][kLength], block[kBlocks][kLength];
    int level, rank;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    const int other = 1 - rank;
    double sum = 0;
#pragma omp parallel
#pragma omp single
    {
        for (int i = 0; i < kBlocks; i++) {
#pragma omp task depend(out : halo[i])
            MPI_Recv(halo[i], kLength, MPI_DOUBLE, other, i, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        }
        for (int i = 0; i < kBlocks; i++) {
#pragma omp task depend(out : block[i])
            for (int k = 0; k < kLength; k++)
                block[i][k] = rank + 1;
#pragma omp task depend(in : block[i])
            MPI_Send(block[i], kLength, MPI_DOUBLE, other, i, MPI_COMM_WORLD);
        }
#pragma omp taskwait
        for (int i = 0; i < kBlocks; i++)
            for (int k = 0; k < kLength; k++)
                sum += halo[i][k];
    }
    printf("rank %d: sum %.0f\n", rank, sum);
    MPI_Finalize();
    return sum == (other + 1) * kBlocks * kLength ? 0 : 1;
}
