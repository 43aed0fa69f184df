/* Each persistent collective, and other calls of MPI 4 for which nothing waits, between two ranks:
 * with the recorder or the layer, they do what they do without. Files: accesses by all ranks. */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

#define CHECK(condition)                                                                           \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            fprintf(stderr, "%s:%d: rank %d: %s\n", __FILE__, __LINE__, rank, #condition);         \
            MPI_Abort(MPI_COMM_WORLD, 1);                                                          \
        }                                                                                          \
    } while (0)

static int rank;
static MPI_Request request;
static int out[2];

/* Returns what the collective that was just made left in out. */
static void complete(int code) {
    CHECK(code == MPI_SUCCESS);
    CHECK(MPI_Wait(&request, MPI_STATUS_IGNORE) == MPI_SUCCESS);
}
static void expect(int first, int second) {
    CHECK(out[0] == first && out[1] == second);
    out[0] = out[1] = -1;
}

/* The data that all ranks wrote is there for all reads that follow, and none is overwritten before
 * it is read.
 */
static void order(MPI_File file) {
    MPI_File_sync(file);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_File_sync(file);
}

static void files(int count, MPI_Offset own, MPI_Offset others) {
    int mine = 10 * rank + 1, theirs = 10 * (1 - rank) + 1;
    MPI_File file;
    CHECK(MPI_File_open(MPI_COMM_WORLD, "of_all", MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL,
                        &file) == MPI_SUCCESS);
    complete(MPI_File_iwrite_at_all(file, own, &mine, count, MPI_INT, &request));
    complete(MPI_File_iread_at_all(file, own, out, count, MPI_INT, &request));
    expect(mine, -1);
    order(file);
    MPI_File_seek(file, others, MPI_SEEK_SET);
    complete(MPI_File_iwrite_all(file, &mine, count, MPI_INT, &request));
    MPI_File_seek(file, own, MPI_SEEK_SET);
    order(file);
    complete(MPI_File_iread_all(file, out, count, MPI_INT, &request));
    expect(theirs, -1);
    order(file);
#if MPI_VERSION >= 4
    complete(MPI_File_iwrite_at_all_c(file, own, &mine, count, MPI_INT, &request));
    complete(MPI_File_iread_at_all_c(file, own, out, count, MPI_INT, &request));
    expect(mine, -1);
    MPI_File_seek(file, own, MPI_SEEK_SET);
    complete(MPI_File_iwrite_all_c(file, &mine, count, MPI_INT, &request));
    MPI_File_seek(file, own, MPI_SEEK_SET);
    complete(MPI_File_iread_all_c(file, out, count, MPI_INT, &request));
    expect(mine, -1);
#endif
    MPI_File_close(&file);
}

#if MPI_VERSION >= 4
static void run(int code) {
    CHECK(code == MPI_SUCCESS);
    CHECK(MPI_Start(&request) == MPI_SUCCESS);
    complete(MPI_SUCCESS);
    MPI_Request_free(&request);
}

static MPI_Comm comm = MPI_COMM_WORLD;
static const MPI_Info none = MPI_INFO_NULL;
static const MPI_Datatype kInt = MPI_INT;
static const MPI_Datatype types[2] = {MPI_INT, MPI_INT};
static const int ones[2] = {1, 1}, places[2] = {0, 1}, bytes[2] = {0, sizeof(int)};
static const MPI_Count ones_c[2] = {1, 1};
static const MPI_Aint places_c[2] = {0, 1}, bytes_c[2] = {0, sizeof(int)};
static int mine[2];

