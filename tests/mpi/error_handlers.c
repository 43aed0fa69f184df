/* The program's error handlers while tasks wait: it finds what it has set, communicators inherit
 * it, a handle may be freed as often as it is asked for, and one that a communicator gets at its
 * creation counts. */
#define _GNU_SOURCE
#include "check.h"

#include <dlfcn.h>

static void first(MPI_Comm *comm, int *code, ...) { (void)comm, (void)code; }
static void second(MPI_Comm *comm, int *code, ...) { (void)comm, (void)code; }

static void check_handler(MPI_Comm comm, MPI_Errhandler expected) {
    MPI_Errhandler found = MPI_ERRHANDLER_NULL;
    CHECK_MPI(MPI_Comm_get_errhandler(comm, &found));
    CHECK(found == expected);
    CHECK_MPI(MPI_Errhandler_free(&found));
    CHECK(found == MPI_ERRHANDLER_NULL);
}

/* Libraries keep errors to themselves for a while, and put the program's handler back. */
static void keep_errors(MPI_Comm comm) {
    MPI_Errhandler before;
    CHECK_MPI(MPI_Comm_get_errhandler(comm, &before));
    CHECK_MPI(MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN));
    check_handler(comm, MPI_ERRORS_RETURN);
    CHECK_MPI(MPI_Comm_set_errhandler(comm, before));
    CHECK_MPI(MPI_Errhandler_free(&before));
    check_handler(comm, MPI_ERRORS_ARE_FATAL);
}

/* The calls of MPI 1, which libraries still have, though not each one's mpi.h. */
static void by_old_names(void) {
    int (*get)(MPI_Comm, MPI_Errhandler *) = NULL, (*set)(MPI_Comm, MPI_Errhandler) = NULL;
    *(void **)&get = dlsym(RTLD_DEFAULT, "MPI_Errhandler_get");
    *(void **)&set = dlsym(RTLD_DEFAULT, "MPI_Errhandler_set");
    if (get == NULL || set == NULL)
        return;
    for (int i = 0; i < 20; ++i) {
        MPI_Errhandler found = MPI_ERRHANDLER_NULL;
        CHECK_MPI(get(MPI_COMM_WORLD, &found));
        CHECK(found == MPI_ERRORS_ARE_FATAL);
        CHECK_MPI(set(MPI_COMM_WORLD, found));
        CHECK_MPI(MPI_Errhandler_free(&found));
    }
}

/* Tasks wait, and another one changes the handler of MPI_COMM_WORLD meanwhile. */
enum { WAITING = 20 };
static void change_while_waiting(MPI_Comm comm) {
    MPI_Errhandler handlers[2];
    CHECK_MPI(MPI_Comm_create_errhandler(first, &handlers[0]));
    CHECK_MPI(MPI_Comm_create_errhandler(second, &handlers[1]));
    CHECK_MPI(MPI_Comm_set_errhandler(MPI_COMM_WORLD, handlers[0]));
#pragma omp parallel num_threads(2)
#pragma omp single
    {
        for (int i = 0; i < WAITING; ++i)
#pragma omp task firstprivate(i)
            CHECK_MPI(MPI_Recv(NULL, 0, MPI_INT, rank, i, comm, MPI_STATUS_IGNORE));
        const double end = MPI_Wtime() + 0.5;
        for (int i = 0; MPI_Wtime() < end; ++i) {
            const MPI_Errhandler set = handlers[i % 2];
            CHECK_MPI(MPI_Comm_set_errhandler(MPI_COMM_WORLD, set));
            for (const double soon = MPI_Wtime() + 10e-6; MPI_Wtime() < soon;)
                ;
            check_handler(MPI_COMM_WORLD, set);
        }
        /* All ranks make as many. */
        MPI_Errhandler set;
        CHECK_MPI(MPI_Comm_get_errhandler(MPI_COMM_WORLD, &set));
        for (int i = 0; i < 50; ++i) {
            MPI_Comm made;
            MPI_Request request;
#pragma omp task shared(made) if (0)
            CHECK_MPI(MPI_Comm_dup(MPI_COMM_WORLD, &made));
            check_handler(made, set);
            CHECK_MPI(MPI_Comm_free(&made));
            CHECK_MPI(MPI_Comm_idup(MPI_COMM_WORLD, &made, &request));
            CHECK_MPI(MPI_Wait(&request, MPI_STATUS_IGNORE));
            check_handler(made, set);
            CHECK_MPI(MPI_Comm_free(&made));
        }
        CHECK_MPI(MPI_Errhandler_free(&set));
        for (int i = 0; i < WAITING; ++i)
            CHECK_MPI(MPI_Send(NULL, 0, MPI_INT, rank, i, comm));
    }
    CHECK_MPI(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL));
    for (int i = 0; i < 2; ++i)
        CHECK_MPI(MPI_Errhandler_free(&handlers[i]));
}

