/* Checks when blocking calls in tasks return: a synchronous send not before its receive, a buffered
 * one without it, a collective not before a rank that comes late. Also exchanges whose two halves
 * differ in rank, tag, count and type, and messages from and to MPI_PROC_NULL. */
#include "check.h"
#include "flags.h"

#include <omp.h>
#include <string.h>

enum { LONG = 50000, ROUNDS = 3 };

static MPI_Comm world;
static MPI_Datatype pair; /* of two integers */
static int next, before;  /* ranks */

static int count_of(const MPI_Status *status) {
    int count = -1;
    CHECK_MPI(MPI_Get_count(status, MPI_INT, &count));
    return count;
}

/* --- Sends ----------------------------------------------------------------------------------- */

typedef int Send(const void *, int, MPI_Datatype, int, int, MPI_Comm);
static const struct {
    Send *send;
    enum { ANY_TIME, NEEDS_RECEIVE, NEEDS_NOTHING } returns;
} sends[] = {{MPI_Send, ANY_TIME}, {MPI_Ssend, NEEDS_RECEIVE}, {MPI_Bsend, NEEDS_NOTHING}};
enum { SENDS = 3, SIZES = 2 };

static int value_of(int source, int kind, int round, int i) {
    return 1000000 * source + 300000 * kind + 100000 * round + i;
}

/* The receiver begins when the sender says so. */
static void send_in_tasks(int round) {
    static int out[SENDS][SIZES][LONG], in[SENDS][SIZES][LONG], done[SENDS][SIZES];
    const int bytes = SIZES * (LONG * (int)sizeof(int) + MPI_BSEND_OVERHEAD);
    void *const buffer = malloc((size_t)bytes);
    void *detached = NULL;
    int detached_bytes = 0;
    memset(done, 0, sizeof done);
    CHECK_MPI(MPI_Buffer_attach(buffer, bytes));
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < SENDS * SIZES; ++i) {
        const int kind = i % SENDS, large = i / SENDS, length = large ? LONG - kind : 3 + kind;
        const int tag = 10 * kind + large + round, go = 100 + tag;
#pragma omp task firstprivate(kind, large, length, tag)
        {
            for (int k = 0; k < length; ++k)
                out[kind][large][k] = value_of(rank, kind, round, k);
            CHECK_MPI(sends[kind].send(out[kind][large], length, MPI_INT, next, tag, world));
            set(&done[kind][large]);
        }
#pragma omp task firstprivate(kind, large, go)
        {
            if (sends[kind].returns == NEEDS_RECEIVE) {
                let_others_run(&done[kind][large], 0.001);
                CHECK(!is_set(&done[kind][large]));
            } else if (sends[kind].returns == NEEDS_NOTHING) {
                let_others_run(&done[kind][large], 30);
                CHECK(is_set(&done[kind][large]));
            }
            CHECK_MPI(MPI_Send(0, 0, MPI_INT, next, go, world));
        }
#pragma omp task firstprivate(kind, large, length, tag, go)
        {
            MPI_Status status;
            CHECK_MPI(MPI_Recv(0, 0, MPI_INT, before, go, world, MPI_STATUS_IGNORE));
            CHECK_MPI(MPI_Recv(in[kind][large], LONG, MPI_INT, before, tag, world, &status));
            CHECK(status.MPI_SOURCE == before && status.MPI_TAG == tag);
            CHECK(count_of(&status) == length);
            for (int k = 0; k < length; ++k)
                CHECK(in[kind][large][k] == value_of(before, kind, round, k));
        }
    }
    CHECK_MPI(MPI_Buffer_detach(&detached, &detached_bytes));
    CHECK(detached == buffer && detached_bytes == bytes);
    free(buffer);
}

/* --- Exchanges ------------------------------------------------------------------------------- */

static int length_of(int source, int round) { return 2 * (1 + (source + round) % 4); }
static int tag_of(int source, int round) { return 200 + 10 * source + round; }

