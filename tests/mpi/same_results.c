/* The layer replaces blocking calls by others. Each gives the bytes that the library's own blocking
 * call gives, with data that differ everywhere and arguments by chance. The library's call is made
 * first, by its name PMPI_. The checks run outside regions, in an implicit task and in an explicit
 * one. */
#include "check.h"

#include <string.h>

enum {
    MOST = 16 /* ranks */,
    UNITS = 12 /* of 2 integers, that one rank has for another */,
    LONG = 4 * MOST * UNITS
};

static int from[LONG], expected[LONG], got[LONG], before[LONG];
static MPI_Comm world, grid, graph;
static MPI_Datatype gapped; /* two integers with a gap between them, as long as three */
static MPI_Op composed;     /* not commutative */

/* Each rank draws the same numbers. */
static unsigned state = 1;
static int draw(int numbers) {
    state = state * 1103515245u + 12345u;
    return (int)(state >> 16) % numbers;
}

static void fill(void) {
    for (int i = 0; i < LONG; ++i) {
        from[i] = 1000000 * (rank + 1) + 1000 * draw(1000) + i;
        before[i] = -1000000 * (rank + 1) - i;
    }
}

static void compare(const char *call) {
    for (int i = 0; i < LONG; ++i)
        if (got[i] != expected[i]) {
            fprintf(stderr, "rank %d: %s gives %d for %d at %d\n", rank, call, got[i], expected[i],
                    i);
            MPI_Abort(MPI_COMM_WORLD, 1);
        }
}

