/* Errors that are returned to the program: their classes, the statuses of truncated messages, and
 * what comes next. Each way to receive, outside regions, in an implicit task and in several
 * explicit tasks at once. */
#include "check.h"

enum { PLACES = 4, UNTOUCHED = 12345 };

typedef enum {
    RECV,
    MRECV,
    SENDRECV,
    SENDRECV_REPLACE,
    WAIT,
    TEST,
    WAITANY,
    TESTANY,
    /* These say it in the statuses. */
    WAITSOME,
    TESTSOME,
    WAITALL,
    TESTALL,
    WAYS
} Way;

static int peer;

static int class_of(int error) {
    int class = MPI_SUCCESS;
    CHECK_MPI(MPI_Error_class(error, &class));
    return class;
}
static int count_of(const MPI_Status *status) {
    int count = -1;
    CHECK_MPI(MPI_Get_count(status, MPI_INT, &count));
    return count;
}

/* Three integers came for one. */
static int is_truncated(const MPI_Status *status, int tag) {
    if (status->MPI_SOURCE != peer || status->MPI_TAG != tag)
        return 0;
#ifdef OPEN_MPI
    return count_of(status) == 3;
#else
    return 1; /* what MPICH says depends on which of message and receive comes first (4.0) */
#endif
}

/* Calls for one message leave the field for errors alone. */
static void check_one(int error, const MPI_Status *status, int tag) {
    CHECK(class_of(error) == MPI_ERR_TRUNCATE);
    CHECK(status->MPI_ERROR == UNTOUCHED);
    CHECK(is_truncated(status, tag));
}

/* A null request, one for a truncated message, and one for another message. */
static void receive_by_list(Way way, MPI_Comm comm, int tag) {
    int in[3] = {-1, -1, -1}, other = -1, flag = 0, index = -1, error = MPI_SUCCESS;
    MPI_Request requests[3] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL, MPI_REQUEST_NULL};
    MPI_Status status, statuses[3];
    status.MPI_ERROR = UNTOUCHED;
    CHECK_MPI(MPI_Irecv(in, 1, MPI_INT, peer, tag, comm, &requests[1]));
    if (way < WAITSOME) {
        if (way == WAIT)
            error = MPI_Wait(&requests[1], &status);
        else if (way == WAITANY)
            error = MPI_Waitany(3, requests, &index, &status);
        while (way != WAIT && way != WAITANY && !flag && error == MPI_SUCCESS) {
            error = way == TEST ? MPI_Test(&requests[1], &flag, &status)
                                : MPI_Testany(3, requests, &index, &flag, &status);
#pragma omp taskyield
        }
        check_one(error, &status, tag);
        CHECK(index == (way == WAITANY || way == TESTANY ? 1 : -1));
        CHECK_MPI(MPI_Recv(&other, 1, MPI_INT, peer, tag + 1, comm, MPI_STATUS_IGNORE));
    } else {
        int found = 0, indices[3] = {-1, -1, -1};
        CHECK_MPI(MPI_Irecv(&other, 1, MPI_INT, peer, tag + 1, comm, &requests[2]));
        for (int left = 2; left > 0 && way <= TESTSOME;) {
            for (int i = 0; i < 3; ++i)
                statuses[i].MPI_ERROR = UNTOUCHED;
            error = way == WAITSOME ? MPI_Waitsome(3, requests, &found, indices, statuses)
                                    : MPI_Testsome(3, requests, &found, indices, statuses);
            CHECK(found >= (way == WAITSOME) && found <= left);
            int failed = 0;
            for (int i = 0; i < found; ++i) {
                CHECK(indices[i] == 1 || indices[i] == 2);
                CHECK(statuses[i].MPI_SOURCE == peer);
                CHECK(statuses[i].MPI_TAG == tag + indices[i] - 1);
                failed |= indices[i] == 1;
            }
            CHECK(class_of(error) == (failed ? MPI_ERR_IN_STATUS : MPI_SUCCESS));
            for (int i = 0; failed && i < found; ++i) {
                CHECK(class_of(statuses[i].MPI_ERROR) ==
                      (indices[i] == 1 ? MPI_ERR_TRUNCATE : MPI_SUCCESS));
                CHECK(indices[i] == 1 ? is_truncated(&statuses[i], tag)
                                      : count_of(&statuses[i]) == 1);
            }
            left -= found;
#pragma omp taskyield
        }
        for (int i = 0; i < 3; ++i)
            statuses[i].MPI_ERROR =
                MPI_SUCCESS; /* MPICH leaves that of a null request alone (4.0) */
        if (way == WAITALL)
            error = MPI_Waitall(3, requests, statuses);
        while (way == TESTALL && !flag && error == MPI_SUCCESS) {
            error = MPI_Testall(3, requests, &flag, statuses);
#pragma omp taskyield
        }
        if (way >= WAITALL) {
            CHECK(class_of(error) == MPI_ERR_IN_STATUS);
            CHECK(class_of(statuses[1].MPI_ERROR) == MPI_ERR_TRUNCATE);
            CHECK(is_truncated(&statuses[1], tag));
            CHECK(class_of(statuses[0].MPI_ERROR) == MPI_SUCCESS);
            /* The other one may have been incomplete when the error was found. */
            CHECK(class_of(statuses[2].MPI_ERROR) == MPI_SUCCESS ||
                  class_of(statuses[2].MPI_ERROR) == MPI_ERR_PENDING);
            CHECK_MPI(MPI_Wait(&requests[2], MPI_STATUS_IGNORE));
        }
        CHECK(requests[2] == MPI_REQUEST_NULL);
    }
    CHECK(requests[0] == MPI_REQUEST_NULL && requests[1] == MPI_REQUEST_NULL);
    CHECK(other == 10 * tag + peer && in[1] == -1);
}

