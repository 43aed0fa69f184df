/* A callback of mpi-detach calls a collective while a task waits in another one of the same
 * communicator. The second rank joins both, once the callback runs. usage: collective_in_callback
 */
#include "check.h"

#include <mpi-detach.h>

enum { GO = 1, MESSAGE = 2, BEGUN = 3 };

static void meet(void *data) {
    (void)data;
    CHECK_MPI(MPI_Send(0, 0, MPI_INT, 1, BEGUN, MPI_COMM_WORLD));
    CHECK_MPI(MPI_Barrier(MPI_COMM_WORLD));
}

static void detach(void) {
    MPI_Request request;
    CHECK_MPI(MPI_Irecv(0, 0, MPI_INT, 1, MESSAGE, MPI_COMM_WORLD, &request));
    CHECK_MPI(MPIX_Detach(&request, meet, NULL));
    CHECK_MPI(MPI_Send(0, 0, MPI_INT, 1, GO, MPI_COMM_WORLD));
}

static void receive(int tag) {
    CHECK_MPI(MPI_Recv(0, 0, MPI_INT, 0, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
}

int main(int argc, char **argv) {
    start_mpi(&argc, &argv);
    CHECK(size == 2);
    volatile int begun = 0;
    if (rank == 1) {
        receive(GO);
        CHECK_MPI(MPI_Send(0, 0, MPI_INT, 0, MESSAGE, MPI_COMM_WORLD));
        receive(BEGUN);
        CHECK_MPI(MPI_Barrier(MPI_COMM_WORLD));
        CHECK_MPI(MPI_Barrier(MPI_COMM_WORLD));
    } else {
        /* With one thread, the task that sets the flag also makes its call before the other looks.
         */
#pragma omp parallel num_threads(1)
#pragma omp single
        {
#pragma omp task shared(begun) untied
            {
                begun = 1;
                CHECK_MPI(MPI_Barrier(MPI_COMM_WORLD));
            }
#pragma omp task shared(begun) untied
            {
                while (!begun) {
#pragma omp taskyield
                }
                detach();
            }
        }
    }
    return end_mpi();
}
