/* Two tasks without order call different collectives of one communicator. The ranks begin with
 * different ones, which is an error. usage: collective_order */
#include "check.h"

static void reduce(void) {
    int sum = 0;
    CHECK_MPI(MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
}

static void broadcast(void) {
    int value = rank;
    CHECK_MPI(MPI_Bcast(&value, 1, MPI_INT, 0, MPI_COMM_WORLD));
}

int main(int argc, char **argv) {
    start_mpi(&argc, &argv);
    volatile int begun = 0;
    /* With one thread, the task that sets the flag also makes its call before the other looks. */
#pragma omp parallel num_threads(1)
#pragma omp single
    {
#pragma omp task shared(begun) untied
        {
            begun = 1;
            if (rank == 1)
                broadcast();
            else
                reduce();
        }
#pragma omp task shared(begun) untied
        {
            while (!begun) {
#pragma omp taskyield
            }
            if (rank == 1)
                reduce();
            else
                broadcast();
        }
    }
    return end_mpi();
}
