/* Prints how many threads a region of this rank has, and how many processors the rank. */
#include <mpi.h>
#include <omp.h>
#include <stdio.h>

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    int threads = 0;
#pragma omp parallel
#pragma omp single
    threads = omp_get_num_threads();
    printf("%d threads, %d processors\n", threads, omp_get_num_procs());
    MPI_Finalize();
    return 0;
}
