/* Nonblocking collectives, and those with large counts (MPI 4): each rank gets its data. Tasks
 * start the nonblocking ones, and other tasks wait for them; the same happens outside tasks. A task
 * that a blocking one holds up leaves its thread to others. */
#include "check.h"

enum {
    MOST = 16, /* ranks */
    BLOCK = 2, /* integers that one rank has for another */
    ROOT = 0
};

static MPI_Comm world, graph; /* graph: a rank sends to the next two */
static int round_number, all; /* all: integers of all blocks */

typedef struct {
    int from[MOST * BLOCK], to[MOST * BLOCK];
} Data;

/* Integer i of the data that a rank sends. */
static int value(int sender, int i) { return 10000 * round_number + 100 * sender + i; }
/* The sum of integers i of the ranks before `end`. */
static int sum(int end, int i) {
    return end * (10000 * round_number + i) + 100 * (end * (end - 1) / 2);
}
static int before(int distance) { return (rank + 2 * size - distance) % size; }
static int if_root(int length) { return rank == ROOT ? length : 0; }
static int block_of(int i) { return i / BLOCK; }
static int in_block(int i) { return i % BLOCK; }
/* The offsets put the blocks in reverse order. */
static int reversed(int block) { return size - 1 - block; }
static int own(int i) { return BLOCK * rank + in_block(i); }
static int own_reversed(int i) { return BLOCK * reversed(rank) + in_block(i); }

/* Arguments of the calls: counts, offsets in integers and in bytes, offsets of two neighbours. */
static int int_counts[MOST], int_offsets[MOST], int_bytes[MOST], int_two[2] = {BLOCK, 0};
static const MPI_Aint two_bytes[2] = {BLOCK * sizeof(int), 0};
static MPI_Datatype types[MOST];
#if MPI_VERSION >= 4
static MPI_Count large_counts[MOST];
static MPI_Aint large_offsets[MOST], large_bytes[MOST], large_two[2] = {BLOCK, 0};
#endif

/* X(its nonblocking form, this one with large counts, the blocking one with large counts, the
 *   communicator, how many integers come, integer i of these, arguments without communicator) */
