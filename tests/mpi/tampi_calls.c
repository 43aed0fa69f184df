/* Checks each of TAMPI's nonblocking calls: its data, its statuses, and when it completes its task.
 * A task never completes before the operation: one rank is late in each collective, and each
 * synchronous send is received late. */
#define _GNU_SOURCE
#include "check.h"
#include "flags.h"

#include <TAMPI.h>
#include <dlfcn.h>
#include <omp.h>
#include <string.h>

enum { MOST_RANKS = 8, WIDTH = 3, LENGTH = MOST_RANKS * 2 * (WIDTH + 2) };

static int round_number;
static MPI_Datatype pair; /* of two integers */

/* --- Collectives ----------------------------------------------------------------------------- */

enum { COLLECTIVES = 17 };

/* The buffers of one collective; `to` has -1 where nothing may be written. */
typedef struct {
    int from[LENGTH], to[LENGTH];
    int counts[MOST_RANKS], offsets[MOST_RANKS], from_counts[MOST_RANKS], from_offsets[MOST_RANKS];
    MPI_Datatype types[MOST_RANKS], from_types[MOST_RANKS];
    MPI_Comm comm;
    int root, late, done;
} Buffers;
static Buffers buffers[COLLECTIVES];

static int value_of(int source, int target, int i) {
    return 10000 * round_number + 1000 * (source + 1) + 100 * target + i;
}
/* Pairs from `source` to `target` where these are not the same for all. */
static int pairs_of(int source, int target) { return 1 + (source + 2 * target + round_number) % 3; }

/* Operation number `op`, and what it makes of `value`s. */
static MPI_Op op_of(int op) { return op == 0 ? MPI_SUM : op == 1 ? MPI_MAX : MPI_BXOR; }
static int combined(int op, int one, int other) {
    return op == 0 ? one + other : op == 1 ? (one > other ? one : other) : one ^ other;
}
static int operation(void) { return round_number % 3; }
/* Reduces the values of ranks 0 to `last`, for `target`. */
static int reduced(int last, int target, int i) {
    int result = value_of(0, target, i);
    for (int source = 1; source <= last; ++source)
        result = combined(operation(), result, value_of(source, target, i));
    return result;
}

static void fill(int *to, int count, int source, int target) {
    for (int i = 0; i < count; ++i)
        to[i] = value_of(source, target, i);
}
static int has(const int *in, int count, int source, int target) {
    for (int i = 0; i < count; ++i)
        if (in[i] != value_of(source, target, i))
            return 0;
    return 1;
}
static int has_reduced(const int *in, int count, int last, int target) {
    for (int i = 0; i < count; ++i)
        if (in[i] != reduced(last, target, i))
            return 0;
    return 1;
}
/* Nothing was written beyond `count` integers. */
static int ends_at(const Buffers *b, int count) {
    for (int i = count; i < LENGTH; ++i)
        if (b->to[i] != -1)
            return 0;
    return 1;
}
static int written(const Buffers *b) {
    int count = 0;
    for (int i = 0; i < LENGTH; ++i)
        count += b->to[i] != -1;
    return count;
}

/* Blocks of pairs_of(), the last rank's first, with a pair between them; in units of so many
 * integers. */
static void lay_out(int *counts, int *offsets, int unit, int of_sender, int target) {
    int at = 0;
    for (int i = size - 1; i >= 0; --i) {
        const int pairs = of_sender ? pairs_of(rank, i) : pairs_of(i, target);
        counts[i] = 2 * pairs / unit;
        offsets[i] = at / unit;
        at += 2 * (pairs + 1);
    }
}
static int all_pairs(int target) {
    int count = 0;
    for (int i = 0; i < size; ++i)
        count += pairs_of(i, target);
    return count;
}

static void start_barrier(Buffers *b) { CHECK_MPI(TAMPI_Ibarrier(b->comm)); }
static void check_barrier(Buffers *b) { CHECK(ends_at(b, 0)); }

static void start_bcast(Buffers *b) {
    if (rank == b->root)
        fill(b->to, 2 * WIDTH, b->root, 0);
    CHECK_MPI(TAMPI_Ibcast(b->to, WIDTH, pair, b->root, b->comm));
}
static void check_bcast(Buffers *b) {
    CHECK(has(b->to, 2 * WIDTH, b->root, 0) && ends_at(b, 2 * WIDTH));
}

