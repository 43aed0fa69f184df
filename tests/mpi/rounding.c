/* With LOOMP_MPI_COLLECTIVES=blocking, reductions round as the library's own blocking calls do,
 * outside regions, in tasks, and where some ranks are in a task and others are not. The library's
 * call is made first, by its name PMPI_. */
#include "check.h"

#include <string.h>

enum { MOST = 40000, RANKS = 4 };
static double from[MOST * RANKS], expected[MOST * RANKS], got[MOST * RANKS];
static int counts[RANKS];

/* Numbers whose sum depends on the order. */
static void fill(unsigned seed) {
    unsigned state = 77 + 13 * (unsigned)rank + seed;
    for (int i = 0; i < MOST * RANKS; ++i) {
        state = state * 1103515245u + 12345u;
        from[i] = (state >> 8) * 1e-3 * (i % 3 ? 1 : 1e6);
    }
}

/* The arguments name the buffer with the result `to`. */
#define SAME(CALL, ...)                                                                            \
    do {                                                                                           \
        double *to = memset(expected, 0, sizeof expected);                                         \
        CHECK_MPI(PMPI_##CALL(__VA_ARGS__));                                                       \
        to = memset(got, 0, sizeof got);                                                           \
        CHECK_MPI(MPI_##CALL(__VA_ARGS__));                                                        \
        CHECK(memcmp(got, expected, sizeof got) == 0);                                             \
    } while (0)

static void reduce(int count) {
    for (int i = 0; i < RANKS; ++i)
        counts[i] = count;
    fill((unsigned)count);
    SAME(Allreduce, from, to, count, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    SAME(Reduce, from, to, count, MPI_DOUBLE, MPI_SUM, size - 1, MPI_COMM_WORLD);
    SAME(Scan, from, to, count, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    SAME(Exscan, from, to, count, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    SAME(Reduce_scatter_block, from, to, count, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    SAME(Reduce_scatter, from, to, counts, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}

int main(int argc, char **argv) {
    start_mpi(&argc, &argv);
    CHECK(size <= RANKS);
    const int lengths[] = {1, 7, 500, 3000, MOST};
    for (int i = 0; i < 5; ++i)
        reduce(lengths[i]);
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < 5; ++i) {
#pragma omp task
        reduce(lengths[i]);
#pragma omp taskwait
#pragma omp task if (rank % 2 == 0)
        reduce(lengths[i]);
#pragma omp taskwait
    }
    if (rank % 2 == 0)
        reduce(500);
#pragma omp parallel if (rank % 2 != 0)
#pragma omp single
    if (rank % 2 != 0) {
#pragma omp task
        reduce(500);
    }
    return end_mpi();
}