#define COLLECTIVES(X)                                                                             \
    X(MPI_Ibcast, MPI_Ibcast_c, MPI_Bcast_c, world, BLOCK - if_root(BLOCK), value(ROOT, i),        \
      (rank == ROOT ? d->from : d->to, BLOCK, MPI_INT, ROOT))                                      \
    X(MPI_Igather, MPI_Igather_c, MPI_Gather_c, world, if_root(all),                               \
      value(block_of(i), in_block(i)), (d->from, BLOCK, MPI_INT, d->to, BLOCK, MPI_INT, ROOT))     \
    X(MPI_Igatherv, MPI_Igatherv_c, MPI_Gatherv_c, world, if_root(all),                            \
      value(reversed(block_of(i)), in_block(i)),                                                   \
      (d->from, BLOCK, MPI_INT, d->to, counts, offsets, MPI_INT, ROOT))                            \
    X(MPI_Iscatter, MPI_Iscatter_c, MPI_Scatter_c, world, BLOCK, value(ROOT, own(i)),              \
      (d->from, BLOCK, MPI_INT, d->to, BLOCK, MPI_INT, ROOT))                                      \
    X(MPI_Iscatterv, MPI_Iscatterv_c, MPI_Scatterv_c, world, BLOCK, value(ROOT, own_reversed(i)),  \
      (d->from, counts, offsets, MPI_INT, d->to, BLOCK, MPI_INT, ROOT))                            \
    X(MPI_Iallgather, MPI_Iallgather_c, MPI_Allgather_c, world, all,                               \
      value(block_of(i), in_block(i)), (d->from, BLOCK, MPI_INT, d->to, BLOCK, MPI_INT))           \
    X(MPI_Iallgatherv, MPI_Iallgatherv_c, MPI_Allgatherv_c, world, all,                            \
      value(reversed(block_of(i)), in_block(i)),                                                   \
      (d->from, BLOCK, MPI_INT, d->to, counts, offsets, MPI_INT))                                  \
    X(MPI_Ialltoall, MPI_Ialltoall_c, MPI_Alltoall_c, world, all, value(block_of(i), own(i)),      \
      (d->from, BLOCK, MPI_INT, d->to, BLOCK, MPI_INT))                                            \
    X(MPI_Ialltoallv, MPI_Ialltoallv_c, MPI_Alltoallv_c, world, all,                               \
      value(reversed(block_of(i)), own_reversed(i)),                                               \
      (d->from, counts, offsets, MPI_INT, d->to, counts, offsets, MPI_INT))                        \
    X(MPI_Ialltoallw, MPI_Ialltoallw_c, MPI_Alltoallw_c, world, all,                               \
      value(reversed(block_of(i)), own_reversed(i)),                                               \
      (d->from, counts, bytes, types, d->to, counts, bytes, types))                                \
    X(MPI_Ireduce, MPI_Ireduce_c, MPI_Reduce_c, world, if_root(BLOCK), sum(size, i),               \
      (d->from, d->to, BLOCK, MPI_INT, MPI_SUM, ROOT))                                             \
    X(MPI_Iallreduce, MPI_Iallreduce_c, MPI_Allreduce_c, world, BLOCK, sum(size, i),               \
      (d->from, d->to, BLOCK, MPI_INT, MPI_SUM))                                                   \
    X(MPI_Ireduce_scatter, MPI_Ireduce_scatter_c, MPI_Reduce_scatter_c, world, BLOCK,              \
      sum(size, own(i)), (d->from, d->to, counts, MPI_INT, MPI_SUM))                               \
    X(MPI_Ireduce_scatter_block, MPI_Ireduce_scatter_block_c, MPI_Reduce_scatter_block_c, world,   \
      BLOCK, sum(size, own(i)), (d->from, d->to, BLOCK, MPI_INT, MPI_SUM))                         \
    X(MPI_Iscan, MPI_Iscan_c, MPI_Scan_c, world, BLOCK, sum(rank + 1, i),                          \
      (d->from, d->to, BLOCK, MPI_INT, MPI_SUM))                                                   \
    X(MPI_Iexscan, MPI_Iexscan_c, MPI_Exscan_c, world, rank > 0 ? BLOCK : 0, sum(rank, i),         \
      (d->from, d->to, BLOCK, MPI_INT, MPI_SUM))                                                   \
    X(MPI_Ineighbor_allgather, MPI_Ineighbor_allgather_c, MPI_Neighbor_allgather_c, graph,         \
      2 * BLOCK, value(before(1 + block_of(i)), in_block(i)),                                      \
      (d->from, BLOCK, MPI_INT, d->to, BLOCK, MPI_INT))                                            \
    X(MPI_Ineighbor_allgatherv, MPI_Ineighbor_allgatherv_c, MPI_Neighbor_allgatherv_c, graph,      \
      2 * BLOCK, value(before(2 - block_of(i)), in_block(i)),                                      \
      (d->from, BLOCK, MPI_INT, d->to, counts, two, MPI_INT))                                      \
    X(MPI_Ineighbor_alltoall, MPI_Ineighbor_alltoall_c, MPI_Neighbor_alltoall_c, graph, 2 * BLOCK, \
      value(before(1 + block_of(i)), i), (d->from, BLOCK, MPI_INT, d->to, BLOCK, MPI_INT))         \
    X(MPI_Ineighbor_alltoallv, MPI_Ineighbor_alltoallv_c, MPI_Neighbor_alltoallv_c, graph,         \
      2 * BLOCK, value(before(2 - block_of(i)), i),                                                \
      (d->from, counts, two, MPI_INT, d->to, counts, two, MPI_INT))                                \
    X(MPI_Ineighbor_alltoallw, MPI_Ineighbor_alltoallw_c, MPI_Neighbor_alltoallw_c, graph,         \
      2 * BLOCK, value(before(2 - block_of(i)), i),                                                \
      (d->from, counts, two_bytes, types, d->to, counts, two_bytes, types))