static void start_gather(Buffers *b) {
    fill(b->from, 2 * WIDTH, rank, 0);
    CHECK_MPI(TAMPI_Igather(b->from, WIDTH, pair, b->to, 2 * WIDTH, MPI_INT, b->root, b->comm));
}
static void check_gather(Buffers *b) {
    for (int i = 0; rank == b->root && i < size; ++i)
        CHECK(has(b->to + 2 * WIDTH * i, 2 * WIDTH, i, 0));
    CHECK(ends_at(b, rank == b->root ? 2 * WIDTH * size : 0));
}

static void start_gatherv(Buffers *b) {
    lay_out(b->counts, b->offsets, 1, 0, b->root);
    fill(b->from, 2 * WIDTH, rank, b->root);
    CHECK_MPI(TAMPI_Igatherv(b->from, pairs_of(rank, b->root), pair, b->to, b->counts, b->offsets,
                             MPI_INT, b->root, b->comm));
}
static void check_gatherv(Buffers *b) {
    for (int i = 0; rank == b->root && i < size; ++i)
        CHECK(has(b->to + b->offsets[i], b->counts[i], i, rank));
    CHECK(written(b) == (rank == b->root ? 2 * all_pairs(rank) : 0));
}

static void start_scatter(Buffers *b) {
    for (int i = 0; rank == b->root && i < size; ++i)
        fill(b->from + 2 * WIDTH * i, 2 * WIDTH, rank, i);
    CHECK_MPI(TAMPI_Iscatter(b->from, 2 * WIDTH, MPI_INT, b->to, WIDTH, pair, b->root, b->comm));
}
static void check_scatter(Buffers *b) {
    CHECK(has(b->to, 2 * WIDTH, b->root, rank) && ends_at(b, 2 * WIDTH));
}

static void start_scatterv(Buffers *b) {
    lay_out(b->counts, b->offsets, 1, 1, 0);
    for (int i = 0; rank == b->root && i < size; ++i)
        fill(b->from + b->offsets[i], b->counts[i], rank, i);
    CHECK_MPI(TAMPI_Iscatterv(b->from, b->counts, b->offsets, MPI_INT, b->to,
                              pairs_of(b->root, rank), pair, b->root, b->comm));
}
static void check_scatterv(Buffers *b) {
    const int count = 2 * pairs_of(b->root, rank);
    CHECK(has(b->to, count, b->root, rank) && ends_at(b, count));
}

static void start_allgather(Buffers *b) {
    fill(b->from, 2 * WIDTH, rank, 0);
    CHECK_MPI(TAMPI_Iallgather(b->from, 2 * WIDTH, MPI_INT, b->to, WIDTH, pair, b->comm));
}
static void check_allgather(Buffers *b) {
    for (int i = 0; i < size; ++i)
        CHECK(has(b->to + 2 * WIDTH * i, 2 * WIDTH, i, 0));
    CHECK(ends_at(b, 2 * WIDTH * size));
}

static void start_allgatherv(Buffers *b) {
    lay_out(b->counts, b->offsets, 2, 0, 0);
    fill(b->from, 2 * WIDTH, rank, 0);
    CHECK_MPI(TAMPI_Iallgatherv(b->from, 2 * pairs_of(rank, 0), MPI_INT, b->to, b->counts,
                                b->offsets, pair, b->comm));
}
static void check_allgatherv(Buffers *b) {
    for (int i = 0; i < size; ++i)
        CHECK(has(b->to + 2 * b->offsets[i], 2 * b->counts[i], i, 0));
    CHECK(written(b) == 2 * all_pairs(0));
}

static void start_alltoall(Buffers *b) {
    for (int i = 0; i < size; ++i)
        fill(b->from + 2 * WIDTH * i, 2 * WIDTH, rank, i);
    CHECK_MPI(TAMPI_Ialltoall(b->from, 2 * WIDTH, MPI_INT, b->to, WIDTH, pair, b->comm));
}
static void check_alltoall(Buffers *b) {
    for (int i = 0; i < size; ++i)
        CHECK(has(b->to + 2 * WIDTH * i, 2 * WIDTH, i, rank));
    CHECK(ends_at(b, 2 * WIDTH * size));
}

