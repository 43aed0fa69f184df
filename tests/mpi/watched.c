/* Calls of all kinds that a tool sees (tool.c): on 2 ranks, outside tasks and in tasks that wait.
 * `init`: the program starts MPI by MPI_Init. `errors`: it handles errors, and one occurs.
 * `session`: it starts MPI by a session. */
#include <string.h>
#include <unistd.h>

#include "check.h"

enum { messages = 4 };

static void send_all(void) {
    for (int i = 0; i < messages + 2; ++i) {
#pragma omp task firstprivate(i)
        {
            usleep(5000); /* the receives wait */
            CHECK_MPI(MPI_Send(&i, 1, MPI_INT, 1, i, MPI_COMM_WORLD));
        }
    }
}

static void receive(int tag) {
    int value = -1;
    CHECK_MPI(MPI_Recv(&value, 1, MPI_INT, 0, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    CHECK(value == tag);
}

static void receive_all(void) {
    for (int i = 0; i < messages; ++i) {
#pragma omp task firstprivate(i)
        receive(i);
    }
#pragma omp task
    {
        MPI_Status status;
        CHECK_MPI(MPI_Probe(0, messages, MPI_COMM_WORLD, &status));
        receive(messages);
    }
#pragma omp task
    {
        MPI_Request requests[2];
        int index = -1, value = -1;
        requests[0] = MPI_REQUEST_NULL;
        CHECK_MPI(MPI_Irecv(&value, 1, MPI_INT, 0, messages + 1, MPI_COMM_WORLD, &requests[1]));
        CHECK_MPI(MPI_Waitany(2, requests, &index, MPI_STATUS_IGNORE));
        CHECK(index == 1 && value == messages + 1);
    }
}

static void collectives(void) {
    MPI_Comm made;
    int sum = 0;
    const int one = 1;
    CHECK_MPI(MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
    CHECK(sum == size);
    CHECK_MPI(MPI_Comm_dup(MPI_COMM_WORLD, &made));
    CHECK_MPI(MPI_Comm_free(&made));
}

static void message(int tag) {
    if (rank == 0)
        CHECK_MPI(MPI_Send(&tag, 1, MPI_INT, 1, tag, MPI_COMM_WORLD));
    else
        receive(tag);
}

/* A message that is too long, in an MPI_Waitall. */
static void too_long(void) {
    int values[8] = {0}, class = MPI_SUCCESS;
    MPI_Request requests[2];
    MPI_Status statuses[2];
    if (rank == 0) {
        CHECK_MPI(MPI_Send(values, 8, MPI_INT, 1, 50, MPI_COMM_WORLD));
        return;
    }
    requests[1] = MPI_REQUEST_NULL;
    CHECK_MPI(MPI_Irecv(values, 1, MPI_INT, 0, 50, MPI_COMM_WORLD, &requests[0]));
    CHECK(MPI_Waitall(2, requests, statuses) != MPI_SUCCESS);
    CHECK_MPI(MPI_Error_class(statuses[0].MPI_ERROR, &class));
    CHECK(class == MPI_ERR_TRUNCATE);
}

/* A collective that waits for rank 1, while other tasks are ready. */
static void errors(void) {
    CHECK_MPI(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < 9; ++i) {
#pragma omp task firstprivate(i)
        {
            const int one = 1;
            int sum = 0;
            if (i == 4) {
                usleep(rank == 1 ? 20000 : 0);
                CHECK_MPI(MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
            } else {
                message(i);
            }
        }
#pragma omp task if (i == 8)
        if (i == 8)
            too_long();
    }
}

#if MPI_VERSION >= 4
static int in_session(void) {
    MPI_Session session;
    MPI_Group group;
    MPI_Comm comm;
    int value = 1;
    CHECK_MPI(MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &session));
    CHECK_MPI(MPI_Group_from_session_pset(session, "mpi://WORLD", &group));
    CHECK_MPI(MPI_Comm_create_from_group(group, "all", MPI_INFO_NULL, MPI_ERRORS_RETURN, &comm));
    CHECK_MPI(MPI_Group_free(&group));
    CHECK_MPI(MPI_Comm_rank(comm, &rank));
    if (rank == 0)
        CHECK_MPI(MPI_Send(&value, 1, MPI_INT, 1, 0, comm));
    else
        CHECK_MPI(MPI_Recv(&value, 1, MPI_INT, 0, 0, comm, MPI_STATUS_IGNORE));
    CHECK_MPI(MPI_Barrier(comm));
    CHECK_MPI(MPI_Comm_free(&comm));
    CHECK_MPI(MPI_Session_finalize(&session));
    return 0;
}
#endif

int main(int argc, char **argv) {
    const char *const mode = argc > 1 ? argv[1] : "";
#if MPI_VERSION >= 4
    if (strcmp(mode, "session") == 0)
        return in_session();
#endif
    if (strcmp(mode, "init") == 0) {
        CHECK_MPI(MPI_Init(&argc, &argv));
        CHECK_MPI(MPI_Comm_rank(MPI_COMM_WORLD, &rank));
        CHECK_MPI(MPI_Comm_size(MPI_COMM_WORLD, &size));
    } else {
        start_mpi(&argc, &argv);
    }
    CHECK(size == 2);
    if (strcmp(mode, "errors") == 0) {
        errors();
        return end_mpi();
    }
    if (rank == 0)
        CHECK_MPI(MPI_Send(&size, 1, MPI_INT, 1, 99, MPI_COMM_WORLD));
    else
        CHECK_MPI(MPI_Recv(&size, 1, MPI_INT, 0, 99, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
#pragma omp parallel
#pragma omp single
    {
        if (rank == 0)
            send_all();
        else
            receive_all();
#pragma omp task
        collectives();
    }
    CHECK_MPI(MPI_Barrier(MPI_COMM_WORLD));
    return end_mpi();
}