/* The handler of MPI_COMM_WORLD gets each error of a call that fails at once, although other
 * threads complete requests at that moment. */
static int failures;
static void count_failures(MPI_Comm *comm, int *code, ...) {
    int class = MPI_SUCCESS;
    CHECK_MPI(MPI_Error_class(*code, &class));
    CHECK(class == MPI_ERR_RANK && *comm == MPI_COMM_WORLD);
    ++failures;
}
static void fail_while_waiting(MPI_Comm comm) {
    MPI_Errhandler counting;
    CHECK_MPI(MPI_Comm_create_errhandler(count_failures, &counting));
    CHECK_MPI(MPI_Comm_set_errhandler(MPI_COMM_WORLD, counting));
    CHECK_MPI(MPI_Errhandler_free(&counting));
#pragma omp parallel num_threads(2)
#pragma omp single
    {
        for (int i = 0; i < WAITING; ++i)
#pragma omp task firstprivate(i)
            CHECK_MPI(MPI_Recv(NULL, 0, MPI_INT, rank, i, comm, MPI_STATUS_IGNORE));
        const double end = MPI_Wtime() + 0.3;
        int calls = failures = 0;
        for (; MPI_Wtime() < end; ++calls)
            CHECK(MPI_Send(NULL, 0, MPI_INT, size + 5, 0, MPI_COMM_WORLD) != MPI_SUCCESS);
        CHECK(failures == calls);
        for (int i = 0; i < WAITING; ++i)
            CHECK_MPI(MPI_Send(NULL, 0, MPI_INT, rank, i, comm));
    }
    CHECK_MPI(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL));
}

/* Nothing else says that this program handles errors. */
static void given_at_creation(void) {
#if MPI_VERSION >= 4
    MPI_Group all;
    MPI_Comm made;
    CHECK_MPI(MPI_Comm_group(MPI_COMM_WORLD, &all));
    CHECK_MPI(MPI_Comm_create_from_group(all, "handled", MPI_INFO_NULL, MPI_ERRORS_RETURN, &made));
#pragma omp parallel
#pragma omp single
#pragma omp task
    {
        int class = 0, error = MPI_Send(&rank, 1, MPI_INT, size + 5, 1, made);
        CHECK_MPI(MPI_Error_class(error, &class));
        CHECK(class == MPI_ERR_RANK);
        /* A receive is complete later. */
        const int next = (rank + 1) % size, before = (rank + size - 1) % size;
        int out[4] = {0}, in = 0;
        MPI_Request request;
        if (size > 1) {
            CHECK_MPI(MPI_Isend(out, 4, MPI_INT, next, 1, made, &request));
            error = MPI_Recv(&in, 1, MPI_INT, before, 1, made, MPI_STATUS_IGNORE);
            CHECK_MPI(MPI_Error_class(error, &class));
            CHECK(class == MPI_ERR_TRUNCATE);
            CHECK_MPI(MPI_Wait(&request, MPI_STATUS_IGNORE));
        }
    }
    CHECK_MPI(MPI_Comm_free(&made));
    CHECK_MPI(MPI_Group_free(&all));
#endif
}