static void start_alltoallv(Buffers *b) {
    lay_out(b->from_counts, b->from_offsets, 1, 1, 0);
    lay_out(b->counts, b->offsets, 2, 0, rank);
    for (int i = 0; i < size; ++i)
        fill(b->from + b->from_offsets[i], b->from_counts[i], rank, i);
    CHECK_MPI(TAMPI_Ialltoallv(b->from, b->from_counts, b->from_offsets, MPI_INT, b->to, b->counts,
                               b->offsets, pair, b->comm));
}
static void check_alltoallv(Buffers *b) {
    for (int i = 0; i < size; ++i)
        CHECK(has(b->to + 2 * b->offsets[i], 2 * b->counts[i], i, rank));
    CHECK(written(b) == 2 * all_pairs(rank));
}

/* Pairs describe the data that is sent to even ranks and received from odd ones. Offsets in bytes.
 */
static void start_alltoallw(Buffers *b) {
    lay_out(b->from_counts, b->from_offsets, 1, 1, 0);
    lay_out(b->counts, b->offsets, 1, 0, rank);
    for (int i = 0; i < size; ++i) {
        fill(b->from + b->from_offsets[i], b->from_counts[i], rank, i);
        b->from_types[i] = i % 2 ? MPI_INT : pair;
        b->types[i] = i % 2 ? pair : MPI_INT;
        b->from_counts[i] /= i % 2 ? 1 : 2;
        b->counts[i] /= i % 2 ? 2 : 1;
        b->from_offsets[i] *= (int)sizeof(int);
        b->offsets[i] *= (int)sizeof(int);
    }
    CHECK_MPI(TAMPI_Ialltoallw(b->from, b->from_counts, b->from_offsets, b->from_types, b->to,
                               b->counts, b->offsets, b->types, b->comm));
}
static void check_alltoallw(Buffers *b) {
    for (int i = 0; i < size; ++i)
        CHECK(has(b->to + b->offsets[i] / (int)sizeof(int), 2 * pairs_of(i, rank), i, rank));
    CHECK(written(b) == 2 * all_pairs(rank));
}

static void start_reduce(Buffers *b) {
    fill(b->from, WIDTH, rank, 0);
    CHECK_MPI(TAMPI_Ireduce(b->from, b->to, WIDTH, MPI_INT, op_of(operation()), b->root, b->comm));
}
static void check_reduce(Buffers *b) {
    CHECK(rank != b->root || has_reduced(b->to, WIDTH, size - 1, 0));
    CHECK(ends_at(b, rank == b->root ? WIDTH : 0));
}

static void start_allreduce(Buffers *b) {
    fill(b->from, WIDTH, rank, 0);
    CHECK_MPI(TAMPI_Iallreduce(b->from, b->to, WIDTH, MPI_INT, op_of(operation()), b->comm));
}
static void check_allreduce(Buffers *b) {
    CHECK(has_reduced(b->to, WIDTH, size - 1, 0) && ends_at(b, WIDTH));
}

static void start_reduce_scatter(Buffers *b) {
    for (int i = 0, at = 0; i < size; at += b->counts[i++]) {
        b->counts[i] = pairs_of(0, i);
        fill(b->from + at, b->counts[i], rank, i);
    }
    CHECK_MPI(
        TAMPI_Ireduce_scatter(b->from, b->to, b->counts, MPI_INT, op_of(operation()), b->comm));
}
static void check_reduce_scatter(Buffers *b) {
    CHECK(has_reduced(b->to, pairs_of(0, rank), size - 1, rank) && ends_at(b, pairs_of(0, rank)));
}

static void start_reduce_scatter_block(Buffers *b) {
    for (int i = 0; i < size; ++i)
        fill(b->from + WIDTH * i, WIDTH, rank, i);
    CHECK_MPI(
        TAMPI_Ireduce_scatter_block(b->from, b->to, WIDTH, MPI_INT, op_of(operation()), b->comm));
}
static void check_reduce_scatter_block(Buffers *b) {
    CHECK(has_reduced(b->to, WIDTH, size - 1, rank) && ends_at(b, WIDTH));
}

static void start_scan(Buffers *b) {
    fill(b->from, WIDTH, rank, 0);
    CHECK_MPI(TAMPI_Iscan(b->from, b->to, WIDTH, MPI_INT, op_of(operation()), b->comm));
}
static void check_scan(Buffers *b) {
    CHECK(has_reduced(b->to, WIDTH, rank, 0) && ends_at(b, WIDTH));
}

