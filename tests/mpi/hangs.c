/* Hangs in the way that its argument names, on three ranks: each has one culprit, and calls of
 * other tasks wait because of it. usage: hangs
 * tag|early|communicator|missing|request|cycle|event|lock|collective|order|outside|requests */
#include "check.h"

#include <omp.h>
#include <string.h>

static MPI_Comm twin;
static int is(const char *kind, const char *wanted) { return strcmp(kind, wanted) == 0; }

static void receive(int from, int tag) {
    int value;
    MPI_Recv(&value, 1, MPI_INT, from, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void send_wrong(const char *kind) {
    int value = 0;
    if (is(kind, "early"))
        MPI_Send(&value, 1, MPI_INT, 0, 9999, MPI_COMM_WORLD);
    else if (is(kind, "communicator"))
        MPI_Ssend(&value, 1, MPI_INT, 0, 7, twin); /* communicator */
    else if (is(kind, "tag"))
        MPI_Ssend(&value, 1, MPI_INT, 0, 9999, MPI_COMM_WORLD); /* tag */
}

static void take_lock(omp_lock_t *lock) { omp_set_lock(lock); }

static void collectives(int first) {
#pragma omp task
    {
        int value = 0;
        if (first == 0)
            MPI_Bcast(&value, 1, MPI_INT, 0, twin);
        else
            MPI_Barrier(twin);
    }
}

/* All ranks wait outside tasks. */
static void wait_outside(const char *kind) {
    int values[2];
    MPI_Request requests[2];
    if (is(kind, "requests")) {
        for (int i = 0; i < 2; ++i)
            MPI_Irecv(&values[i], 1, MPI_INT, (rank + 1) % 3, i, MPI_COMM_WORLD, &requests[i]);
        MPI_Send(&rank, 1, MPI_INT, (rank + 2) % 3, 0, MPI_COMM_WORLD);
        MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    } else if (rank == 2) {
        receive(0, 7);
    } else {
        MPI_Barrier(MPI_COMM_WORLD);
    }
}

int main(int argc, char **argv) {
    const char *kind = argc > 1 ? argv[1] : "";
    start_mpi(&argc, &argv);
    CHECK_MPI(MPI_Comm_dup(MPI_COMM_WORLD, &twin));
    CHECK_MPI(MPI_Comm_set_name(twin, "twin"));
    omp_lock_t lock;
    omp_init_lock(&lock);
    int ready = 0;
    if (is(kind, "outside") || is(kind, "requests"))
        wait_outside(kind);
#pragma omp parallel
#pragma omp single
    {
        if (is(kind, "tag") || is(kind, "early") || is(kind, "communicator")) {
            if (rank == 0)
#pragma omp task
                receive(1, 7);
            if (rank == 1)
#pragma omp task
                send_wrong(kind);
            for (int i = 0; i < 3; ++i)
#pragma omp task
                receive((rank + 2) % 3, 20 + i);
        } else if (is(kind, "missing")) {
            if (rank == 0)
#pragma omp task
                receive(1, 7);
        } else if (is(kind, "request")) {
            if (rank == 0)
#pragma omp task
            {
                MPI_Request request;
                MPI_Irecv(&ready, 1, MPI_INT, 1, 5, twin, &request);
                MPI_Wait(&request, MPI_STATUS_IGNORE);
            }
        } else if (is(kind, "cycle")) {
#pragma omp task
            {
                receive((rank + 1) % 3, 7);
                MPI_Send(&ready, 1, MPI_INT, (rank + 2) % 3, 7, MPI_COMM_WORLD);
            }
        } else if (is(kind, "event")) {
            omp_event_handle_t event;
            if (rank == 1) {
#pragma omp task detach(event) depend(out : ready)
                ;
#pragma omp task depend(in : ready)
                MPI_Send(&ready, 1, MPI_INT, 0, 7, MPI_COMM_WORLD);
            }
            if (rank != 1)
#pragma omp task
                receive(1, 7);
        } else if (is(kind, "lock")) {
            if (rank == 0)
                take_lock(&lock);
            if (rank == 0)
#pragma omp task
                take_lock(&lock);
            if (rank != 0)
#pragma omp task
                receive(0, 7);
        } else if (is(kind, "collective")) {
            collectives(rank == 0);
        } else if (is(kind, "order")) {
            if (rank == 0)
                for (int step = 0; step < 3; ++step)
#pragma omp task
                    receive(1, 7);
            if (rank == 1)
#pragma omp task
                receive(0, 8);
        }
    }
    omp_destroy_lock(&lock);
    CHECK_MPI(MPI_Comm_free(&twin));
    return end_mpi();
}