static void receive(Way way, MPI_Comm comm, int tag) {
    int in[6] = {rank, -1, -1, -1, -1, -1}, other = -1;
    MPI_Status status;
    MPI_Message message;
    status.MPI_ERROR = UNTOUCHED;
    switch (way) {
    case RECV:
        check_one(MPI_Recv(in, 1, MPI_INT, peer, tag, comm, &status), &status, tag);
        break;
    case MRECV:
        CHECK_MPI(MPI_Mprobe(peer, tag, comm, &message, &status));
        CHECK(count_of(&status) == 3);
        check_one(MPI_Mrecv(in, 1, MPI_INT, &message, &status), &status, tag);
        break;
    case SENDRECV:
        check_one(MPI_Sendrecv(&rank, 1, MPI_INT, MPI_PROC_NULL, 7, in, 1, MPI_INT, peer, tag, comm,
                               &status),
                  &status, tag);
        break;
    case SENDRECV_REPLACE:
        check_one(MPI_Sendrecv_replace(in, 1, MPI_INT, MPI_PROC_NULL, 7, peer, tag, comm, &status),
                  &status, tag);
        break;
    default:
        receive_by_list(way, comm, tag);
        return;
    }
    CHECK(in[1] == -1);
    CHECK_MPI(MPI_Recv(&other, 1, MPI_INT, peer, tag + 1, comm, MPI_STATUS_IGNORE));
    CHECK(other == 10 * tag + peer);
}

static void send(MPI_Comm comm, int tag) {
    const int out[3] = {rank, tag, 3}, other = 10 * tag + rank;
    CHECK_MPI(MPI_Send(out, 3, MPI_INT, peer, tag, comm));
    CHECK_MPI(MPI_Send(&other, 1, MPI_INT, peer, tag + 1, comm));
}

/* Outside tasks, Open MPI's MPI_Waitall loops for ever on an error (4.1), and MPICH's
 * MPI_Sendrecv_replace writes the field for errors (4.0). */
static int is_possible(Way way, int by_layer) {
#ifdef OPEN_MPI
    return way != WAITALL || by_layer;
#else
    return way != SENDRECV_REPLACE || by_layer;
#endif
}

/* `by_layer`: in a task. Every second time the message comes from a later task. */
static void truncated(MPI_Comm comm, int by_layer) {
    if (peer == rank)
        return; /* Open MPI does not always report what a process truncates of its own messages */
    for (int i = 0; i < 2 * WAYS; ++i) {
        const Way way = (Way)(i % WAYS);
        const int tag = 10 + 2 * i, late = by_layer && i % 2;
        if (!is_possible(way, by_layer))
            continue;
#pragma omp task if (late) firstprivate(comm, tag)
        send(comm, tag);
        receive(way, comm, tag);
#pragma omp taskwait
    }
}