static void start_exscan(Buffers *b) {
    fill(b->from, WIDTH, rank, 0);
    CHECK_MPI(TAMPI_Iexscan(b->from, b->to, WIDTH, MPI_INT, op_of(operation()), b->comm));
}
/* Rank 0's result is undefined. */
static void check_exscan(Buffers *b) {
    CHECK(rank == 0 || (has_reduced(b->to, WIDTH, rank - 1, 0) && ends_at(b, WIDTH)));
}

/* The ranks whose operation needs that of a rank that comes late. */
typedef enum { ALL, ROOT, NOT_ROOT, LATER } Waiting;
static const struct {
    void (*start)(Buffers *);
    void (*check)(Buffers *);
    Waiting waiting;
} collectives[] = {{start_barrier, check_barrier, ALL},
                   {start_bcast, check_bcast, NOT_ROOT},
                   {start_gather, check_gather, ROOT},
                   {start_gatherv, check_gatherv, ROOT},
                   {start_scatter, check_scatter, NOT_ROOT},
                   {start_scatterv, check_scatterv, NOT_ROOT},
                   {start_allgather, check_allgather, ALL},
                   {start_allgatherv, check_allgatherv, ALL},
                   {start_alltoall, check_alltoall, ALL},
                   {start_alltoallv, check_alltoallv, ALL},
                   {start_alltoallw, check_alltoallw, ALL},
                   {start_reduce, check_reduce, ROOT},
                   {start_allreduce, check_allreduce, ALL},
                   {start_reduce_scatter, check_reduce_scatter, ALL},
                   {start_reduce_scatter_block, check_reduce_scatter_block, ALL},
                   {start_scan, check_scan, LATER},
                   {start_exscan, check_exscan, LATER}};
_Static_assert(sizeof collectives / sizeof *collectives == COLLECTIVES, "each has buffers");

static int waits_for_late(Waiting waiting, const Buffers *b) {
    if (rank == b->late)
        return 0;
    return waiting == ALL || (waiting == ROOT && rank == b->root) ||
           (waiting == NOT_ROOT && b->root == b->late) || (waiting == LATER && rank > b->late);
}

static void prepare(void) {
    ++round_number;
    for (int i = 0; i < COLLECTIVES; ++i) {
        Buffers *const b = &buffers[i];
        for (int k = 0; k < LENGTH; ++k)
            b->from[k] = b->to[k] = -1;
        b->late = (round_number + i) % size;
        /* The late one where others wait for the root, and not where that waits. */
        b->root = (b->late + (collectives[i].waiting == ROOT)) % size;
        b->done = 0;
    }
}

/* The late rank's task calls it. */
static void wait_for_others(int tag) {
    for (int other = 0; other < size; ++other)
        if (other != rank)
            CHECK_MPI(MPI_Recv(0, 0, MPI_INT, other, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
}

/* Each in a task, all at once, each with its late rank. */
static void in_tasks(void) {
    prepare();
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < COLLECTIVES; ++i) {
        Buffers *const b = &buffers[i];
#pragma omp task depend(out : *b) firstprivate(b, i)
        {
            if (rank == b->late)
                wait_for_others(i);
            collectives[i].start(b);
        }
#pragma omp task depend(in : *b) firstprivate(b, i)
        {
            collectives[i].check(b);
            set(&b->done);
        }
        if (rank != b->late)
#pragma omp task firstprivate(b, i)
        {
            if (waits_for_late(collectives[i].waiting, b)) {
                let_others_run(&b->done, 0.001);
                CHECK(!is_set(&b->done));
            }
            CHECK_MPI(MPI_Send(0, 0, MPI_INT, b->late, i, MPI_COMM_WORLD));
        }
    }
}

/* A task completes with the last one of many. */
static void in_one_task(void) {
    prepare();
    const int late = round_number % size;
    int done = 0;
#pragma omp parallel
#pragma omp single
    {
#pragma omp task depend(out : buffers)
        {
            if (rank == late)
                wait_for_others(COLLECTIVES);
            for (int i = 0; i < COLLECTIVES; ++i)
                collectives[i].start(&buffers[i]);
        }
#pragma omp task depend(in : buffers) shared(done)
        {
            for (int i = 0; i < COLLECTIVES; ++i)
                collectives[i].check(&buffers[i]);
            set(&done);
        }
        if (rank != late)
#pragma omp task shared(done)
        {
            let_others_run(&done, 0.001);
            CHECK(!is_set(&done));
            CHECK_MPI(MPI_Send(0, 0, MPI_INT, late, COLLECTIVES, MPI_COMM_WORLD));
        }
    }
}

/* The operations are waited for where no task can complete later. */
static void waited_for(void) {
    prepare();
    for (int i = 0; i < COLLECTIVES; ++i) {
        collectives[i].start(&buffers[i]);
        collectives[i].check(&buffers[i]);
    }
    prepare();
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < COLLECTIVES; ++i) {
#pragma omp task if (i % 3) final(i % 3 == 1)
        collectives[i].start(&buffers[i]);
#pragma omp taskwait
        collectives[i].check(&buffers[i]);
    }
}

