/* Many receives of any source and any tag at once, by several threads and by many tasks, in every
 * way to receive: each message is received once, none is lost, and each status says which one came.
 * Messages of one source are received in order. */
#include "check.h"

enum { MESSAGES = 60, LONGEST = 12, BATCH = 4, MOST_RANKS = 16 };

/* How one caller receives; the last three post BATCH receives at once. */
typedef enum { RECV, WAIT, MRECV, SENDRECV, WAITALL, WAITANY, WAITSOME, WAYS } Way;
static int receives_of(Way way) { return way < WAITALL ? 1 : BATCH; }

static int round_number;
static int taken[MOST_RANKS][MESSAGES]; /* how often: by source and number */

/* A message says whose it is, and which one. */
static int length_of(int source, int number) { return 3 + (number + source) % (LONGEST - 2); }
static int tag_of(int source, int number) { return (7 * number + 3 * source + round_number) % 50; }
static int value_of(int source, int number, int target, int i) {
    return 1000000 * source + 10000 * target + 100 * number + 10 * i + round_number % 10;
}

static void check_message(const int *in, const MPI_Status *status) {
    const int source = in[0], number = in[1];
    int count = -1, before = -1;
    CHECK(source >= 0 && source < size && number >= 0 && number < MESSAGES);
    CHECK(status->MPI_SOURCE == source);
    CHECK(status->MPI_TAG == tag_of(source, number));
    CHECK_MPI(MPI_Get_count(status, MPI_INT, &count));
    CHECK(count == length_of(source, number));
    for (int i = 2; i < LONGEST; ++i)
        CHECK(in[i] == (i < count ? value_of(source, number, rank, i) : -1));
#pragma omp atomic capture
    before = taken[source][number]++;
    CHECK(before == 0);
}

static void clear(int *in) {
    for (int i = 0; i < LONGEST; ++i)
        in[i] = -1;
}

static void receive_one(Way way, MPI_Comm comm) {
    int in[LONGEST], nothing = 1;
    MPI_Status status, found;
    MPI_Request request;
    MPI_Message message;
    clear(in);
    switch (way) {
    case RECV:
        CHECK_MPI(MPI_Recv(in, LONGEST, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &status));
        break;
    case WAIT:
        CHECK_MPI(MPI_Irecv(in, LONGEST, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &request));
        CHECK_MPI(MPI_Wait(&request, &status));
        break;
    case MRECV:
        CHECK_MPI(MPI_Mprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &message, &found));
        CHECK_MPI(MPI_Mrecv(in, LONGEST, MPI_INT, &message, &status));
        CHECK(found.MPI_SOURCE == status.MPI_SOURCE && found.MPI_TAG == status.MPI_TAG);
        break;
    default:
        CHECK_MPI(MPI_Sendrecv(&nothing, 1, MPI_INT, MPI_PROC_NULL, 77, in, LONGEST, MPI_INT,
                               MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &status));
    }
    check_message(in, &status);
}

/* Posted in order by one caller, so messages of one source come in order. */
static void receive_batch(Way way, int count, MPI_Comm comm) {
    int in[BATCH][LONGEST], found = count, indices[BATCH];
    MPI_Request requests[BATCH];
    MPI_Status statuses[BATCH];
    for (int i = 0; i < count; ++i) {
        clear(in[i]);
        CHECK_MPI(
            MPI_Irecv(in[i], LONGEST, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &requests[i]));
        indices[i] = i;
    }
    for (int left = count; left > 0; left -= found) {
        found = way == WAITALL ? count : 1;
        if (way == WAITALL)
            CHECK_MPI(MPI_Waitall(count, requests, statuses));
        else if (way == WAITANY)
            CHECK_MPI(MPI_Waitany(count, requests, &indices[0], &statuses[0]));
        else
            CHECK_MPI(MPI_Waitsome(count, requests, &found, indices, statuses));
        CHECK(found >= 1 && found <= left);
        for (int i = 0; i < found; ++i) {
            CHECK(indices[i] >= 0 && indices[i] < count);
            CHECK(requests[indices[i]] == MPI_REQUEST_NULL);
            check_message(in[indices[i]], &statuses[i]);
        }
    }
    for (int first = 0; first < count; ++first)
        for (int second = first + 1; second < count; ++second)
            CHECK(in[first][0] != in[second][0] || in[first][1] < in[second][1]);
}

