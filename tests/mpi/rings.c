/* Many rings at once: each task receives from the rank before, adds one, sends on; between tasks of
 * one ring there are dependences. All threads wait most of the time. */
#include "check.h"

enum { RINGS = 40, ROUNDS = 10 };

static void run_rings(void) {
    const int before = (rank + size - 1) % size, after = (rank + 1) % size;
    int token[RINGS];
#pragma omp parallel
#pragma omp single
    for (int round = 0; round < ROUNDS; ++round)
        for (int ring = 0; ring < RINGS; ++ring)
#pragma omp task firstprivate(ring, round) depend(inout : token[ring])
        {
            if (rank == 0) {
                token[ring] = round == 0 ? 1 : token[ring] + 1;
                CHECK_MPI(MPI_Sendrecv_replace(&token[ring], 1, MPI_INT, after, ring, before, ring,
                                               MPI_COMM_WORLD, MPI_STATUS_IGNORE));
            } else {
                CHECK_MPI(MPI_Recv(&token[ring], 1, MPI_INT, before, ring, MPI_COMM_WORLD,
                                   MPI_STATUS_IGNORE));
                ++token[ring];
                CHECK_MPI(MPI_Send(&token[ring], 1, MPI_INT, after, ring, MPI_COMM_WORLD));
            }
        }
    if (rank == 0)
        for (int ring = 0; ring < RINGS; ++ring)
            CHECK(token[ring] == ROUNDS * size);
}

int main(int argc, char **argv) {
    start_mpi(&argc, &argv);
    for (int left = repetitions(); left > 0; --left)
        run_rings();
    return end_mpi();
}