/* --- Messages -------------------------------------------------------------------------------- */

/* Which of MPI's own calls was made last: a recorder sees them like this. */
static _Thread_local const char *made = "none";
#define OBSERVED(NAME)                                                                             \
    int NAME(const void *buffer, int count, MPI_Datatype type, int target, int tag, MPI_Comm comm, \
             MPI_Request *request) {                                                               \
        int (*next)(const void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request *);           \
        *(void **)&next = dlsym(RTLD_NEXT, #NAME);                                                 \
        made = #NAME;                                                                              \
        return next(buffer, count, type, target, tag, comm, request);                              \
    }
OBSERVED(MPI_Isend)
OBSERVED(MPI_Ibsend)
OBSERVED(MPI_Issend)
OBSERVED(MPI_Irsend)

/* Large messages wait for their receiver, except those in a buffer. */
enum { SENDS = 4, SIZES = 2, SMALL = 5, LARGE = 100000 };
typedef enum { STANDARD, BUFFERED, SYNCHRONOUS, READY } Mode;
static const struct {
    const char *name;
    int (*send)(const void *, int, MPI_Datatype, int, int, MPI_Comm);
} sends[SENDS] = {{"MPI_Isend", TAMPI_Isend},
                  {"MPI_Ibsend", TAMPI_Ibsend},
                  {"MPI_Issend", TAMPI_Issend},
                  {"MPI_Irsend", TAMPI_Irsend}};

static int sent[SENDS][SIZES][LARGE], received[SENDS][SIZES][LARGE];
static MPI_Status statuses[SENDS][SIZES];
static int next, before; /* ranks */

static int length_of(int large) { return large ? LARGE : SMALL; }
static int tag_of(Mode mode, int large) { return 100 + 10 * (int)mode + large + round_number % 3; }
static int number_of(int source, Mode mode, int large, int i) {
    return 1000000 * source + 100000 * (int)mode + 50000 * large + i + round_number;
}

/* A ready send finds its receive, a buffered one completes before its receive is there, and a
 * synchronous one does not. */
static void send(Mode mode, int large) {
    int *const out = sent[mode][large];
    const int go = 200 + tag_of(mode, large);
    for (int i = 0; i < length_of(large); ++i)
        out[i] = number_of(rank, mode, large, i);
    if (mode == READY)
        CHECK_MPI(MPI_Recv(0, 0, MPI_INT, next, go, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    CHECK_MPI(sends[mode].send(out, length_of(large), MPI_INT, next, tag_of(mode, large),
                               MPI_COMM_WORLD));
    CHECK(strcmp(made, sends[mode].name) == 0);
}

static void let_receive(Mode mode, int large, const int *done) {
    const int go = 200 + tag_of(mode, large);
    if (mode == READY)
        return;
    if (mode == SYNCHRONOUS) {
        let_others_run(done, 0.001);
        CHECK(!is_set(done));
    } else if (mode == BUFFERED) {
        let_others_run(done, 30);
        CHECK(is_set(done));
    }
    CHECK_MPI(MPI_Send(0, 0, MPI_INT, next, go, MPI_COMM_WORLD));
}

static void receive(Mode mode, int large) {
    int *const in = received[mode][large];
    const int go = 200 + tag_of(mode, large);
    for (int i = 0; i < length_of(large); ++i)
        in[i] = -1;
    if (mode != READY)
        CHECK_MPI(MPI_Recv(0, 0, MPI_INT, before, go, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    CHECK_MPI(TAMPI_Irecv(in, length_of(large) + 3 * !large, MPI_INT, before, tag_of(mode, large),
                          MPI_COMM_WORLD, &statuses[mode][large]));
    if (mode == READY)
        CHECK_MPI(MPI_Send(0, 0, MPI_INT, before, go, MPI_COMM_WORLD));
}

static void check_received(Mode mode, int large) {
    int count = -1;
    const MPI_Status *const status = &statuses[mode][large];
    for (int i = 0; i < length_of(large); ++i)
        CHECK(received[mode][large][i] == number_of(before, mode, large, i));
    CHECK(status->MPI_SOURCE == before && status->MPI_TAG == tag_of(mode, large));
    CHECK_MPI(MPI_Get_count(status, MPI_INT, &count));
    CHECK(count == length_of(large));
}

static void messages(void) {
    static int done[SENDS][SIZES];
    ++round_number;
    memset(done, 0, sizeof done);
    const int buffer_size = SIZES * (LARGE * (int)sizeof(int) + MPI_BSEND_OVERHEAD);
    void *const buffer = malloc((size_t)buffer_size);
    void *detached = NULL;
    int detached_size = 0;
    CHECK_MPI(MPI_Buffer_attach(buffer, buffer_size));
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < SENDS * SIZES; ++i) {
        const Mode mode = (Mode)(i % SENDS);
        const int large = i / SENDS;
#pragma omp task depend(out : sent[mode][large]) firstprivate(mode, large)
        send(mode, large);
#pragma omp task depend(in : sent[mode][large]) firstprivate(mode, large)
        set(&done[mode][large]);
#pragma omp task firstprivate(mode, large)
        let_receive(mode, large, &done[mode][large]);
#pragma omp task depend(out : received[mode][large]) firstprivate(mode, large)
        receive(mode, large);
#pragma omp task depend(in : received[mode][large]) firstprivate(mode, large)
        check_received(mode, large);
    }
    CHECK_MPI(MPI_Buffer_detach(&detached, &detached_size));
    CHECK(detached == buffer && detached_size == buffer_size);
    free(buffer);
}

/* Receives that all match each message: each gets one, and its status says which. */
static void wildcards(void) {
    enum { MESSAGES = 100 };
    static int in[MESSAGES][3], out[MESSAGES][3], taken[MESSAGES];
    static MPI_Status found[MESSAGES];
    ++round_number;
    memset(taken, 0, sizeof taken);
#pragma omp parallel
#pragma omp single
    {
        for (int i = 0; i < MESSAGES; ++i) {
#pragma omp task depend(out : in[i]) firstprivate(i)
            CHECK_MPI(TAMPI_Irecv(in[i], 3, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, buffers[0].comm,
                                  &found[i]));
#pragma omp task depend(in : in[i]) firstprivate(i)
            {
                int count = -1, times = -1;
                const int number = in[i][0];
                CHECK(number >= 0 && number < MESSAGES);
                CHECK(found[i].MPI_SOURCE == before && found[i].MPI_TAG == 3 * number);
                CHECK_MPI(MPI_Get_count(&found[i], MPI_INT, &count));
                CHECK(count == 1 + number % 3);
#pragma omp atomic capture
                times = ++taken[number];
                CHECK(times == 1);
            }
        }
        for (int i = MESSAGES - 1; i >= 0; --i)
#pragma omp task firstprivate(i)
        {
            for (int k = 0; k < 3; ++k)
                out[i][k] = i;
            CHECK_MPI(TAMPI_Isend(out[i], 1 + i % 3, MPI_INT, next, 3 * i, buffers[0].comm));
        }
    }
    for (int i = 0; i < MESSAGES; ++i)
        CHECK(taken[i] == 1);
}

/* --- The program's own requests -------------------------------------------------------------- */

/* Receives, sends and null requests in one list; some messages are there at once, others are sent
 * when the list has been given away. */
static void lists(int count) {
    enum { MOST = 24 };
    static int in[MOST][3], out[MOST];
    static MPI_Status found[MOST];
    MPI_Request requests[MOST];
    int done = 0;
    const int given_away = 900;
    ++round_number;
    CHECK(count <= MOST);
#pragma omp parallel
#pragma omp single
    {
#pragma omp task depend(out : in) shared(requests)
        {
            for (int i = 0; i < count; ++i) {
                requests[i] = MPI_REQUEST_NULL;
                out[i] = 100 * rank + i + round_number;
                if (i % 4 == 1)
                    CHECK_MPI(MPI_Isend(&out[i], 1, MPI_INT, next, 550 + i, MPI_COMM_WORLD,
                                        &requests[i]));
                else if (i % 4 != 3)
                    CHECK_MPI(MPI_Irecv(in[i], 3, MPI_INT, before, 500 + count - i, MPI_COMM_WORLD,
                                        &requests[i]));
            }
            CHECK_MPI(TAMPI_Iwaitall(count, requests, found));
            for (int i = 0; i < count; ++i)
                CHECK(requests[i] == MPI_REQUEST_NULL);
            CHECK_MPI(MPI_Send(0, 0, MPI_INT, before, given_away, MPI_COMM_WORLD));
        }
#pragma omp task depend(in : in) shared(done)
        {
            for (int i = 0; i < count; ++i) {
                int length = -1;
                CHECK_MPI(MPI_Get_count(&found[i], MPI_INT, &length));
                CHECK(i % 4 != 3 || (found[i].MPI_SOURCE == MPI_ANY_SOURCE &&
                                     found[i].MPI_TAG == MPI_ANY_TAG && length == 0));
                if (i % 4 == 1 || i % 4 == 3)
                    continue;
                CHECK(found[i].MPI_SOURCE == before && found[i].MPI_TAG == 500 + count - i);
                CHECK(length == 1 + i % 3);
                for (int k = 0; k < length; ++k)
                    CHECK(in[i][k] == 1000 * before + 10 * i + k + round_number);
            }
            set(&done);
        }
        /* Sends what the others wait for, but for those that the list itself sends. */
#pragma omp task
        for (int i = 0; i <= count; ++i) {
            const int numbers[3] = {1000 * rank + 10 * i + round_number,
                                    1000 * rank + 10 * i + 1 + round_number,
                                    1000 * rank + 10 * i + 2 + round_number};
            if (i == count / 2)
                CHECK_MPI(
                    MPI_Recv(0, 0, MPI_INT, next, given_away, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
            if (i < count && i % 2 == 0)
                CHECK_MPI(
                    MPI_Send(numbers, 1 + i % 3, MPI_INT, next, 500 + count - i, MPI_COMM_WORLD));
        }
#pragma omp task
        for (int i = 1; i < count; i += 4) {
            int number = -1;
            CHECK_MPI(
                MPI_Recv(&number, 1, MPI_INT, before, 550 + i, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
            CHECK(number == 100 * before + i + round_number);
        }
    }
    CHECK(done);
}

static void single_requests(void) {
    int in = -1, count = -1;
    MPI_Status status, empty;
    MPI_Request request = MPI_REQUEST_NULL;
    status.MPI_SOURCE = status.MPI_TAG = empty.MPI_SOURCE = empty.MPI_TAG = 99;
#pragma omp parallel
#pragma omp single
    {
#pragma omp task shared(request, empty)
        CHECK_MPI(TAMPI_Iwait(&request, &empty));
#pragma omp task depend(out : in) shared(status)
        {
            MPI_Request receive;
            CHECK_MPI(MPI_Irecv(&in, 1, MPI_INT, before, 600, MPI_COMM_WORLD, &receive));
            CHECK_MPI(TAMPI_Iwait(&receive, &status));
            CHECK(receive == MPI_REQUEST_NULL);
        }
#pragma omp task depend(in : in) shared(status)
        CHECK(in == 10 * before && status.MPI_SOURCE == before && status.MPI_TAG == 600);
#pragma omp task
        {
            const int out = 10 * rank;
            CHECK_MPI(MPI_Ssend(&out, 1, MPI_INT, next, 600, MPI_COMM_WORLD));
        }
    }
    CHECK_MPI(MPI_Get_count(&empty, MPI_INT, &count));
    CHECK(empty.MPI_SOURCE == MPI_ANY_SOURCE && empty.MPI_TAG == MPI_ANY_TAG && count == 0);
}

/* --- Errors ---------------------------------------------------------------------------------- */

static int class_of(int error) {
    int class = MPI_SUCCESS;
    CHECK_MPI(MPI_Error_class(error, &class));
    return class;
}

/* Calls that cannot begin return their error, and their task completes. A task whose operation
 * fails later completes, too, and its status has the error. */
static void errors(void) {
    MPI_Comm comm;
    int value = rank, in[3] = {-1, -1, -1}, completed = 0;
    MPI_Status status, found[3];
    CHECK_MPI(MPI_Comm_dup(MPI_COMM_WORLD, &comm));
    CHECK_MPI(MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN));
    /* MPICH raises here what the test of a request finds. */
    CHECK_MPI(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
#pragma omp parallel
#pragma omp single
    {
#pragma omp task depend(out : value)
        {
            CHECK(class_of(TAMPI_Irecv(in, 1, MPI_INT, size, 1, comm, &status)) == MPI_ERR_RANK);
            CHECK(class_of(TAMPI_Isend(&value, 1, MPI_INT, size, 1, comm)) == MPI_ERR_RANK);
            CHECK(class_of(TAMPI_Issend(&value, -1, MPI_INT, next, 1, comm)) == MPI_ERR_COUNT);
            CHECK(class_of(TAMPI_Irsend(&value, 1, MPI_INT, next, -5, comm)) == MPI_ERR_TAG);
#ifndef OPEN_MPI /* which sends all the same (4.1) */
            CHECK(class_of(TAMPI_Ibsend(&value, 1, MPI_INT, next, 1, comm)) == MPI_ERR_BUFFER);
#endif
            CHECK(class_of(TAMPI_Ibcast(&value, 1, MPI_INT, size, comm)) == MPI_ERR_ROOT);
            CHECK(class_of(TAMPI_Ibarrier(MPI_COMM_NULL)) == MPI_ERR_COMM);
        }
#pragma omp task depend(in : value) shared(completed)
        set(&completed);
    }
    CHECK(completed);
    /* Open MPI does not always report what a process truncates of its own messages. */
    if (next != rank)
#pragma omp parallel
#pragma omp single
    {
#pragma omp task depend(out : in[0]) shared(status)
        CHECK_MPI(TAMPI_Irecv(in, 1, MPI_INT, before, 2, comm, &status));
#pragma omp task depend(in : in[0]) shared(status)
        {
            CHECK(status.MPI_SOURCE == before && status.MPI_TAG == 2);
            CHECK(class_of(status.MPI_ERROR) == MPI_ERR_TRUNCATE);
        }
#pragma omp task depend(out : in[1]) shared(found)
        {
            MPI_Request requests[3] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL, MPI_REQUEST_NULL};
            CHECK_MPI(MPI_Irecv(&in[1], 1, MPI_INT, before, 3, comm, &requests[0]));
            CHECK_MPI(MPI_Irecv(&in[2], 1, MPI_INT, before, 4, comm, &requests[2]));
            CHECK_MPI(TAMPI_Iwaitall(3, requests, found));
        }
#pragma omp task depend(in : in[1]) shared(found)
        {
            CHECK(in[2] == before && found[2].MPI_TAG == 4);
            CHECK(class_of(found[0].MPI_ERROR) == MPI_ERR_TRUNCATE);
            CHECK(found[1].MPI_ERROR == MPI_SUCCESS && found[2].MPI_ERROR == MPI_SUCCESS);
        }
#pragma omp task
        {
            const int out[3] = {rank, 2, 3};
            for (int tag = 2; tag < 5; ++tag)
                CHECK_MPI(MPI_Send(out, tag == 4 ? 1 : 3, MPI_INT, next, tag, comm));
        }
    }
    CHECK_MPI(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL));
    CHECK_MPI(MPI_Comm_free(&comm));
}

int main(int argc, char **argv) {
    start_mpi(&argc, &argv);
    CHECK(size <= MOST_RANKS);
    next = (rank + 1) % size;
    before = (rank + size - 1) % size;
    for (int i = 0; i < COLLECTIVES; ++i)
        CHECK_MPI(MPI_Comm_dup(MPI_COMM_WORLD, &buffers[i].comm));
    CHECK_MPI(MPI_Type_contiguous(2, MPI_INT, &pair));
    CHECK_MPI(MPI_Type_commit(&pair));
    for (int left = 3 * repetitions(); left > 0; --left) {
        for (int i = 0; i < size; ++i) {
            in_tasks();
            in_one_task();
        }
        waited_for();
        messages();
        wildcards();
        lists(0);
        lists(7);
        lists(24);
        single_requests();
    }
    errors();
    /* Each request is tested alone from now on. */
    in_tasks();
    messages();
    wildcards();
    lists(24);
    CHECK_MPI(MPI_Type_free(&pair));
    for (int i = 0; i < COLLECTIVES; ++i)
        CHECK_MPI(MPI_Comm_free(&buffers[i].comm));
    return end_mpi();
}
