/* Reports of hangs read calls outside tasks while these end: rank 0 mostly waits a little longer
 * than the suspicion of a hang takes, on communicators that are freed at once. Then more threads
 * wait than reports can have. Needs LOOMP_REPORT_STUCK_AFTER=10ms. */
#include "check.h"

#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

enum { kRounds = 100, kThreads = 20 };

static void wait_in_own_communicator(int round) {
    MPI_Comm comm;
    int value = -1;
    CHECK_MPI(MPI_Comm_dup(MPI_COMM_WORLD, &comm));
    if (rank == 1) {
        usleep((unsigned)(rand() % 20000));
        CHECK_MPI(MPI_Send(&round, 1, MPI_INT, 0, 1, comm));
    } else if (rank == 0) {
        CHECK_MPI(MPI_Recv(&value, 1, MPI_INT, 1, 1, comm, MPI_STATUS_IGNORE));
        CHECK(value == round);
    }
    CHECK_MPI(MPI_Comm_free(&comm));
}

static void *exchange(void *argument) {
    const int tag = (int)(size_t)argument;
    for (int i = 0; i < kRounds; ++i) {
        int value = -1;
        CHECK_MPI(MPI_Sendrecv(&i, 1, MPI_INT, 1 - rank, tag, &value, 1, MPI_INT, 1 - rank, tag,
                               MPI_COMM_WORLD, MPI_STATUS_IGNORE));
        CHECK(value == i);
    }
    return NULL;
}

int main(int argc, char **argv) {
    pthread_t threads[kThreads];
    start_mpi(&argc, &argv);
#pragma omp parallel
    {
    }
    for (int i = 0; i < kRounds; ++i)
        wait_in_own_communicator(i);
    for (size_t i = 0; i < kThreads; ++i)
        CHECK(pthread_create(&threads[i], NULL, exchange, (void *)i) == 0);
    for (int i = 0; i < kThreads; ++i)
        CHECK(pthread_join(threads[i], NULL) == 0);
    return end_mpi();
}
