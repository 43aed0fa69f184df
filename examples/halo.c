/* A 1-D stencil on a ring of ranks: a task for each block and step, and two that exchange halos.
 *
 *     mpicc -fopenmp halo.c -o halo -lm
 *     mpirun -n 2 loomp run ./halo
 *
 * Prints the largest difference from the exact solution. No barrier separates the steps. */
#include <math.h>
#include <mpi.h>
#include <stdio.h>

enum { BLOCKS = 8, SIZE = 64, CELLS = BLOCKS * SIZE, STEPS = 200 };
/* Values and blocks of even and odd steps; the first and the last ones are the halo. */
static double u[2][CELLS + 2];
static char block[2][BLOCKS + 2]; /* for depend clauses only */

static void exchange(const double *out, int to_tag, double *in, int from_tag, int neighbour) {
    MPI_Sendrecv(out, 1, MPI_DOUBLE, neighbour, to_tag, in, 1, MPI_DOUBLE, neighbour, from_tag,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv) {
    enum { LEFTWARDS, RIGHTWARDS };
    int provided, rank, ranks;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    const int left = (rank + ranks - 1) % ranks, right = (rank + 1) % ranks;
    const double wave = 2 * acos(-1) / (CELLS * ranks);
    for (int i = 1; i <= CELLS; i++)
        u[0][i] = cos(wave * (rank * CELLS + i));

#pragma omp parallel
#pragma omp single
    for (int step = 0; step < STEPS; step++) {
        const int from = step % 2, to = 1 - from;
#pragma omp task depend(in : block[from][1]) depend(out : block[from][0])
        exchange(&u[from][1], LEFTWARDS, &u[from][0], RIGHTWARDS, left);
#pragma omp task depend(in : block[from][BLOCKS]) depend(out : block[from][BLOCKS + 1])
        exchange(&u[from][CELLS], RIGHTWARDS, &u[from][CELLS + 1], LEFTWARDS, right);
        for (int b = 1; b <= BLOCKS; b++) {
#pragma omp task depend(in : block[from][b - 1], block[from][b], block[from][b + 1])               \
    depend(out : block[to][b])
            for (int i = (b - 1) * SIZE + 1; i <= b * SIZE; i++)
                u[to][i] = (u[from][i - 1] + u[from][i + 1]) / 2;
        }
    }

    double error = 0;
    for (int i = 1; i <= CELLS; i++) {
        const double exact = pow(cos(wave), STEPS) * cos(wave * (rank * CELLS + i));
        error = fmax(error, fabs(u[STEPS % 2][i] - exact));
    }
    MPI_Allreduce(MPI_IN_PLACE, &error, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    if (rank == 0)
        printf("halo: %d steps on %d ranks, largest error %.1e\n", STEPS, ranks, error);
    MPI_Finalize();
    return error > 1e-10;
}