static void collectives(void) {
    const int at_root = rank == 0;
    run(MPI_Barrier_init(comm, none, &request));
    for (int large = 0; large < 2; ++large) {
        if (large)
            run(MPI_Allgather_init_c(mine, 1, kInt, out, 1, kInt, comm, none, &request));
        else
            run(MPI_Allgather_init(mine, 1, kInt, out, 1, kInt, comm, none, &request));
        expect(1, 11);
        if (large)
            run(MPI_Allgatherv_init_c(mine, 1, kInt, out, ones_c, places_c, kInt, comm, none,
                                      &request));
        else
            run(MPI_Allgatherv_init(mine, 1, kInt, out, ones, places, kInt, comm, none, &request));
        expect(1, 11);
        if (large)
            run(MPI_Alltoall_init_c(mine, 1, kInt, out, 1, kInt, comm, none, &request));
        else
            run(MPI_Alltoall_init(mine, 1, kInt, out, 1, kInt, comm, none, &request));
        expect(rank + 1, rank + 11);
        if (large)
            run(MPI_Alltoallv_init_c(mine, ones_c, places_c, kInt, out, ones_c, places_c, kInt,
                                     comm, none, &request));
        else
            run(MPI_Alltoallv_init(mine, ones, places, kInt, out, ones, places, kInt, comm, none,
                                   &request));
        expect(rank + 1, rank + 11);
        if (large)
            run(MPI_Alltoallw_init_c(mine, ones_c, bytes_c, types, out, ones_c, bytes_c, types,
                                     comm, none, &request));
        else
            run(MPI_Alltoallw_init(mine, ones, bytes, types, out, ones, bytes, types, comm, none,
                                   &request));
        expect(rank + 1, rank + 11);
        out[0] = at_root ? 7 : -1;
        if (large)
            run(MPI_Bcast_init_c(out, 1, kInt, 0, comm, none, &request));
        else
            run(MPI_Bcast_init(out, 1, kInt, 0, comm, none, &request));
        expect(7, -1);
        if (large)
            run(MPI_Gather_init_c(mine, 1, kInt, out, 1, kInt, 0, comm, none, &request));
        else
            run(MPI_Gather_init(mine, 1, kInt, out, 1, kInt, 0, comm, none, &request));
        expect(at_root ? 1 : -1, at_root ? 11 : -1);
        if (large)
            run(MPI_Gatherv_init_c(mine, 1, kInt, out, ones_c, places_c, kInt, 0, comm, none,
                                   &request));
        else
            run(MPI_Gatherv_init(mine, 1, kInt, out, ones, places, kInt, 0, comm, none, &request));
        expect(at_root ? 1 : -1, at_root ? 11 : -1);
        if (large)
            run(MPI_Scatter_init_c(mine, 1, kInt, out, 1, kInt, 0, comm, none, &request));
        else
            run(MPI_Scatter_init(mine, 1, kInt, out, 1, kInt, 0, comm, none, &request));
        expect(1 + rank, -1);
        if (large)
            run(MPI_Scatterv_init_c(mine, ones_c, places_c, kInt, out, 1, kInt, 0, comm, none,
                                    &request));
        else
            run(MPI_Scatterv_init(mine, ones, places, kInt, out, 1, kInt, 0, comm, none, &request));
        expect(1 + rank, -1);
    }
}

static void reductions(void) {
    for (int large = 0; large < 2; ++large) {
        if (large)
            run(MPI_Reduce_init_c(mine, out, 1, kInt, MPI_SUM, 0, comm, none, &request));
        else
            run(MPI_Reduce_init(mine, out, 1, kInt, MPI_SUM, 0, comm, none, &request));
        expect(rank == 0 ? 12 : -1, -1);
        if (large)
            run(MPI_Allreduce_init_c(mine, out, 2, kInt, MPI_SUM, comm, none, &request));
        else
            run(MPI_Allreduce_init(mine, out, 2, kInt, MPI_SUM, comm, none, &request));
        expect(12, 14);
        if (large)
            run(MPI_Reduce_scatter_init_c(mine, out, ones_c, kInt, MPI_SUM, comm, none, &request));
        else
            run(MPI_Reduce_scatter_init(mine, out, ones, kInt, MPI_SUM, comm, none, &request));
        expect(12 + 2 * rank, -1);
        if (large)
            run(MPI_Reduce_scatter_block_init_c(mine, out, 1, kInt, MPI_SUM, comm, none, &request));
        else
            run(MPI_Reduce_scatter_block_init(mine, out, 1, kInt, MPI_SUM, comm, none, &request));
        expect(12 + 2 * rank, -1);
        if (large)
            run(MPI_Scan_init_c(mine, out, 1, kInt, MPI_SUM, comm, none, &request));
        else
            run(MPI_Scan_init(mine, out, 1, kInt, MPI_SUM, comm, none, &request));
        expect(rank == 0 ? 1 : 12, -1);
        out[0] = 1; // not written on rank 0
        if (large)
            run(MPI_Exscan_init_c(mine, out, 1, kInt, MPI_SUM, comm, none, &request));
        else
            run(MPI_Exscan_init(mine, out, 1, kInt, MPI_SUM, comm, none, &request));
        expect(1, -1);
    }
}