#define WITH_COMM(...) __VA_ARGS__, comm

#define INTEGERS                                                                                   \
    const int *const counts = int_counts, *const offsets = int_offsets, *const bytes = int_bytes,  \
                     *const two = int_two;                                                         \
    (void)counts, (void)offsets, (void)bytes, (void)two
#define LARGE_INTEGERS                                                                             \
    const MPI_Count *const counts = large_counts;                                                  \
    const MPI_Aint *const offsets = large_offsets, *const bytes = large_bytes,                     \
                          *const two = large_two;                                                  \
    (void)counts, (void)offsets, (void)bytes, (void)two

#define FUNCTIONS(FORM, LARGE, BLOCKING, COMM, LENGTH, VALUE, ARGUMENTS)                           \
    static void check_##FORM(const Data *d) {                                                      \
        const int length = LENGTH;                                                                 \
        for (int i = 0; i < MOST * BLOCK; ++i)                                                     \
            CHECK(d->to[i] == (i < length ? VALUE : -1));                                          \
    }                                                                                              \
    static void start_##FORM(Data *d, MPI_Comm comm, MPI_Request *request) {                       \
        INTEGERS;                                                                                  \
        CHECK_MPI(FORM(WITH_COMM ARGUMENTS, request));                                             \
    }
COLLECTIVES(FUNCTIONS)

#if MPI_VERSION >= 4
#define LARGE_FUNCTIONS(FORM, LARGE, BLOCKING, COMM, LENGTH, VALUE, ARGUMENTS)                     \
    static void start_##LARGE(Data *d, MPI_Comm comm, MPI_Request *request) {                      \
        LARGE_INTEGERS;                                                                            \
        CHECK_MPI(LARGE(WITH_COMM ARGUMENTS, request));                                            \
    }                                                                                              \
    static void call_##BLOCKING(Data *d, MPI_Comm comm) {                                          \
        LARGE_INTEGERS;                                                                            \
        CHECK_MPI(BLOCKING(WITH_COMM ARGUMENTS));                                                  \
    }
COLLECTIVES(LARGE_FUNCTIONS)
#define AND_LARGE(LARGE, BLOCKING) , start_##LARGE, call_##BLOCKING
#else
#define AND_LARGE(LARGE, BLOCKING)
#endif

