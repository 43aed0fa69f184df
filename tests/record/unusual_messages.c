/* Messages between two ranks that are easily matched wrongly. Each has a size of its own. If a
 * receive has no completion, or takes no message, those after it must not be shifted. */
#include <mpi.h>

static char data[1000];
static int rank;

static void send(int bytes, int tag, MPI_Comm comm) {
    MPI_Send(data, bytes, MPI_CHAR, 1, tag, comm);
}
static void receive(int tag) {
    MPI_Recv(data, 1000, MPI_CHAR, 0, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

/* A receive that is freed, and one that is found complete and then freed: 101 has no completion,
 * 102 has one. */
static void freed(void) {
    MPI_Request request;
    int complete = 0;
    if (rank == 0) {
        for (int i = 1; i <= 4; ++i)
            send(100 + i, 1, MPI_COMM_WORLD);
        return;
    }
    MPI_Irecv(data, 1000, MPI_CHAR, 0, 1, MPI_COMM_WORLD, &request);
    MPI_Request_free(&request);
    MPI_Irecv(data, 1000, MPI_CHAR, 0, 1, MPI_COMM_WORLD, &request);
    while (!complete)
        MPI_Request_get_status(request, &complete, MPI_STATUS_IGNORE);
    MPI_Request_free(&request);
    receive(1);
    receive(1);
}

/* A receive is truncated, and two calls fail. */
static void fails(void) {
    if (rank == 0) {
        MPI_Send(data, 1, MPI_DATATYPE_NULL, 1, 2, MPI_COMM_WORLD);
        for (int i = 1; i <= 3; ++i)
            send(200 + i, 2, MPI_COMM_WORLD);
        return;
    }
    MPI_Recv(data, -1, MPI_CHAR, 0, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Recv(data, 1, MPI_CHAR, 0, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    receive(2);
    receive(2);
}

/* A cancelled receive takes no message. */
static void cancelled(void) {
    MPI_Request request;
    if (rank == 1) {
        MPI_Irecv(data, 1000, MPI_CHAR, 0, 3, MPI_COMM_WORLD, &request);
        MPI_Cancel(&request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0)
        send(301, 3, MPI_COMM_WORLD);
    else
        receive(3);
}

/* Nor does one whose request is freed. */
static void cancelled_and_freed(void) {
    MPI_Request request;
    if (rank == 1) {
        MPI_Irecv(data, 1000, MPI_CHAR, 0, 8, MPI_COMM_WORLD, &request);
        MPI_Cancel(&request);
        MPI_Request_free(&request);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    for (int i = 1; i <= 3; ++i)
        if (rank == 0)
            send(800 + i, 8, MPI_COMM_WORLD);
        else
            receive(8);
}

/* Matched probes, received in another order: 402 before 401. */
static void probed(void) {
    MPI_Message first, second;
    MPI_Request request;
    if (rank == 0) {
        send(401, 4, MPI_COMM_WORLD);
        send(402, 4, MPI_COMM_WORLD);
        return;
    }
    MPI_Mprobe(0, 4, MPI_COMM_WORLD, &first, MPI_STATUS_IGNORE);
    MPI_Mprobe(0, 4, MPI_COMM_WORLD, &second, MPI_STATUS_IGNORE);
    MPI_Mrecv(data, 1000, MPI_CHAR, &second, MPI_STATUS_IGNORE);
    MPI_Barrier(MPI_COMM_SELF);
    MPI_Imrecv(data, 1000, MPI_CHAR, &first, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

/* Communicators of MPI_Comm_idup that the ranks use first in different orders. */
static void duplicated(void) {
    MPI_Comm one, other;
    MPI_Request requests[2];
    MPI_Comm_idup(MPI_COMM_WORLD, &one, &requests[0]);
    MPI_Comm_idup(MPI_COMM_WORLD, &other, &requests[1]);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    if (rank == 0) {
        send(501, 5, one);
        send(502, 5, other);
    } else {
        MPI_Irecv(data, 1000, MPI_CHAR, 0, 5, other, &requests[0]);
        MPI_Irecv(data, 1000, MPI_CHAR, 0, 5, one, &requests[1]);
        MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    }
    MPI_Comm_free(&one);
    MPI_Comm_free(&other);
}

/* A communicator of MPI_Comm_idup that is not used, and one that gets its handle, with the ranks in
 * another order. */
static void disconnected(void) {
    MPI_Comm comm;
    MPI_Request request;
    MPI_Comm_idup(MPI_COMM_WORLD, &comm, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Comm_disconnect(&comm);
    MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &comm);
    if (rank == 0)
        MPI_Send(data, 901, MPI_CHAR, 0, 9, comm);
    else
        MPI_Recv(data, 1000, MPI_CHAR, 1, 9, comm, MPI_STATUS_IGNORE);
    MPI_Comm_free(&comm);
}

/* Collectives: their bytes are the larger of what a rank gives and gets. */
static void collectives(void) {
    static int from[100], to[400];
    MPI_Datatype huge;
    int counts[2] = {10, 20}, offsets[2] = {0, 10};
    MPI_Request request;
    MPI_Type_create_hvector(1 << 30, 1, 0, MPI_DOUBLE, &huge);
    MPI_Type_commit(&huge);
    MPI_Bcast(from, 1, huge, 0, MPI_COMM_SELF); /* 8 GiB */
    MPI_Type_free(&huge);
    MPI_Bcast(from, 11, MPI_INT, 0, MPI_COMM_WORLD); /* 44 */
    MPI_Gather(from, 3, MPI_INT, to, 3, rank == 0 ? MPI_INT : MPI_DATATYPE_NULL, 0,
               MPI_COMM_WORLD); /* 24, 12 */
    MPI_Scatterv(from, counts, offsets, rank == 0 ? MPI_INT : MPI_DATATYPE_NULL, to, counts[rank],
                 MPI_INT, 0, MPI_COMM_WORLD);                                          /* 120, 80 */
    MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, to, 7, MPI_INT, MPI_COMM_WORLD); /* 56 */
    MPI_Iallreduce(from, to, 5, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD, &request);        /* 40 */
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Reduce_scatter(from, to, counts, MPI_INT, MPI_SUM, MPI_COMM_WORLD); /* 120 */
#if MPI_VERSION >= 4
    MPI_Alltoall_init(from, 2, MPI_INT, to, 2, MPI_INT, MPI_COMM_WORLD, MPI_INFO_NULL,
                      &request); /* 16 */
    for (int i = 0; i < 2; ++i) {
        MPI_Start(&request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    MPI_Request_free(&request);
    MPI_Isendrecv(data, 601 + rank, MPI_CHAR, 1 - rank, 6, to, 400, MPI_INT, 1 - rank, 6,
                  MPI_COMM_WORLD, &request); /* a message each way */
    MPI_Wait(&request, MPI_STATUS_IGNORE);
#endif
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    freed();
    fails();
    cancelled();
    cancelled_and_freed();
    probed();
    duplicated();
    disconnected();
    collectives();
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
