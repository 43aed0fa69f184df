/* Persistent sends of each mode, receives of matched messages, and point-to-point calls with large
 * counts (MPI 4): each way of sending to each way of receiving, in tasks and outside. Each message
 * brings its data, and the receiver's status has its source, tag and count. */
#include "check.h"

enum { ROUNDS = 2, LENGTH = 5, GO = 1000 };

static MPI_Comm world;
static int next, before;

/* --- Ways ------------------------------------------------------------------------------------ */

/* Makes the request; the message of a way that is persistent is not started by that. */
typedef void Make(int *buffer, int peer, int tag, MPI_Request *request);
typedef struct {
    Make *make;
    enum { NOTHING, PERSISTENT = 1, READY = 2, MATCHED = 4 } traits;
} Way;

#define WITH_REQUEST(FORM)                                                                         \
    static void make_##FORM(int *buffer, int peer, int tag, MPI_Request *request) {                \
        CHECK_MPI(FORM(buffer, LENGTH, MPI_INT, peer, tag, world, request));                       \
    }
WITH_REQUEST(MPI_Send_init)
WITH_REQUEST(MPI_Bsend_init)
WITH_REQUEST(MPI_Ssend_init)
WITH_REQUEST(MPI_Rsend_init)
WITH_REQUEST(MPI_Recv_init)

static void match(int source, int tag, MPI_Message *message) {
    int found = 0;
    MPI_Status status;
    while (!found) {
        CHECK_MPI(MPI_Improbe(source, tag, world, &found, message, &status));
        if (!found) {
#pragma omp taskyield
        }
    }
    CHECK(status.MPI_SOURCE == source && status.MPI_TAG == tag);
}
#define OF_MATCHED(FORM)                                                                           \
    static void make_##FORM(int *buffer, int peer, int tag, MPI_Request *request) {                \
        MPI_Message message;                                                                       \
        match(peer, tag, &message);                                                                \
        CHECK_MPI(FORM(buffer, LENGTH, MPI_INT, &message, request));                               \
        CHECK(message == MPI_MESSAGE_NULL);                                                        \
    }
OF_MATCHED(MPI_Imrecv)

#if MPI_VERSION >= 4
WITH_REQUEST(MPI_Send_init_c)
WITH_REQUEST(MPI_Bsend_init_c)
WITH_REQUEST(MPI_Ssend_init_c)
WITH_REQUEST(MPI_Rsend_init_c)
WITH_REQUEST(MPI_Recv_init_c)
WITH_REQUEST(MPI_Isend_c)
WITH_REQUEST(MPI_Ibsend_c)
WITH_REQUEST(MPI_Issend_c)
WITH_REQUEST(MPI_Irsend_c)
WITH_REQUEST(MPI_Irecv_c)
OF_MATCHED(MPI_Imrecv_c)

#define BLOCKING(FORM)                                                                             \
    static void make_##FORM(int *buffer, int peer, int tag, MPI_Request *request) {                \
        CHECK_MPI(FORM(buffer, LENGTH, MPI_INT, peer, tag, world));                                \
        *request = MPI_REQUEST_NULL;                                                               \
    }
BLOCKING(MPI_Bsend_c)
BLOCKING(MPI_Rsend_c)
#endif

static const Way sends[] = {
    {make_MPI_Send_init, PERSISTENT},    {make_MPI_Bsend_init, PERSISTENT},
    {make_MPI_Ssend_init, PERSISTENT},   {make_MPI_Rsend_init, PERSISTENT | READY},
#if MPI_VERSION >= 4
    {make_MPI_Send_init_c, PERSISTENT},  {make_MPI_Bsend_init_c, PERSISTENT},
    {make_MPI_Ssend_init_c, PERSISTENT}, {make_MPI_Rsend_init_c, PERSISTENT | READY},
    {make_MPI_Isend_c, NOTHING},         {make_MPI_Ibsend_c, NOTHING},
    {make_MPI_Issend_c, NOTHING},        {make_MPI_Irsend_c, READY},
    {make_MPI_Bsend_c, NOTHING},         {make_MPI_Rsend_c, READY},
#endif
};
static const Way receives[] = {
    {make_MPI_Recv_init, PERSISTENT},   {make_MPI_Imrecv, MATCHED},
#if MPI_VERSION >= 4
    {make_MPI_Recv_init_c, PERSISTENT}, {make_MPI_Irecv_c, NOTHING}, {make_MPI_Imrecv_c, MATCHED},
#endif
};
enum { SENDS = sizeof sends / sizeof *sends, RECEIVES = sizeof receives / sizeof *receives };

/* --- Messages -------------------------------------------------------------------------------- */

static int value(int sender, int tag, int round, int i) {
    return 100000 * round + 1000 * sender + 10 * tag + i;
}
static void start(const Way *way, int round, int *buffer, int peer, int tag, MPI_Request *request) {
    if (round == 0 || !(way->traits & PERSISTENT))
        way->make(buffer, peer, tag, request);
    if (way->traits & PERSISTENT)
        CHECK_MPI(MPI_Start(request));
}
static void start_send(const Way *way, int round, int *buffer, int tag, MPI_Request *request) {
    for (int i = 0; i < LENGTH; ++i)
        buffer[i] = value(rank, tag, round, i);
    start(way, round, buffer, next, tag, request);
}
static void check_status(const MPI_Status *status, int tag) {
    int count = -1;
    CHECK_MPI(MPI_Get_count(status, MPI_INT, &count));
    CHECK(status->MPI_SOURCE == before && status->MPI_TAG == tag && count == LENGTH);
}
static void end_receive(int round, int *buffer, int tag, MPI_Request *request) {
    MPI_Status status;
    CHECK_MPI(MPI_Wait(request, &status));
    check_status(&status, tag);
    for (int i = 0; i < LENGTH; ++i) {
        CHECK(buffer[i] == value(before, tag, round, i));
        buffer[i] = -1;
    }
}
static void end(const Way *way, MPI_Request *request) {
    if (way->traits & PERSISTENT)
        CHECK_MPI(MPI_Request_free(request));
    CHECK(*request == MPI_REQUEST_NULL);
}