static void exchange(int round) {
    enum { MOST = 8 };
    int out[MOST], in[MOST];
    MPI_Status status;
    const int from_before = length_of(before, round);
    for (int i = 0; i < MOST; ++i) {
        out[i] = value_of(rank, 0, round, i);
        in[i] = -1;
    }
    CHECK_MPI(MPI_Sendrecv(out, length_of(rank, round) / 2, pair, next, tag_of(rank, round), in,
                           MOST, MPI_INT, before, tag_of(before, round), world, &status));
    CHECK(status.MPI_SOURCE == before && status.MPI_TAG == tag_of(before, round));
    CHECK(count_of(&status) == from_before);
    for (int i = 0; i < MOST; ++i)
        CHECK(in[i] == (i < from_before ? value_of(before, 0, round, i) : -1));

    /* The sent data is the original: each rank sends its number. */
    CHECK_MPI(MPI_Sendrecv_replace(out, 3, pair, next, tag_of(next, round), before,
                                   tag_of(rank, round), world, &status));
    CHECK(status.MPI_SOURCE == before && status.MPI_TAG == tag_of(rank, round));
    CHECK(count_of(&status) == 6);
    for (int i = 0; i < MOST; ++i)
        CHECK(out[i] == value_of(i < 6 ? before : rank, 0, round, i));
}

static int is_from_nobody(const MPI_Status *status) {
    return status->MPI_SOURCE == MPI_PROC_NULL && status->MPI_TAG == MPI_ANY_TAG &&
           count_of(status) == 0;
}
static void forget(MPI_Status *status) { status->MPI_SOURCE = status->MPI_TAG = 99; }

static void nobody(int round) {
    int out[2] = {rank, round}, in[2] = {-1, -1};
    MPI_Status status;
    MPI_Message message = MPI_MESSAGE_NULL;
    forget(&status);
    CHECK_MPI(MPI_Recv(in, 2, MPI_INT, MPI_PROC_NULL, 1, world, &status));
    CHECK(is_from_nobody(&status));
    forget(&status);
    CHECK_MPI(MPI_Probe(MPI_PROC_NULL, 1, world, &status));
    CHECK(is_from_nobody(&status));
    forget(&status);
    CHECK_MPI(MPI_Mprobe(MPI_PROC_NULL, 1, world, &message, &status));
    CHECK(message == MPI_MESSAGE_NO_PROC && is_from_nobody(&status));
    forget(&status);
    CHECK_MPI(MPI_Mrecv(in, 2, MPI_INT, &message, &status));
    CHECK(message == MPI_MESSAGE_NULL && is_from_nobody(&status));
    forget(&status);
    CHECK_MPI(MPI_Sendrecv(out, 2, MPI_INT, MPI_PROC_NULL, 1, in, 2, MPI_INT, MPI_PROC_NULL, 2,
                           world, &status));
    CHECK(is_from_nobody(&status));
    forget(&status);
    CHECK_MPI(
        MPI_Sendrecv_replace(out, 2, MPI_INT, MPI_PROC_NULL, 1, MPI_PROC_NULL, 2, world, &status));
    CHECK(is_from_nobody(&status) && out[0] == rank && out[1] == round && in[0] == -1);
    CHECK_MPI(MPI_Send(out, 2, MPI_INT, MPI_PROC_NULL, 1, world));
    CHECK_MPI(MPI_Ssend(out, 2, MPI_INT, MPI_PROC_NULL, 1, world));
    CHECK_MPI(MPI_Rsend(out, 2, MPI_INT, MPI_PROC_NULL, 1, world));
    /* Only one half of an exchange: along a chain of all ranks. */
    const int left = rank > 0 ? rank - 1 : MPI_PROC_NULL;
    const int right = rank + 1 < size ? rank + 1 : MPI_PROC_NULL;
    forget(&status);
    CHECK_MPI(MPI_Sendrecv(out, 2, MPI_INT, right, 300 + round, in, 2, MPI_INT, left, 300 + round,
                           world, &status));
    if (left == MPI_PROC_NULL)
        CHECK(is_from_nobody(&status) && in[0] == -1);
    else
        CHECK(status.MPI_SOURCE == left && count_of(&status) == 2 && in[0] == left);
}