/* Rank 0's right neighbour is rank 1, whose left one is rank 0. */
static void neighbours(void) {
    const int two = 2, line = 0;
    const int left = rank == 0 ? -1 : 1, right = rank == 0 ? 11 : -1;
    const int from_left = rank == 0 ? -1 : 2;
    MPI_Comm row;
    MPI_Cart_create(comm, 1, &two, &line, 0, &row);
    for (int large = 0; large < 2; ++large) {
        if (large)
            run(MPI_Neighbor_allgather_init_c(mine, 1, kInt, out, 1, kInt, row, none, &request));
        else
            run(MPI_Neighbor_allgather_init(mine, 1, kInt, out, 1, kInt, row, none, &request));
        expect(left, right);
        if (large)
            run(MPI_Neighbor_allgatherv_init_c(mine, 1, kInt, out, ones_c, places_c, kInt, row,
                                               none, &request));
        else
            run(MPI_Neighbor_allgatherv_init(mine, 1, kInt, out, ones, places, kInt, row, none,
                                             &request));
        expect(left, right);
        if (large)
            run(MPI_Neighbor_alltoall_init_c(mine, 1, kInt, out, 1, kInt, row, none, &request));
        else
            run(MPI_Neighbor_alltoall_init(mine, 1, kInt, out, 1, kInt, row, none, &request));
        expect(from_left, right);
        if (large)
            run(MPI_Neighbor_alltoallv_init_c(mine, ones_c, places_c, kInt, out, ones_c, places_c,
                                              kInt, row, none, &request));
        else
            run(MPI_Neighbor_alltoallv_init(mine, ones, places, kInt, out, ones, places, kInt, row,
                                            none, &request));
        expect(from_left, right);
        if (large)
            run(MPI_Neighbor_alltoallw_init_c(mine, ones_c, bytes_c, types, out, ones_c, bytes_c,
                                              types, row, none, &request));
        else
            run(MPI_Neighbor_alltoallw_init(mine, ones, bytes_c, types, out, ones, bytes_c, types,
                                            row, none, &request));
        expect(from_left, right);
    }
    MPI_Comm_free(&row);
}

static void exchanges(void) {
    const int other = 1 - rank;
    complete(MPI_Isendrecv_c(mine, 1, kInt, other, 1, out, 1, kInt, other, 1, comm, &request));
    expect(10 * other + 1, -1);
    out[0] = mine[1];
    complete(MPI_Isendrecv_replace(out, 1, kInt, other, 2, other, 2, comm, &request));
    expect(10 * other + 2, -1);
    out[0] = mine[1];
    complete(MPI_Isendrecv_replace_c(out, 1, kInt, other, 3, other, 3, comm, &request));
    expect(10 * other + 2, -1);
    MPI_Comm copy;
    complete(MPI_Comm_idup_with_info(comm, none, &copy, &request));
    MPI_Comm_free(&copy);
}
#endif

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    memset(out, -1, sizeof out);
    files(1, (MPI_Offset)sizeof(int) * rank, (MPI_Offset)sizeof(int) * (1 - rank));
#if MPI_VERSION >= 4
    mine[0] = 10 * rank + 1;
    mine[1] = 10 * rank + 2;
    collectives();
    reductions();
    neighbours();
    exchanges();
#endif
    MPI_Finalize();
    return 0;
}
