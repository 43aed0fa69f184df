/* N tasks, each blocked in MPI_Recv, whose sends come from later tasks of the same and of the other
 * rank. Without suspension a receive soon blocks every thread.
 * usage: many_receives [N] */
#include "check.h"

static void receive_many(int count) {
    const int other = size > 1 ? rank ^ 1 : rank; /* itself, where there is no partner */
    const int partner = other < size ? other : rank;
    int *got = calloc(2 * (size_t)count, sizeof *got);
    int done = 0;
#pragma omp parallel
#pragma omp single
    {
        for (int i = 0; i < count; ++i) {
            /* Half of them from this rank, half from the partner. */
            const int from = i % 2 ? rank : partner;
#pragma omp task firstprivate(i, from) shared(done)
            {
                MPI_Status status;
                CHECK_MPI(MPI_Recv(&got[i], 1, MPI_INT, from, i, MPI_COMM_WORLD, &status));
                CHECK(status.MPI_SOURCE == from && status.MPI_TAG == i);
#pragma omp atomic
                ++done;
            }
        }
        for (int i = count - 1; i >= 0; --i) {
            const int to = i % 2 ? rank : partner;
#pragma omp task firstprivate(i, to) shared(done)
            {
                const int value = 1000000 * rank + i;
                CHECK_MPI(MPI_Send(&value, 1, MPI_INT, to, i, MPI_COMM_WORLD));
#pragma omp atomic
                ++done;
            }
        }
    }
    CHECK(done == 2 * count);
    for (int i = 0; i < count; ++i)
        CHECK(got[i] == 1000000 * (i % 2 ? rank : partner) + i);
    free(got);
}

int main(int argc, char **argv) {
    const int count = argc > 1 ? atoi(argv[1]) : 10000;
    start_mpi(&argc, &argv);
    for (int left = repetitions(); left > 0; --left)
        receive_many(count);
    return end_mpi();
}