#define ENTRY(FORM, LARGE, BLOCKING, COMM, LENGTH, VALUE, ARGUMENTS)                               \
    {&COMM, check_##FORM, start_##FORM AND_LARGE(LARGE, BLOCKING)},
typedef void Start(Data *, MPI_Comm, MPI_Request *);
static const struct {
    MPI_Comm *comm;
    void (*check)(const Data *);
    Start *start;
#if MPI_VERSION >= 4
    Start *start_large;
    void (*call_large)(Data *, MPI_Comm);
#endif
} collectives[] = {COLLECTIVES(ENTRY)};
enum { MOST_COLLECTIVES = sizeof collectives / sizeof *collectives, NEIGHBOURS = 5 };
/* One rank leaves neighbours out: it has two edges to itself, which MPICH 4.0 mixes up. */
static int count;

static Data data[MOST_COLLECTIVES];

static void new_data(void) {
    ++round_number;
    for (int c = 0; c < count; ++c)
        for (int i = 0; i < MOST * BLOCK; ++i) {
            data[c].from[i] = value(rank, i);
            data[c].to[i] = -1;
        }
}

static Start *start_of(int c, int large) {
#if MPI_VERSION >= 4
    if (large)
        return collectives[c].start_large;
#endif
    (void)large;
    return collectives[c].start;
}

static void wait_or_test(MPI_Request *request, int test) {
    int done = 0;
    while (test && !done) {
        CHECK_MPI(MPI_Test(request, &done, MPI_STATUS_IGNORE));
#pragma omp taskyield
    }
    CHECK_MPI(MPI_Wait(request, MPI_STATUS_IGNORE));
    CHECK(*request == MPI_REQUEST_NULL);
}

/* The odd ranks come when a later task of the even ones tells them to. */
static void be_late(void) {
    if (rank % 2 != 0)
        CHECK_MPI(MPI_Recv(0, 0, MPI_INT, rank ^ 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
}
static void call_late_ones(void) {
    if (rank % 2 == 0 && rank + 1 < size)
        CHECK_MPI(MPI_Send(0, 0, MPI_INT, rank ^ 1, 1, MPI_COMM_WORLD));
}

static void in_tasks(int large) {
    MPI_Request requests[MOST_COLLECTIVES];
    static int order; /* dependences only */
    new_data();
#pragma omp parallel
#pragma omp single
    {
#pragma omp task depend(inout : order)
        be_late();
        for (int c = 0; c < count; ++c) {
#pragma omp task depend(inout : order) depend(out : requests[c]) firstprivate(c)
            start_of(c, large)(&data[c], *collectives[c].comm, &requests[c]);
#pragma omp task depend(inout : requests[c]) firstprivate(c)
            {
                wait_or_test(&requests[c], c % 2);
                collectives[c].check(&data[c]);
            }
        }
#pragma omp task
        call_late_ones();
    }
}

static void outside_tasks(int large) {
    MPI_Request requests[MOST_COLLECTIVES];
    new_data();
    for (int c = 0; c < count; ++c)
        start_of(c, large)(&data[c], *collectives[c].comm, &requests[c]);
    CHECK_MPI(MPI_Waitall(count, requests, MPI_STATUSES_IGNORE));
    for (int c = 0; c < count; ++c)
        collectives[c].check(&data[c]);
}

#if MPI_VERSION >= 4
static void held_up(void) {
    new_data();
    for (int c = 0; c < count; ++c) {
#pragma omp parallel
#pragma omp single
        {
#pragma omp task firstprivate(c)
            {
                be_late();
                collectives[c].call_large(&data[c], *collectives[c].comm);
                collectives[c].check(&data[c]);
            }
#pragma omp task
            call_late_ones();
        }
    }
}
#endif

int main(int argc, char **argv) {
    start_mpi(&argc, &argv);
    CHECK(size <= MOST);
    all = size * BLOCK;
    count = MOST_COLLECTIVES - (size == 1 ? NEIGHBOURS : 0);
    for (int i = 0; i < MOST; ++i) {
        types[i] = MPI_INT;
        int_counts[i] = BLOCK;
        int_offsets[i] = i < size ? BLOCK * reversed(i) : 0;
        int_bytes[i] = int_offsets[i] * (int)sizeof(int);
#if MPI_VERSION >= 4
        large_counts[i] = int_counts[i];
        large_offsets[i] = int_offsets[i];
        large_bytes[i] = int_bytes[i];
#endif
    }
    const int sources[2] = {before(1), before(2)},
              targets[2] = {(rank + 1) % size, (rank + 2) % size};
    CHECK_MPI(MPI_Comm_dup(MPI_COMM_WORLD, &world));
    CHECK_MPI(MPI_Dist_graph_create_adjacent(world, 2, sources, MPI_UNWEIGHTED, 2, targets,
                                             MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &graph));
    for (int left = repetitions(); left > 0; --left) {
        in_tasks(0);
        outside_tasks(0);
#if MPI_VERSION >= 4
        in_tasks(1);
        outside_tasks(1);
        held_up();
#endif
    }
    CHECK_MPI(MPI_Comm_free(&graph));
    CHECK_MPI(MPI_Comm_free(&world));
    return end_mpi();
}
