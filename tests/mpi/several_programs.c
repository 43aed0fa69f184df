/* A job of several programs. Built with OpenMP, a program calls the collectives in tasks. With the
 * argument `plain` it calls them outside tasks, and does not use the layer; the last rank is such a
 * one. The program is also built without OpenMP. usage: several_programs [plain]
 */
#include "check.h"

static int plain;
static MPI_Comm half, ring;

static void some(MPI_Comm comm, int seed) {
    int own = 0, count = 0;
    CHECK_MPI(MPI_Comm_rank(comm, &own));
    CHECK_MPI(MPI_Comm_size(comm, &count));
    int sum = own + seed, all[8], got[8], root = own == count - 1 ? seed : -1;
    CHECK_MPI(MPI_Barrier(comm));
    CHECK_MPI(MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_INT, MPI_SUM, comm));
    CHECK(sum == count * (count - 1) / 2 + count * seed);
    CHECK_MPI(MPI_Bcast(&root, 1, MPI_INT, count - 1, comm));
    CHECK(root == seed);
    CHECK_MPI(MPI_Allgather(&own, 1, MPI_INT, all, 1, MPI_INT, comm));
    for (int i = 0; i < count; ++i)
        CHECK(all[i] == i);
    for (int i = 0; i < count; ++i)
        all[i] = 100 * own + i;
    CHECK_MPI(MPI_Alltoall(all, 1, MPI_INT, got, 1, MPI_INT, comm));
    for (int i = 0; i < count; ++i)
        CHECK(got[i] == 100 * i + own);
    MPI_Datatype types[8];
    int counts[8], offsets[8];
    for (int i = 0; i < count; ++i) {
        types[i] = MPI_INT;
        counts[i] = 1;
        offsets[i] = i * (int)sizeof(int);
    }
    CHECK_MPI(MPI_Alltoallw(all, counts, offsets, types, got, counts, offsets, types, comm));
    CHECK(got[count - 1] == 100 * (count - 1) + own);
    CHECK_MPI(MPI_Scan(&own, &sum, 1, MPI_INT, MPI_SUM, comm));
    CHECK(sum == own * (own + 1) / 2);
}

/* The layer has an algorithm of its own for long data, and chooses one for the library. */
static void long_data(void) {
    enum { LONG = 40000 };
    static int from[LONG], to[LONG];
    for (int i = 0; i < LONG; ++i)
        from[i] = i + rank;
    CHECK_MPI(MPI_Allreduce(from, to, LONG, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
    for (int i = 0; i < LONG; ++i)
        CHECK(to[i] == size * i + size * (size - 1) / 2);
    MPI_Request request;
    int sum = 0;
    CHECK_MPI(MPI_Iallreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &request));
    CHECK_MPI(MPI_Wait(&request, MPI_STATUS_IGNORE));
    CHECK(sum == size * (size - 1) / 2);
}

static void neighbours(void) {
    int out[2] = {10 * rank, 10 * rank + 1}, in[2] = {-1, -1};
    const int before = (rank + size - 1) % size, after = (rank + 1) % size;
    CHECK_MPI(MPI_Neighbor_alltoall(out, 1, MPI_INT, in, 1, MPI_INT, ring));
    CHECK(in[0] == 10 * before + 1 && in[1] == 10 * after);
}

static void everything(void) {
    for (int i = 0; i < 5; ++i)
        some(MPI_COMM_WORLD, i);
    some(half, 7);
    long_data();
    neighbours();
}

/* While a task waits in a collective, and another for its turn after it, their thread runs the task
 * without which the plain rank never calls them. */
static void meanwhile(void) {
    int value = plain ? 42 : 0, sum = 0, go = 1;
    if (plain) {
        for (int i = 0; i < size - 1; ++i)
            CHECK_MPI(MPI_Recv(&go, 1, MPI_INT, i, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
        CHECK_MPI(MPI_Bcast(&value, 1, MPI_INT, size - 1, MPI_COMM_WORLD));
        CHECK_MPI(MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
    } else {
        volatile int first = 0, second = 0;
        /* With one thread, the task that sets a flag also makes its call before the others look. */
#pragma omp parallel num_threads(1)
#pragma omp single
        {
#pragma omp task shared(value, first) untied
            {
                first = 1;
                CHECK_MPI(MPI_Bcast(&value, 1, MPI_INT, size - 1, MPI_COMM_WORLD));
            }
#pragma omp task shared(sum, first, second) untied
            {
                while (!first) {
#pragma omp taskyield
                }
                second = 1;
                CHECK_MPI(MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
            }
#pragma omp task shared(go, second) untied
            {
                while (!second) {
#pragma omp taskyield
                }
                CHECK_MPI(MPI_Send(&go, 1, MPI_INT, size - 1, 1, MPI_COMM_WORLD));
            }
        }
    }
    CHECK(value == 42 && sum == size * (size - 1) / 2);
}

/* The library reports that a communicator is none, once. */
static int reports;
static void count_reports(MPI_Comm *comm, int *code, ...) {
    int class = MPI_SUCCESS;
    (void)comm;
    MPI_Error_class(*code, &class);
    reports += class == MPI_ERR_COMM;
}
static void no_communicator(void) {
#ifdef MPI_ABI
    const MPI_Comm none = MPI_COMM_NULL;
#else
    const MPI_Comm none = (MPI_Comm)0; /* Fortran's numbers that are no communicator */
#endif
    const MPI_Comm own[] = {MPI_COMM_WORLD, MPI_COMM_SELF};
    MPI_Errhandler handler;
    CHECK_MPI(MPI_Comm_create_errhandler(count_reports, &handler));
    for (int i = 0; i < 2; ++i)
        CHECK_MPI(MPI_Comm_set_errhandler(own[i], handler));
    reports = 0;
    CHECK(MPI_Barrier(none) != MPI_SUCCESS && reports == 1);
    for (int i = 0; i < 2; ++i)
        CHECK_MPI(MPI_Comm_set_errhandler(own[i], MPI_ERRORS_ARE_FATAL));
    CHECK_MPI(MPI_Errhandler_free(&handler));
}

int main(int argc, char **argv) {
    const int periodic = 1;
    start_mpi(&argc, &argv);
    plain = argc > 1;
    CHECK(size <= 8);
    CHECK_MPI(MPI_Comm_split(MPI_COMM_WORLD, rank < size / 2, rank, &half));
    CHECK_MPI(MPI_Cart_create(MPI_COMM_WORLD, 1, &size, &periodic, 0, &ring));
    for (int left = repetitions(); left > 0; --left) {
        everything();
        if (plain) {
            everything();
        } else {
#pragma omp parallel
#pragma omp single
#pragma omp task
            everything();
        }
#ifdef _OPENMP
        meanwhile();
#endif
    }
    no_communicator();
#pragma omp parallel
#pragma omp single
#pragma omp task
    no_communicator();
    CHECK_MPI(MPI_Comm_free(&half));
    CHECK_MPI(MPI_Comm_free(&ring));
    return end_mpi();
}
