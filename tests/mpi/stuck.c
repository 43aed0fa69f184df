/* Tasks wait for messages that are sent only when a file has the report of their waits; then the
 * program continues and ends. With the argument `busy`, they are sent after two seconds, another
 * task always computes, and nothing must be printed. One task waits on a communicator without a
 * name. usage: stuck busy|FILE
 */
#include "check.h"

#include <pthread.h>
#include <string.h>
#include <unistd.h>

static int peer;
static MPI_Comm nameless;

static int has_report(const char *file) {
    char line[1024];
    int found = 0;
    FILE *report = fopen(file, "r");
    while (report != NULL && fgets(line, sizeof line, report) != NULL)
        found = found || strstr(line, "it is a hang") != NULL;
    if (report != NULL)
        fclose(report);
    return found;
}

static void *send_late(void *file) {
    if (strcmp(file, "busy") == 0)
        usleep(2000000);
    for (int looks = 0; looks < 250 && strcmp(file, "busy") != 0 && !has_report(file); ++looks)
        usleep(100000);
    for (int i = 0; i < 3; ++i)
        CHECK_MPI(MPI_Send(&i, 1, MPI_INT, peer, 100 + i, MPI_COMM_WORLD));
    CHECK_MPI(MPI_Send(0, 0, MPI_INT, peer, 103, nameless));
    return NULL;
}

#if MPI_VERSION >= 4
#define RECEIVE MPI_Irecv_c
#else
#define RECEIVE MPI_Irecv
#endif

int main(int argc, char **argv) {
    start_mpi(&argc, &argv);
    peer = rank ^ 1;
    MPI_Comm pair;
    CHECK_MPI(MPI_Comm_split(MPI_COMM_WORLD, rank / 2, rank, &pair));
    CHECK_MPI(MPI_Comm_set_name(pair, "the pair"));
    CHECK_MPI(MPI_Comm_dup(MPI_COMM_WORLD, &nameless));
    CHECK_MPI(MPI_Comm_set_name(nameless, ""));
    pthread_t late;
    CHECK(argc == 2);
    const int busy = strcmp(argv[1], "busy") == 0;
    pthread_create(&late, 0, send_late, argv[1]);
#pragma omp parallel
#pragma omp single
    {
        int got[3] = {-1, -1, -1};
#pragma omp task shared(got)
        CHECK_MPI(MPI_Recv(&got[0], 1, MPI_INT, peer, 100, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
#pragma omp task shared(got)
        {
            int sent = 0, from_self = 0;
            MPI_Request requests[3];
            CHECK_MPI(MPI_Irecv(&from_self, 1, MPI_INT, rank, 200, MPI_COMM_WORLD, &requests[0]));
            CHECK_MPI(
                RECEIVE(&got[1], 1, MPI_INT, MPI_ANY_SOURCE, 101, MPI_COMM_WORLD, &requests[1]));
            CHECK_MPI(MPI_Isend(&sent, 1, MPI_INT, rank, 200, MPI_COMM_WORLD, &requests[2]));
            CHECK_MPI(MPI_Waitall(3, requests, MPI_STATUSES_IGNORE));
        }
#pragma omp task shared(got)
        {
            CHECK_MPI(MPI_Probe(MPI_ANY_SOURCE, 102, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
            CHECK_MPI(MPI_Recv(&got[2], 1, MPI_INT, peer, 102, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
        }
#pragma omp task
        if (rank % 2 == 0) { /* the other rank makes it when its tasks have ended */
            MPI_Comm twin;
            CHECK_MPI(MPI_Comm_dup(pair, &twin));
            CHECK_MPI(MPI_Comm_free(&twin));
        }
#pragma omp task
        CHECK_MPI(MPI_Recv(0, 0, MPI_INT, peer, 103, nameless, MPI_STATUS_IGNORE));
        if (busy) {
#pragma omp task
            for (double until = MPI_Wtime() + 2.5; MPI_Wtime() < until;)
                ;
        }
#pragma omp taskwait
        for (int i = 0; i < 3; ++i)
            CHECK(got[i] == i);
    }
    if (rank % 2) {
        MPI_Comm twin;
        CHECK_MPI(MPI_Comm_dup(pair, &twin));
        CHECK_MPI(MPI_Comm_free(&twin));
    }
    pthread_join(late, 0);
    CHECK_MPI(MPI_Comm_free(&nameless));
    CHECK_MPI(MPI_Comm_free(&pair));
    return end_mpi();
}