/* The library reports that a communicator is none, once. */
static int reports;
static void count_reports(MPI_Comm *comm, int *code, ...) {
    int class = MPI_SUCCESS;
    (void)comm;
    MPI_Error_class(*code, &class);
    if (class == MPI_ERR_COMM)
        ++reports;
}
#define REPORTED_ONCE(call)                                                                        \
    do {                                                                                           \
        int error_class = MPI_SUCCESS;                                                             \
        reports = 0;                                                                               \
        CHECK_MPI(MPI_Error_class(call, &error_class));                                            \
        CHECK(error_class == MPI_ERR_COMM && reports == 1);                                        \
    } while (0)
static void use(MPI_Comm none) {
    enum { LONG = 40000, MOST = 64 };
    static int from[LONG], to[LONG];
    int counts[MOST] = {0}, at[MOST] = {0};
    MPI_Aint far[MOST] = {0};
    MPI_Datatype types[MOST];
    for (int i = 0; i < MOST; ++i)
        types[i] = MPI_INT;
    MPI_Comm made;
    REPORTED_ONCE(MPI_Comm_dup(none, &made));
    REPORTED_ONCE(MPI_Barrier(none));
    REPORTED_ONCE(MPI_Allreduce(from, to, 1, MPI_INT, MPI_SUM, none));
    REPORTED_ONCE(MPI_Allreduce(from, to, LONG, MPI_INT, MPI_SUM, none));
    REPORTED_ONCE(MPI_Alltoallw(from, counts, at, types, to, counts, at, types, none));
    REPORTED_ONCE(MPI_Neighbor_alltoall(from, 1, MPI_INT, to, 1, MPI_INT, none));
    REPORTED_ONCE(MPI_Neighbor_alltoallv(from, counts, at, MPI_INT, to, counts, at, MPI_INT, none));
    REPORTED_ONCE(MPI_Neighbor_alltoallw(from, counts, far, types, to, counts, far, types, none));
}
static void no_communicator(void) {
    const MPI_Comm own[] = {MPI_COMM_WORLD, MPI_COMM_SELF};
    MPI_Errhandler handler;
    CHECK_MPI(MPI_Comm_create_errhandler(count_reports, &handler));
    for (int i = 0; i < 2; ++i)
        CHECK_MPI(MPI_Comm_set_errhandler(own[i], handler));
    use(MPI_COMM_NULL);
#pragma omp parallel
#pragma omp single
#pragma omp task
    use(MPI_COMM_NULL);
#ifndef MPI_ABI /* what Fortran's numbers that are no communicator become */
    use((MPI_Comm)0);
#pragma omp parallel
#pragma omp single
#pragma omp task
    use((MPI_Comm)0);
#endif
    for (int i = 0; i < 2; ++i)
        CHECK_MPI(MPI_Comm_set_errhandler(own[i], MPI_ERRORS_ARE_FATAL));
    CHECK_MPI(MPI_Errhandler_free(&handler));
}

int main(int argc, char **argv) {
    start_mpi(&argc, &argv);
    given_at_creation();
    MPI_Comm comm;
    CHECK_MPI(MPI_Comm_dup(MPI_COMM_WORLD, &comm));
    for (int i = 0; i < 300; ++i) {
        check_handler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
        check_handler(comm, MPI_ERRORS_ARE_FATAL);
        keep_errors(comm);
        keep_errors(MPI_COMM_WORLD);
    }
    by_old_names();
    no_communicator();
    for (int left = repetitions(); left > 0; --left)
        change_while_waiting(comm), fail_while_waiting(comm);
    CHECK_MPI(MPI_Comm_free(&comm));
    return end_mpi();
}