/* A receiver says when it is ready to its sender, which waits for that in a later task. */
static void in_tasks(const Way *send, const Way *receive, int tag) {
#pragma omp task firstprivate(send, receive, tag)
    {
        int in[LENGTH];
        MPI_Request request;
        for (int round = 0; round < ROUNDS; ++round) {
            if (!(receive->traits & MATCHED))
                start(receive, round, in, before, tag, &request);
            CHECK_MPI(MPI_Send(0, 0, MPI_INT, before, GO + tag, world));
            if (receive->traits & MATCHED)
                start(receive, round, in, before, tag, &request);
            end_receive(round, in, tag, &request);
        }
        end(receive, &request);
    }
#pragma omp task firstprivate(send, tag)
    {
        int out[LENGTH];
        MPI_Request request;
        for (int round = 0; round < ROUNDS; ++round) {
            CHECK_MPI(MPI_Recv(0, 0, MPI_INT, next, GO + tag, world, MPI_STATUS_IGNORE));
            start_send(send, round, out, tag, &request);
            CHECK_MPI(MPI_Wait(&request, MPI_STATUS_IGNORE));
        }
        end(send, &request);
    }
}

static void outside_tasks(const Way *send, const Way *receive, int tag) {
    int in[LENGTH], out[LENGTH];
    MPI_Request sent, received;
    for (int round = 0; round < ROUNDS; ++round) {
        if (!(receive->traits & MATCHED))
            start(receive, round, in, before, tag, &received);
        CHECK_MPI(MPI_Sendrecv(0, 0, MPI_INT, before, GO + tag, 0, 0, MPI_INT, next, GO + tag,
                               world, MPI_STATUS_IGNORE));
        start_send(send, round, out, tag, &sent);
        if (receive->traits & MATCHED)
            start(receive, round, in, before, tag, &received);
        end_receive(round, in, tag, &received);
        CHECK_MPI(MPI_Wait(&sent, MPI_STATUS_IGNORE));
    }
    end(receive, &received);
    end(send, &sent);
}

static void each_pair(void (*exchange)(const Way *, const Way *, int)) {
    for (int s = 0; s < SENDS; ++s)
        for (int r = 0; r < RECEIVES; ++r)
            /* A receive must be posted before a message in ready mode. */
            if (!(sends[s].traits & READY) || !(receives[r].traits & MATCHED))
                exchange(&sends[s], &receives[r], s * RECEIVES + r);
}

#if MPI_VERSION >= 4
/* Blocking ones with large counts: they let their thread run the tasks that they wait for. */
static void blocking_with_large_counts(void) {
    int got[LENGTH], replaced[LENGTH];
    for (int i = 0; i < LENGTH; ++i)
        replaced[i] = value(rank, 2, 0, i);
#pragma omp parallel
#pragma omp single
    {
#pragma omp task
        {
            MPI_Message message;
            MPI_Status status;
            CHECK_MPI(MPI_Mprobe(before, 1, world, &message, &status));
            CHECK_MPI(MPI_Mrecv_c(got, LENGTH, MPI_INT, &message, &status));
            check_status(&status, 1);
            for (int i = 0; i < LENGTH; ++i)
                CHECK(got[i] == value(before, 1, 0, i));
        }
#pragma omp task
        {
            MPI_Status status;
            if (rank % 2)
                CHECK_MPI(MPI_Recv(0, 0, MPI_INT, rank - 1, GO, world, MPI_STATUS_IGNORE));
            CHECK_MPI(MPI_Sendrecv_replace_c(replaced, LENGTH, MPI_INT, next, 2, before, 2, world,
                                             &status));
            check_status(&status, 2);
            for (int i = 0; i < LENGTH; ++i)
                CHECK(replaced[i] == value(before, 2, 0, i));
        }
#pragma omp task
        {
            int out[LENGTH];
            for (int i = 0; i < LENGTH; ++i)
                out[i] = value(rank, 1, 0, i);
            CHECK_MPI(MPI_Bsend_c(out, LENGTH, MPI_INT, next, 1, world));
            if (rank % 2 == 0 && rank + 1 < size)
                CHECK_MPI(MPI_Send(0, 0, MPI_INT, rank + 1, GO, world));
        }
    }
}
#endif

int main(int argc, char **argv) {
    start_mpi(&argc, &argv);
    next = (rank + 1) % size;
    before = (rank + size - 1) % size;
    CHECK_MPI(MPI_Comm_dup(MPI_COMM_WORLD, &world));
    void *const buffer = malloc(1 << 20), *detached;
    int bytes = 0;
    CHECK_MPI(MPI_Buffer_attach(buffer, 1 << 20));
    for (int left = repetitions(); left > 0; --left) {
#pragma omp parallel
#pragma omp single
        each_pair(in_tasks);
        each_pair(outside_tasks);
#if MPI_VERSION >= 4
        blocking_with_large_counts();
#endif
    }
    CHECK_MPI(MPI_Buffer_detach(&detached, &bytes));
    CHECK(detached == buffer && bytes == 1 << 20);
    free(buffer);
    CHECK_MPI(MPI_Comm_free(&world));
    return end_mpi();
}