/* The arguments name the buffer with the result `to`. */
#define SAME(CALL, ...)                                                                            \
    do {                                                                                           \
        int *to = memcpy(expected, before, sizeof before);                                         \
        CHECK_MPI(PMPI_##CALL(__VA_ARGS__));                                                       \
        to = memcpy(got, before, sizeof before);                                                   \
        CHECK_MPI(MPI_##CALL(__VA_ARGS__));                                                        \
        compare(#CALL);                                                                            \
    } while (0)

/* Lists for a call with `blocks` blocks: of integers, of elements, and of bytes for the _w forms.
 */
typedef struct {
    int counts[MOST], at[MOST], bytes[MOST];
    MPI_Aint far[MOST];
    MPI_Datatype types[MOST];
} Lists;

/* How much rank i has for rank j. */
static int amounts[MOST][MOST];
static void draw_amounts(void) {
    for (int i = 0; i < MOST; ++i)
        for (int j = 0; j < MOST; ++j)
            amounts[i][j] = draw(UNITS / 2);
}

/* Blocks in reverse order, with space between them. */
static void place(Lists *lists, int blocks) {
    const MPI_Datatype type = gapped;
    for (int i = 0, at = 0; i < blocks; ++i) {
        const int block = blocks - 1 - i;
        lists->at[block] = at;
        lists->far[block] = lists->bytes[block] = at * 3 * (int)sizeof(int);
        lists->types[block] = type;
        at += lists->counts[block] + i % 2;
    }
}

/* One side has blocks of a datatype of no bytes, the other one has no blocks. */
static void without_bytes(const int *at) {
    int none[MOST] = {0}, one[MOST];
    MPI_Datatype empty, empties[MOST], ints[MOST];
    CHECK_MPI(MPI_Type_contiguous(0, MPI_INT, &empty));
    CHECK_MPI(MPI_Type_commit(&empty));
    for (int i = 0; i < MOST; ++i)
        one[i] = 1, empties[i] = empty, ints[i] = MPI_INT;
    SAME(Alltoallv, from, one, at, empty, to, none, at, MPI_INT, world);
    SAME(Alltoallv, from, none, at, MPI_INT, to, one, at, empty, world);
    SAME(Alltoallw, from, one, at, empties, to, none, at, ints, world);
    SAME(Alltoallw, from, none, at, ints, to, one, at, empties, world);
    CHECK_MPI(MPI_Type_free(&empty));
}

static void all_to_all(void) {
    Lists out, in;
    const int root = draw(size), units = draw(UNITS / 2);
    const MPI_Op ops[] = {MPI_SUM, MPI_MAX, MPI_BXOR, MPI_PROD};
    const MPI_Op op = ops[draw(4)];
    for (int i = 0; i < size; ++i) {
        out.counts[i] = amounts[rank][i];
        in.counts[i] = amounts[i][rank];
    }
    place(&out, size);
    place(&in, size);
    SAME(Bcast, to, units, gapped, root, world);
    SAME(Gather, from, units, gapped, to, 2 * units, MPI_INT, root, world);
    SAME(Scatter, from, units, gapped, to, 2 * units, MPI_INT, root, world);
    SAME(Allgather, from, units, gapped, to, units, gapped, world);
    SAME(Alltoall, from, units, gapped, to, 2 * units, MPI_INT, world);
    SAME(Allgather, MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, to, units, gapped, world);
    SAME(Alltoall, MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, to, units, MPI_INT, world);
    SAME(Alltoallv, from, out.counts, out.at, gapped, to, in.counts, in.at, gapped, world);
    SAME(Alltoallw, from, out.counts, out.bytes, out.types, to, in.counts, in.bytes, in.types,
         world);
    SAME(Reduce, from, to, units, MPI_INT, op, root, world);
    SAME(Allreduce, from, to, units, MPI_INT, op, world);
    SAME(Allreduce, MPI_IN_PLACE, to, units, MPI_INT, op, world);
    SAME(Reduce_scatter_block, from, to, units, MPI_INT, op, world);
    SAME(Scan, from, to, units, MPI_INT, op, world);
    /* Rank 0 gets nothing of a defined value. */
    SAME(Exscan, from, rank == 0 ? got : to, units, MPI_INT, op, world);
    MPI_Datatype pair;
    CHECK_MPI(MPI_Type_contiguous(2, MPI_INT, &pair));
    CHECK_MPI(MPI_Type_commit(&pair));
    SAME(Reduce, from, to, units, pair, composed, root, world);
    SAME(Allreduce, from, to, units, pair, composed, world);
    SAME(Scan, from, to, units, pair, composed, world);
    for (int i = 0; i < size; ++i)
        in.counts[i] = amounts[0][i];
    place(&in, size);
    SAME(Reduce_scatter, from, to, in.counts, MPI_INT, op, world);
    SAME(Reduce_scatter, from, to, in.counts, pair, composed, world);
    SAME(Gatherv, from, in.counts[rank], gapped, to, in.counts, in.at, gapped, root, world);
    SAME(Scatterv, from, in.counts, in.at, gapped, to, in.counts[rank], gapped, root, world);
    SAME(Allgatherv, from, in.counts[rank], gapped, to, in.counts, in.at, gapped, world);
    CHECK_MPI(MPI_Type_free(&pair));
    without_bytes(out.counts);
}

/* Long sums have another algorithm than short ones. All numbers are exact. */
static void long_sums(void) {
    enum { MANY = 20011 };
    static double in[MANY], right[MANY], sum[MANY];
    const int count = MANY - draw(size + 1);
    for (int i = 0; i < MANY; ++i)
        in[i] = (rank + 1) * (i % 1000) - i;
    CHECK_MPI(PMPI_Allreduce(in, right, count, MPI_DOUBLE, MPI_SUM, world));
    CHECK_MPI(MPI_Allreduce(in, sum, count, MPI_DOUBLE, MPI_SUM, world));
    CHECK(memcmp(sum, right, sizeof sum) == 0);
    memcpy(sum, in, (size_t)count * sizeof in[0]);
    CHECK_MPI(MPI_Allreduce(MPI_IN_PLACE, sum, count, MPI_DOUBLE, MPI_SUM, world));
    CHECK(memcmp(sum, right, sizeof sum) == 0);
    memset(right, 0, sizeof right);
    memset(sum, 0, sizeof sum);
}

/* `units` come from and go to each of `blocks` neighbours. Lists for the blocks have them in one
 * order on both sides. */
static void neighbours(MPI_Comm comm, int blocks) {
    Lists out, in;
    const int units = draw(UNITS / 2);
    for (int i = 0; i < blocks; ++i)
        out.counts[i] = in.counts[i] = units;
    place(&out, blocks);
    place(&in, blocks);
    SAME(Neighbor_allgather, from, units, gapped, to, 2 * units, MPI_INT, comm);
    SAME(Neighbor_allgatherv, from, units, gapped, to, in.counts, in.at, gapped, comm);
    SAME(Neighbor_alltoall, from, units, gapped, to, 2 * units, MPI_INT, comm);
    SAME(Neighbor_alltoall, from, 3 * units, MPI_INT, to, 3 * units, MPI_INT, comm);
    SAME(Neighbor_alltoallv, from, out.counts, out.at, gapped, to, in.counts, in.at, gapped, comm);
    SAME(Neighbor_alltoallw, from, out.counts, out.far, out.types, to, in.counts, in.far, in.types,
         comm);
}

/* A grid of `dimensions`, with 1, 2 or more ranks in each, and what comes from one direction has
 * another length than what comes from the other. */
static void in_grid(int dimensions) {
    int sizes[3] = {0, 0, 0}, periodic[3];
    sizes[draw(dimensions)] = 1;
    if (dimensions == 1)
        sizes[0] = 0;
    for (int i = 0; i < dimensions; ++i)
        periodic[i] = draw(3) > 0;
    CHECK_MPI(MPI_Dims_create(size, dimensions, sizes));
    CHECK_MPI(MPI_Cart_create(world, dimensions, sizes, periodic, 0, &grid));
    neighbours(grid, 2 * dimensions);
    Lists out, in;
    for (int i = 0; i < dimensions; ++i) {
        out.counts[2 * i] = in.counts[2 * i + 1] = draw(UNITS / 2);
        out.counts[2 * i + 1] = in.counts[2 * i] = draw(UNITS / 2);
    }
    place(&out, 2 * dimensions);
    place(&in, 2 * dimensions);
    SAME(Neighbor_alltoallv, from, out.counts, out.at, gapped, to, in.counts, in.at, gapped, grid);
    SAME(Neighbor_alltoallw, from, out.counts, out.far, out.types, to, in.counts, in.far, in.types,
         grid);
    CHECK_MPI(MPI_Comm_free(&grid));
}

/* A graph with several edges between two ranks, and from a rank to itself. */
static void in_graph(void) {
    enum { EDGES = 5 };
    int targets[EDGES], sources[EDGES];
    for (int i = 0; i < EDGES; ++i) {
        const int distance = draw(size);
        targets[i] = (rank + distance) % size;
        sources[i] = (rank + size - distance) % size;
    }
    const int weights[EDGES] = {1, 1, 1, 1, 1};
    CHECK_MPI(MPI_Dist_graph_create_adjacent(world, EDGES, sources, weights, EDGES, targets,
                                             weights, MPI_INFO_NULL, 0, &graph));
    neighbours(graph, EDGES);
    CHECK_MPI(MPI_Comm_free(&graph));
    int nodes[MOST], edges[2 * MOST]; /* a ring; both edges go to one rank if there are two */
    for (int i = 0; i < size; ++i) {
        nodes[i] = 2 * (i + 1);
        edges[2 * i] = (i + size - 1) % size;
        edges[2 * i + 1] = (i + 1) % size;
    }
    CHECK_MPI(MPI_Graph_create(world, size, nodes, edges, 0, &graph));
    neighbours(graph, 2);
    CHECK_MPI(MPI_Comm_free(&graph));
}

static void exchanges(void) {
    const int shift = draw(size), units = draw(UNITS);
    const int target = draw(4) ? (rank + shift) % size : MPI_PROC_NULL;
    const int source = target == MPI_PROC_NULL ? MPI_PROC_NULL : (rank + size - shift) % size;
    SAME(Sendrecv, from, units, gapped, target, 3, to, 2 * units, MPI_INT, source, 3, world,
         MPI_STATUS_IGNORE);
    SAME(Sendrecv_replace, to, units, gapped, target, 4, source, 4, world, MPI_STATUS_IGNORE);
    /* Addresses count from the beginning of the address space. */
    MPI_Aint address;
    MPI_Datatype absolute[2];
    for (int i = 0; i < 2; ++i) {
        CHECK_MPI(MPI_Get_address(i ? got : expected, &address));
        CHECK_MPI(MPI_Type_create_hindexed(1, &units, &address, gapped, &absolute[i]));
        CHECK_MPI(MPI_Type_commit(&absolute[i]));
    }
    SAME(Sendrecv_replace, MPI_BOTTOM, 1, absolute[to == got], target, 5, source, 5, world,
         MPI_STATUS_IGNORE);
    for (int i = 0; i < 2; ++i)
        CHECK_MPI(MPI_Type_free(&absolute[i]));
}

/* Types of one representation are summed alike: the values show the order of the sums. */
static void equal_types(void) {
    enum { LENGTH = 10000 };
    static double own[LENGTH], sums[2][LENGTH];
    const MPI_Datatype types[] = {MPI_DOUBLE_PRECISION, MPI_REAL8};
    for (int i = 0; i < LENGTH; ++i)
        own[i] = rank == 0 ? 1e16 : 1;
    CHECK_MPI(MPI_Allreduce(own, sums[0], LENGTH, MPI_DOUBLE, MPI_SUM, world));
    for (int type = 0; type < 2; ++type) {
        int bytes = 0;
        if (types[type] != MPI_DATATYPE_NULL)
            CHECK_MPI(MPI_Type_size(types[type], &bytes));
        if (bytes != sizeof(double))
            continue;
        CHECK_MPI(MPI_Allreduce(own, sums[1], LENGTH, types[type], MPI_SUM, world));
        CHECK(memcmp(sums[0], sums[1], sizeof *sums) == 0);
    }
}

static void everything(void) {
    for (int round = 0; round < 5; ++round) {
        fill();
        draw_amounts();
        all_to_all();
        long_sums();
        equal_types();
        exchanges();
        in_graph();
        for (int dimensions = 1; dimensions <= 3; ++dimensions)
            in_grid(dimensions);
    }
}

int main(int argc, char **argv) {
    start_mpi(&argc, &argv);
    CHECK(size <= MOST);
    CHECK_MPI(MPI_Comm_dup(MPI_COMM_WORLD, &world));
    MPI_Datatype vector;
    CHECK_MPI(MPI_Type_vector(2, 1, 2, MPI_INT, &vector));
    CHECK_MPI(MPI_Type_commit(&vector));
    gapped = vector;
    CHECK_MPI(MPI_Op_create(compose, 0, &composed));
    for (int left = repetitions(); left > 0; --left) {
        everything();
#pragma omp parallel
        {
#pragma omp masked
            everything();
        }
#pragma omp parallel
#pragma omp single
#pragma omp task
        everything();
    }
    CHECK_MPI(MPI_Op_free(&composed));
    CHECK_MPI(MPI_Type_free(&gapped));
    CHECK_MPI(MPI_Comm_free(&world));
    return end_mpi();
}