/* Calls that cannot begin. */
static void wrong_arguments(MPI_Comm comm) {
    int value = 5, in[2] = {-1, -1};
    MPI_Status status;
    MPI_Request request;
    MPI_Message message;
    CHECK(class_of(MPI_Recv(in, 1, MPI_INT, size, 1, comm, &status)) == MPI_ERR_RANK);
    CHECK(class_of(MPI_Recv(in, -1, MPI_INT, peer, 1, comm, &status)) == MPI_ERR_COUNT);
    CHECK(class_of(MPI_Recv(in, 1, MPI_DATATYPE_NULL, peer, 1, comm, &status)) == MPI_ERR_TYPE);
    CHECK(class_of(MPI_Send(&value, 1, MPI_INT, size, 1, comm)) == MPI_ERR_RANK);
    CHECK(class_of(MPI_Ssend(&value, 1, MPI_INT, peer, -5, comm)) == MPI_ERR_TAG);
    CHECK(class_of(MPI_Rsend(&value, -1, MPI_INT, peer, 1, comm)) == MPI_ERR_COUNT);
    CHECK(class_of(MPI_Isend(&value, 1, MPI_INT, size, 1, comm, &request)) == MPI_ERR_RANK);
    CHECK(class_of(MPI_Irecv(in, -1, MPI_INT, peer, 1, comm, &request)) == MPI_ERR_COUNT);
    CHECK(class_of(MPI_Probe(size, 1, comm, &status)) == MPI_ERR_RANK);
    CHECK(class_of(MPI_Mprobe(size, 1, comm, &message, &status)) == MPI_ERR_RANK);
    CHECK(class_of(MPI_Bcast(&value, 1, MPI_INT, size, comm)) == MPI_ERR_ROOT);
    CHECK(class_of(MPI_Allreduce(&value, in, 1, MPI_INT, MPI_OP_NULL, comm)) == MPI_ERR_OP);
    CHECK(class_of(MPI_Barrier(MPI_COMM_NULL)) == MPI_ERR_COMM);
    CHECK(class_of(MPI_Send(&value, 1, MPI_INT, peer, 1, MPI_COMM_NULL)) == MPI_ERR_COMM);
    /* The half of an exchange that could begin takes no message of the next call. */
    CHECK(class_of(MPI_Sendrecv(&value, 1, MPI_INT, size, 3, in, 1, MPI_INT, peer, 3, comm,
                                &status)) == MPI_ERR_RANK);
    CHECK(class_of(MPI_Sendrecv_replace(&value, 1, MPI_INT, size, 3, peer, 3, comm, &status)) ==
          MPI_ERR_RANK);
    CHECK(value == 5 && in[0] == -1);
    CHECK_MPI(MPI_Isend(&value, 1, MPI_INT, peer, 3, comm, &request));
    CHECK_MPI(MPI_Recv(&in[1], 1, MPI_INT, peer, 3, comm, &status));
    CHECK(in[0] == -1 && in[1] == 5);
    CHECK_MPI(MPI_Wait(&request, MPI_STATUS_IGNORE));
}

static void everything(MPI_Comm comm, int by_layer) {
    truncated(comm, by_layer);
    wrong_arguments(comm);
}

static void everywhere(MPI_Comm *comms) {
    everything(comms[0], 0);
#pragma omp parallel
    {
#pragma omp masked
        everything(comms[0], 1);
    }
#pragma omp parallel
#pragma omp single
    for (int place = 0; place < PLACES; ++place)
#pragma omp task firstprivate(place)
        everything(comms[place], 1);
}

int main(int argc, char **argv) {
    start_mpi(&argc, &argv);
    peer = (rank ^ 1) < size ? rank ^ 1 : rank;
    MPI_Comm comms[PLACES];
    for (int place = 0; place < PLACES; ++place) {
        CHECK_MPI(MPI_Comm_dup(MPI_COMM_WORLD, &comms[place]));
        CHECK_MPI(MPI_Comm_set_errhandler(comms[place], MPI_ERRORS_RETURN));
    }
    /* MPICH raises here what the test of a request finds, and all of them what no communicator has.
     */
    CHECK_MPI(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
    CHECK_MPI(MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN));
    for (int left = repetitions(); left > 0; --left)
        everywhere(comms);
    for (int place = 0; place < PLACES; ++place)
        CHECK_MPI(MPI_Comm_free(&comms[place]));
    return end_mpi();
}
