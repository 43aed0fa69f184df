/* Features of MPI 4 in tasks: partitioned requests, persistent collectives, large counts. A task
 * waits for one that is created later. */
#include "check.h"

enum { PARTS = 8, LENGTH = 100, ROUNDS = 3 };

static int peer;

/* The library refuses a null list, also while requests are partitioned. */
static void null_lists(MPI_Request *request) {
    MPI_Status statuses[2];
    MPI_Request requests[2] = {*request, *request};
    CHECK_MPI(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
    CHECK_MPI(MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN));
    CHECK(MPI_Waitall(2, NULL, statuses) != MPI_SUCCESS);
    if (MPI_STATUSES_IGNORE != NULL)
        CHECK(MPI_Waitall(2, requests, NULL) != MPI_SUCCESS);
    CHECK_MPI(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL));
    CHECK_MPI(MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_ARE_FATAL));
}

/* One task waits for the whole of a message whose parts later tasks make ready, here and there. */
static void partitioned(void) {
    static int out[PARTS][LENGTH], in[PARTS][LENGTH];
    MPI_Request send, receive;
    CHECK_MPI(
        MPI_Psend_init(out, PARTS, LENGTH, MPI_INT, peer, 1, MPI_COMM_WORLD, MPI_INFO_NULL, &send));
    CHECK_MPI(MPI_Precv_init(in, PARTS, LENGTH, MPI_INT, peer, 1, MPI_COMM_WORLD, MPI_INFO_NULL,
                             &receive));
    for (int round = 0; round < ROUNDS; ++round) {
        CHECK_MPI(MPI_Start(&receive));
        CHECK_MPI(MPI_Start(&send));
        int arrived = 0;
#pragma omp parallel
#pragma omp single
        {
#pragma omp task shared(arrived)
            {
                MPI_Status status;
                CHECK_MPI(MPI_Wait(&receive, &status));
                CHECK(status.MPI_SOURCE == peer && status.MPI_TAG == 1);
                for (int part = 0; part < PARTS; ++part)
                    for (int i = 0; i < LENGTH; ++i)
                        CHECK(in[part][i] == 1000 * round + 10 * part + peer);
                arrived = 1;
            }
            for (int part = PARTS - 1; part >= 0; --part)
#pragma omp task firstprivate(part)
            {
                for (int i = 0; i < LENGTH; ++i)
                    out[part][i] = 1000 * round + 10 * part + rank;
                CHECK_MPI(MPI_Pready(part, send));
            }
#pragma omp task
            CHECK_MPI(MPI_Waitall(1, &send, MPI_STATUSES_IGNORE));
        }
        CHECK(arrived);
    }
    null_lists(&send);
#pragma omp parallel
#pragma omp single
#pragma omp task
    null_lists(&send);
    CHECK_MPI(MPI_Request_free(&send));
    CHECK_MPI(MPI_Request_free(&receive));
}

static void persistent_collectives(void) {
    int value = 0, sum = 0;
    MPI_Comm comm;
    CHECK_MPI(MPI_Comm_dup(MPI_COMM_WORLD, &comm));
    MPI_Request request;
    CHECK_MPI(MPI_Allreduce_init(&value, &sum, 1, MPI_INT, MPI_SUM, comm, MPI_INFO_NULL, &request));
    for (int round = 0; round < ROUNDS; ++round) {
        value = round + rank;
#pragma omp parallel
#pragma omp single
        {
#pragma omp task
            {
                /* The odd ranks begin when they are told to by a later task of the even ones. */
                if (rank % 2)
                    CHECK_MPI(
                        MPI_Recv(0, 0, MPI_INT, rank - 1, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
                CHECK_MPI(MPI_Start(&request));
                CHECK_MPI(MPI_Wait(&request, MPI_STATUS_IGNORE));
                CHECK(sum == size * round + size * (size - 1) / 2);
            }
#pragma omp task
            if (rank % 2 == 0 && rank + 1 < size)
                CHECK_MPI(MPI_Send(0, 0, MPI_INT, rank + 1, 2, MPI_COMM_WORLD));
        }
    }
    CHECK_MPI(MPI_Request_free(&request));
    CHECK_MPI(MPI_Comm_free(&comm));
}

static void large_counts(void) {
    const MPI_Count one = 1;
    int got[3] = {-1, -1, -1}, sum = 0;
#pragma omp parallel
#pragma omp single
    {
#pragma omp task
        CHECK_MPI(MPI_Recv_c(&got[0], one, MPI_INT, peer, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
#pragma omp task
        CHECK_MPI(MPI_Sendrecv_c(&rank, one, MPI_INT, peer, 4, &got[1], one, MPI_INT, peer, 5,
                                 MPI_COMM_WORLD, MPI_STATUS_IGNORE));
#pragma omp task
        CHECK_MPI(MPI_Allreduce_c(&rank, &sum, one, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
#pragma omp task
        CHECK_MPI(MPI_Recv_c(&got[2], one, MPI_INT, peer, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
#pragma omp task
        CHECK_MPI(MPI_Send_c(&rank, one, MPI_INT, peer, 3, MPI_COMM_WORLD));
#pragma omp task
        CHECK_MPI(MPI_Ssend_c(&rank, one, MPI_INT, peer, 5, MPI_COMM_WORLD));
    }
    CHECK(got[0] == peer && got[1] == peer && got[2] == peer && sum == size * (size - 1) / 2);
}

int main(int argc, char **argv) {
    start_mpi(&argc, &argv);
    peer = (rank ^ 1) < size ? rank ^ 1 : rank;
    for (int left = repetitions(); left > 0; --left) {
        partitioned();
        persistent_collectives();
        large_counts();
    }
    return end_mpi();
}
