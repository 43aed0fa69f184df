/* What MPI_Init_thread and MPI_Query_thread return: the level that the argument requires, and, with
 * the argument "all", MPI_THREAD_MULTIPLE for each. Tasks wait in any case. */
#include "check.h"

#include <string.h>

int main(int argc, char **argv) {
    const char *wanted = argv[1];
    int level = -1, asked = -1, got = -1, mine;
    if (strcmp(wanted, "init") == 0) {
        CHECK_MPI(MPI_Init(&argc, &argv));
        CHECK_MPI(MPI_Query_thread(&asked));
        CHECK(asked == MPI_THREAD_SINGLE);
    } else {
        const int required =
            strcmp(wanted, "serialized") == 0 ? MPI_THREAD_SERIALIZED : MPI_THREAD_FUNNELED;
        CHECK_MPI(MPI_Init_thread(&argc, &argv, required, &level));
        CHECK_MPI(MPI_Query_thread(&asked));
        CHECK(level == (strcmp(wanted, "all") == 0 ? MPI_THREAD_MULTIPLE : required));
        CHECK(asked == level);
    }
    CHECK_MPI(MPI_Comm_rank(MPI_COMM_WORLD, &rank));
    mine = rank;
#pragma omp parallel num_threads(1)
#pragma omp single
    {
#pragma omp task
        CHECK_MPI(MPI_Recv(&got, 1, MPI_INT, rank ^ 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
#pragma omp task
        CHECK_MPI(MPI_Ssend(&mine, 1, MPI_INT, rank ^ 1, 0, MPI_COMM_WORLD));
    }
    CHECK(got == (rank ^ 1));
    return end_mpi();
}