/* --- Collectives ----------------------------------------------------------------------------- */

static void barrier(MPI_Comm comm, int round) {
    (void)round;
    CHECK_MPI(MPI_Barrier(comm));
}
static void allreduce(MPI_Comm comm, int round) {
    int sum = -1;
    const int own = (rank + 1) * (round + 1);
    CHECK_MPI(MPI_Allreduce(&own, &sum, 1, MPI_INT, MPI_SUM, comm));
    CHECK(sum == (round + 1) * size * (size + 1) / 2);
}
static void alltoall(MPI_Comm comm, int round) {
    int out[64], in[64];
    CHECK(size <= 64);
    for (int i = 0; i < size; ++i)
        out[i] = 10000 * round + 100 * rank + i;
    CHECK_MPI(MPI_Alltoall(out, 1, MPI_INT, in, 1, MPI_INT, comm));
    for (int i = 0; i < size; ++i)
        CHECK(in[i] == 10000 * round + 100 * i + rank);
}
static void (*const collectives[])(MPI_Comm, int) = {barrier, allreduce, alltoall};
enum { COLLECTIVES = 3 };

/* The late rank comes when all others say that theirs have not returned. */
static void come_late(MPI_Comm *comms, int round) {
    int done[COLLECTIVES] = {0};
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < COLLECTIVES; ++i) {
        const int late = (i + round) % size, tag = 400 + i;
#pragma omp task firstprivate(i, late, tag) shared(done)
        {
            for (int other = 0; rank == late && other < size; ++other)
                if (other != rank)
                    CHECK_MPI(MPI_Recv(0, 0, MPI_INT, other, tag, world, MPI_STATUS_IGNORE));
            collectives[i](comms[i], round);
            set(&done[i]);
        }
        if (rank != late)
#pragma omp task firstprivate(i, late, tag) shared(done)
        {
            let_others_run(&done[i], 0.001);
            CHECK(!is_set(&done[i]));
            CHECK_MPI(MPI_Send(0, 0, MPI_INT, late, tag, world));
        }
    }
}

int main(int argc, char **argv) {
    start_mpi(&argc, &argv);
    next = (rank + 1) % size;
    before = (rank + size - 1) % size;
    MPI_Comm comms[COLLECTIVES];
    CHECK_MPI(MPI_Comm_dup(MPI_COMM_WORLD, &world));
    for (int i = 0; i < COLLECTIVES; ++i)
        CHECK_MPI(MPI_Comm_dup(MPI_COMM_WORLD, &comms[i]));
    CHECK_MPI(MPI_Type_contiguous(2, MPI_INT, &pair));
    CHECK_MPI(MPI_Type_commit(&pair));
    /* MPICH's nonblocking receive from nobody has a wrong source before the first blocking one. */
#pragma omp parallel
#pragma omp single
#pragma omp task
    nobody(0);
    for (int left = repetitions(); left > 0; --left)
        for (int round = 0; round < ROUNDS; ++round) {
            send_in_tasks(round);
            come_late(comms, round);
            exchange(round);
            nobody(round);
#pragma omp parallel
#pragma omp single
            {
#pragma omp task
                exchange(round + ROUNDS);
#pragma omp task
                nobody(round + ROUNDS);
            }
        }
    CHECK_MPI(MPI_Type_free(&pair));
    for (int i = 0; i < COLLECTIVES; ++i)
        CHECK_MPI(MPI_Comm_free(&comms[i]));
    CHECK_MPI(MPI_Comm_free(&world));
    return end_mpi();
}
