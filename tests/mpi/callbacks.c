/* The program's functions that the library calls use OpenMP, whichever thread waits for the call:
 * reductions, in tasks and in undeferred ones; error handlers; generalized requests. */
#include "check.h"

#include <omp.h>
#include <unistd.h>

enum { N = 3000, WAITING = 5, LATE = 20 };

static int kind;
static int calls;
static int late;         /* times that a thread was late in its region */
static MPI_Comm watched; /* it has the handler */

/* Region, in which one thread waits for another one; taskloop, task with a wait, lock. */
static void add(const double *from, double *to, int count) {
    if (kind == 0) {
#pragma omp parallel
        {
            if (omp_get_thread_num() == 1 && __atomic_fetch_add(&late, 1, __ATOMIC_RELAXED) < LATE)
                usleep(500);
#pragma omp for
            for (int i = 0; i < count; ++i)
                to[i] += from[i];
        }
    } else if (kind == 1) {
#pragma omp taskloop grainsize(500)
        for (int i = 0; i < count; ++i)
            to[i] += from[i];
    } else if (kind == 2) {
#pragma omp task shared(from, to, count)
        for (int i = 0; i < count; ++i)
            to[i] += from[i];
#pragma omp taskwait
    } else {
#pragma omp critical
        for (int i = 0; i < count; ++i)
            to[i] += from[i];
    }
}

static void sum(void *from, void *to, int *count, MPI_Datatype *type) {
    (void)type;
    add(from, to, *count);
}

static void on_error(MPI_Comm *comm, int *error, ...) {
    double one = 1, number = 0;
    (void)comm;
    (void)error;
    add(&one, &number, 1);
    if (number == 1)
        __atomic_fetch_add(&calls, 1, __ATOMIC_RELAXED);
}

static int query(void *data, MPI_Status *status) {
    double one = 1;
    add(&one, data, 1);
    status->MPI_SOURCE = status->MPI_TAG = 0;
    MPI_Status_set_elements(status, MPI_INT, 0);
    MPI_Status_set_cancelled(status, 0);
    return MPI_SUCCESS;
}
static int release(void *data) {
    (void)data;
    return MPI_SUCCESS;
}
static int cancel(void *data, int complete) {
    (void)data;
    (void)complete;
    return MPI_SUCCESS;
}

static void reductions(MPI_Op op) {
    static double from[N], to[N];
    const int ranks = size;
    for (int i = 0; i < N; ++i)
        from[i] = rank + i;
    for (int deferred = 0; deferred < 2; ++deferred) {
#pragma omp task shared(from, to) firstprivate(op, ranks) if (deferred)
        {
            CHECK_MPI(MPI_Allreduce(from, to, N, MPI_DOUBLE, op, MPI_COMM_WORLD));
            for (int i = 0; i < N; ++i)
                CHECK(to[i] == ranks * (double)i + ranks * (ranks - 1) / 2);
        }
#pragma omp taskwait
    }
}

/* Truncated messages; the sender waits for nothing. */
static void errors(void) {
    enum { MESSAGES = 4 };
    const int before = calls;
    for (int i = 0; i < MESSAGES; ++i) {
#pragma omp task firstprivate(i)
        {
            int one;
            CHECK(MPI_Recv(&one, 1, MPI_INT, rank ^ 1, i, watched, MPI_STATUS_IGNORE) !=
                  MPI_SUCCESS);
        }
#pragma omp task firstprivate(i)
        {
            const int eight[8] = {0};
            CHECK_MPI(MPI_Send(eight, 8, MPI_INT, rank ^ 1, i, watched));
        }
    }
#pragma omp taskwait
    CHECK(calls == before + MESSAGES);
}

static void generalized_requests(void) {
    double queried = 0;
    MPI_Request request;
    CHECK_MPI(MPI_Grequest_start(query, release, cancel, &queried, &request));
    MPI_Request completed = request;
#pragma omp task shared(request)
    CHECK_MPI(MPI_Wait(&request, MPI_STATUS_IGNORE));
#pragma omp task firstprivate(completed)
    CHECK_MPI(MPI_Grequest_complete(completed));
#pragma omp taskwait
    CHECK(queried >= 1);
}

/* Other tasks wait in MPI meanwhile, so idle threads poll. */
static void all_kinds(MPI_Op op, MPI_Comm waiting) {
#pragma omp parallel
#pragma omp single
    {
#pragma omp task
        for (int i = 0; i < WAITING; ++i)
#pragma omp task firstprivate(i)
            CHECK_MPI(MPI_Recv(NULL, 0, MPI_INT, rank, i, waiting, MPI_STATUS_IGNORE));
        for (int i = 0; i < 10 * repetitions(); ++i)
            for (kind = 0; kind < 4; ++kind) {
                reductions(op);
                generalized_requests();
                if (watched != MPI_COMM_NULL && size % 2 == 0)
                    errors();
            }
        for (int i = 0; i < WAITING; ++i)
            CHECK_MPI(MPI_Send(NULL, 0, MPI_INT, rank, i, waiting));
    }
}

#if MPI_VERSION >= 4
static void sum_large(void *in, void *inout, MPI_Count *count, MPI_Datatype *type) {
    (void)type;
    for (MPI_Count i = 0; i < *count; ++i)
        ((int *)inout)[i] += ((int *)in)[i];
}
/* A function with a large count; its operation serves calls of tasks. */
static void large_counts(void) {
    MPI_Op op;
    int one = 1, all = 0;
    CHECK_MPI(MPI_Op_create_c(sum_large, 1, &op));
#pragma omp parallel num_threads(2)
#pragma omp single
#pragma omp task
    CHECK_MPI(MPI_Allreduce(&one, &all, 1, MPI_INT, op, MPI_COMM_WORLD));
    int ranks;
    CHECK_MPI(MPI_Comm_size(MPI_COMM_WORLD, &ranks));
    CHECK(all == ranks);
    CHECK_MPI(MPI_Op_free(&op));
}
#endif

int main(int argc, char **argv) {
    MPI_Op op;
    MPI_Errhandler handler;
    MPI_Comm waiting;

    start_mpi(&argc, &argv);
    CHECK_MPI(MPI_Op_create(sum, 1, &op));
    CHECK_MPI(MPI_Comm_create_errhandler(on_error, &handler));
    CHECK_MPI(MPI_Comm_dup(MPI_COMM_WORLD, &waiting));
    watched = MPI_COMM_NULL;
    all_kinds(op, waiting);
    /* From here on, the layer tests requests one by one. */
    CHECK_MPI(MPI_Comm_dup(MPI_COMM_WORLD, &watched));
    CHECK_MPI(MPI_Comm_set_errhandler(watched, handler));
    all_kinds(op, waiting);
#if MPI_VERSION >= 4
    large_counts();
#endif
    CHECK_MPI(MPI_Comm_free(&watched));
    CHECK_MPI(MPI_Comm_free(&waiting));
    CHECK_MPI(MPI_Errhandler_free(&handler));
    CHECK_MPI(MPI_Op_free(&op));
    return end_mpi();
}
