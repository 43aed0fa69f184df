/* Two ranks exchange messages in tasks. With an argument, rank 1 writes past the end of a block. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { kMessages = 32 };

int main(int count, char **words) {
    int rank, level, sum = 0, all = 0;
    MPI_Init_thread(&count, &words, MPI_THREAD_MULTIPLE, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int *values = calloc(kMessages, sizeof *values);
#pragma omp parallel num_threads(3)
#pragma omp single
    for (int i = 0; i < kMessages; ++i) {
#pragma omp task firstprivate(i) depend(inout : values[i])
        {
            if (rank == 0)
                MPI_Send(&i, 1, MPI_INT, 1, i, MPI_COMM_WORLD);
            MPI_Recv(&values[i], 1, MPI_INT, 1 - rank, i, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            if (rank == 1)
                MPI_Send(&values[i], 1, MPI_INT, 0, i, MPI_COMM_WORLD);
        }
#pragma omp task firstprivate(i) depend(inout : values[i])
        values[i]++;
    }
    for (int i = 0; i < kMessages; ++i)
        sum += values[i];
    if (rank == 1 && count > 1)
        ((volatile int *)values)[kMessages] = 1;
    MPI_Reduce(&sum, &all, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("sum %d\n", all);
    free(values);
    MPI_Finalize();
    return 0;
}
