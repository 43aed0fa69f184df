/* Checks of the programs in tests/mpi. Each program is silent and exits 0 on success; a failed
 * check prints its place and ends all ranks. */
#pragma once

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static int rank, size;

#define CHECK(condition)                                                                           \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            fprintf(stderr, "%s:%d: rank %d: %s does not hold\n", __FILE__, __LINE__, rank,        \
                    #condition);                                                                   \
            MPI_Abort(MPI_COMM_WORLD, 1);                                                          \
        }                                                                                          \
    } while (0)
#define CHECK_MPI(call) CHECK((call) == MPI_SUCCESS)

static inline void start_mpi(int *argc, char ***argv) {
    int level = 0;
    CHECK_MPI(MPI_Init_thread(argc, argv, MPI_THREAD_MULTIPLE, &level));
    CHECK_MPI(MPI_Comm_rank(MPI_COMM_WORLD, &rank));
    CHECK_MPI(MPI_Comm_size(MPI_COMM_WORLD, &size));
    CHECK(level == MPI_THREAD_MULTIPLE);
}

/* How many times a program repeats its work in one process, to find rare errors. */
static inline int repetitions(void) {
    const char *number = getenv("REPETITIONS");
    return number == NULL ? 1 : atoi(number);
}

static inline int end_mpi(void) {
    CHECK_MPI(MPI_Finalize());
    return 0;
}

/* x -> a x + b, one after the other: not commutative. */
static inline void compose(void *first, void *second, int *count, MPI_Datatype *type) {
    const unsigned *f = first;
    unsigned *g = second;
    (void)type;
    for (int i = 0; i < 2 * *count; i += 2) {
        g[i + 1] += g[i] * f[i + 1];
        g[i] *= f[i];
    }
}