/* Receives some of `left` messages; returns how many. */
static int receive(Way way, int left, MPI_Comm comm) {
    const int count = receives_of(way) < left ? receives_of(way) : left;
    if (way < WAITALL)
        receive_one(way, comm);
    else
        receive_batch(way, count, comm);
    return count;
}

/* Begins what this rank sends to another one, in order. */
static void start_sends(int target, MPI_Comm comm, int (*out)[LONGEST], MPI_Request *requests) {
    for (int number = 0; number < MESSAGES; ++number) {
        out[number][0] = rank;
        out[number][1] = number;
        for (int i = 2; i < LONGEST; ++i)
            out[number][i] = value_of(rank, number, target, i);
        CHECK_MPI(MPI_Isend(out[number], length_of(rank, number), MPI_INT, target,
                            tag_of(rank, number), comm, &requests[number]));
    }
}

static void send_to(int target, MPI_Comm comm) {
    int out[MESSAGES][LONGEST];
    MPI_Request requests[MESSAGES];
    start_sends(target, comm, out, requests);
    CHECK_MPI(MPI_Waitall(MESSAGES, requests, MPI_STATUSES_IGNORE));
}

/* All are received: no message is left, and none came twice. */
static void check_all(MPI_Comm comm) {
    int left = -1;
    CHECK_MPI(MPI_Barrier(comm));
    CHECK_MPI(MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &left, MPI_STATUS_IGNORE));
    CHECK(left == 0);
    for (int source = 0; source < size; ++source)
        for (int number = 0; number < MESSAGES; ++number) {
            CHECK(taken[source][number] == 1);
            taken[source][number] = 0;
        }
    ++round_number;
    CHECK_MPI(MPI_Barrier(comm));
}

/* One task a receive; the sends come from later tasks. */
static void by_tasks(MPI_Comm comm) {
#pragma omp parallel
#pragma omp single
    {
        int left = size * MESSAGES;
        for (int i = 0; left > 0; ++i) {
            const Way way = (Way)(i % WAYS);
#pragma omp task firstprivate(way, left)
            receive(way, left, comm);
            left -= receives_of(way) < left ? receives_of(way) : left;
        }
        for (int i = 1; i <= size; ++i)
#pragma omp task firstprivate(i)
            send_to((rank + i) % size, comm);
    }
    check_all(comm);
}

/* Each thread receives until all that will come has been shared out. */
static void by_threads(MPI_Comm comm) {
    static int out[MOST_RANKS][MESSAGES][LONGEST];
    static MPI_Request sends[MOST_RANKS * MESSAGES];
    int claimed = 0;
    const int all = size * MESSAGES;
    for (int i = 0; i < size; ++i)
        start_sends((rank + i + 1) % size, comm, out[i], sends + i * MESSAGES);
#pragma omp parallel
    for (int turn = 0;; ++turn) {
        const Way way = (Way)((turn + round_number) % WAYS);
        int first = -1;
#pragma omp atomic capture
        {
            first = claimed;
            claimed += receives_of(way);
        }
        if (first >= all)
            break;
        receive(way, all - first, comm);
    }
    CHECK_MPI(MPI_Waitall(all, sends, MPI_STATUSES_IGNORE));
    check_all(comm);
}

int main(int argc, char **argv) {
    start_mpi(&argc, &argv);
    CHECK(size <= MOST_RANKS);
    MPI_Comm comm, careful;
    CHECK_MPI(MPI_Comm_dup(MPI_COMM_WORLD, &comm));
    /* Once the program has asked to see errors each request is tested alone. */
    for (int alone = 0; alone < 2; ++alone) {
        for (int left = 4 * repetitions(); left > 0; --left) {
            by_tasks(comm);
            by_threads(comm);
        }
        CHECK_MPI(MPI_Comm_dup(MPI_COMM_WORLD, &careful));
        CHECK_MPI(MPI_Comm_set_errhandler(careful, MPI_ERRORS_RETURN));
        CHECK_MPI(MPI_Comm_free(&careful));
    }
    CHECK_MPI(MPI_Comm_free(&comm));
    return end_mpi();
}
