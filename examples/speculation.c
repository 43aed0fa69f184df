/* Speculation: iterations run ahead of the test for convergence, which cuts the series off.
 *
 *     mpicc -fopenmp speculation.c -o speculation -lloomp-mpi-openmpi -lloomp -lm    (or -mpich)
 *     mpirun -n 2 loomp run ./speculation
 *
 * Prints how many iterations were needed of those that the program would have made. */
#include <loomp/loomp_mpi.h>
#include <math.h>
#include <stdio.h>

enum { MOST = 1000 };
static const double tolerance = 1e-9;

/* The mean of the own value and the neighbours': all ranks' values approach their mean. */
static double smooth(double own, int left, int right) {
    double from_left = own, from_right = own;
    MPI_Sendrecv(&own, 1, MPI_DOUBLE, right, 0, &from_left, 1, MPI_DOUBLE, left, 0, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    MPI_Sendrecv(&own, 1, MPI_DOUBLE, left, 1, &from_right, 1, MPI_DOUBLE, right, 1, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    return (from_left + own + from_right) / 3;
}

int main(int argc, char **argv) {
    static double value[MOST + 1], error[MOST];
    int provided, rank, ranks, iterations = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    const int left = (rank + ranks - 1) % ranks, right = (rank + 1) % ranks;
    const double mean = (ranks - 1) / 2.0;
    value[0] = rank;

#pragma omp parallel
#pragma omp single
    {
        loomp_speculation_t *series = loomp_speculation_begin_on(MPI_COMM_WORLD);
        for (int i = 0; i < MOST && loomp_speculation_next(series) >= 0; i++) {
#pragma omp task depend(in : value[i]) depend(out : value[i + 1])
            value[i + 1] = smooth(value[i], left, right);
            /* MPI cannot cancel a collective: this one waits for the decision before it. */
#pragma omp task depend(in : value[i + 1]) depend(inout : error)
            {
                const double own = fabs(value[i + 1] - mean);
                MPI_Allreduce(&own, &error[i], 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
                if (error[i] < tolerance)
                    loomp_speculation_cut(series, i);
            }
        }
        iterations = loomp_speculation_end(series);
    }

    const int wrong = iterations < 1 || iterations == MOST || error[iterations - 1] >= tolerance ||
                      (iterations > 1 && error[iterations - 2] < tolerance);
    if (rank == 0)
        printf("speculation: %d of %d iterations, error %.1e\n", iterations, MOST,
               error[iterations > 0 ? iterations - 1 : 0]);
    MPI_Finalize();
    return wrong;
}
