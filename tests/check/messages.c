/* Messages of tasks, with a race and without one: messages NAME ok|race, on two ranks. */
#include <mpi.h>
#include <omp.h>
#include <stdio.h>
#include <string.h>

#include "loomp/TAMPI.h"
#include "loomp/mpi-detach.h"

enum { kCount = 64 };
static int race, rank, other;
static int data[kCount], more[kCount];

static void fill(int *to) {
    for (int i = 0; i < kCount; ++i)
        to[i] = i;
}
static int sum(const int *of) {
    int all = 0;
    for (int i = 0; i < kCount; ++i)
        all += of[i];
    return all;
}
static void send(const int *from, int tag) {
    MPI_Send(from, kCount, MPI_INT, other, tag, MPI_COMM_WORLD);
}
static void receive(int *to, int tag) {
    MPI_Recv(to, kCount, MPI_INT, other, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static volatile int result;

/* A task reads what another one receives. */
static void received(void) {
    if (rank == 0)
        send(more, 0);
    if (rank != 1)
        return;
#pragma omp task depend(out : data)
    receive(data, 0);
    if (race) {
#pragma omp task
        result = sum(data);
    } else {
#pragma omp task depend(in : data)
        result = sum(data);
    }
}
/* A later task overwrites what is sent. */
static void sent(void) {
    if (rank == 1)
        receive(more, 0);
    if (rank != 0)
        return;
#pragma omp task depend(in : data)
    send(data, 0);
#pragma omp task depend(out : data[race])
    fill(data);
}
/* The memory belongs to the call until the wait. */
static void before_wait(void) {
    MPI_Request request;
    if (rank == 0) {
        send(more, 0);
        return;
    }
    MPI_Irecv(data, kCount, MPI_INT, other, 0, MPI_COMM_WORLD, &request);
    if (race)
        result = sum(data);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    result = sum(data);
}
/* One task starts the call, the next one waits, the third one reads. */
static void wait_of_another(void) {
    static MPI_Request request;
    if (rank == 0) {
        send(more, 0);
        return;
    }
#pragma omp task depend(out : request, data)
    MPI_Irecv(data, kCount, MPI_INT, other, 0, MPI_COMM_WORLD, &request);
    if (race) {
#pragma omp task depend(in : data)
        result = sum(data);
#pragma omp task depend(inout : request)
        MPI_Waitall(1, &request, MPI_STATUSES_IGNORE);
    } else {
#pragma omp task depend(inout : request, data)
        while (1) {
            int done = 0;
            MPI_Test(&request, &done, MPI_STATUS_IGNORE);
            if (done)
                break;
#pragma omp taskyield
        }
#pragma omp task depend(in : data)
        result = sum(data);
    }
}
/* The task completes with its call. */
static void bound(void) {
    if (rank == 0) {
        send(more, 0);
        return;
    }
#pragma omp task depend(out : data)
    {
        MPI_Request request;
        MPI_Irecv(data, kCount, MPI_INT, other, 0, MPI_COMM_WORLD, &request);
        TAMPI_Iwait(&request, MPI_STATUS_IGNORE);
        if (race)
            result = data[0];
    }
#pragma omp task depend(in : data)
    result = sum(data);
}
static void fulfil(void *event) { omp_fulfill_event((omp_event_handle_t)event); }
static void detached(void) {
    if (rank == 0) {
        send(more, 0);
        return;
    }
    omp_event_handle_t event;
#pragma omp task depend(out : data) detach(event)
    {
        MPI_Request request;
        MPI_Irecv(data, kCount, MPI_INT, other, 0, MPI_COMM_WORLD, &request);
        MPIX_Detach(&request, fulfil, (void *)event);
    }
    if (race) {
#pragma omp task
        result = sum(data);
    } else {
#pragma omp task depend(in : data)
        result = sum(data);
    }
}
/* Two tasks receive messages of one envelope. */
static void envelope(void) {
    if (rank == 0) {
        send(more, 0);
        send(more, race ? 0 : 1);
        return;
    }
#pragma omp task
    receive(data, 0);
#pragma omp task
    receive(more, race ? 0 : 1);
}
static void envelope_in_order(void) {
    if (rank == 0) {
        send(more, 0);
        send(more, 0);
        return;
    }
#pragma omp task depend(out : data)
    receive(data, 0);
    if (race) {
#pragma omp task depend(out : more)
        receive(more, 0);
    } else {
#pragma omp task depend(inout : data) depend(out : more)
        receive(more, 0);
    }
}
/* A column of a matrix is sent, and another one written meanwhile. */
static void column(void) {
    static int matrix[8][8];
    if (rank == 1) {
        MPI_Recv(more, 8, MPI_INT, other, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        return;
    }
    MPI_Datatype type;
    MPI_Type_vector(8, 1, 8, MPI_INT, &type);
    MPI_Type_commit(&type);
#pragma omp task
    MPI_Send(&matrix[0][2], 1, type, other, 0, MPI_COMM_WORLD);
#pragma omp task
    for (int i = 0; i < 8; ++i)
        matrix[i][race ? 2 : 3] = 1;
#pragma omp taskwait
    MPI_Type_free(&type);
}
static void persistent(void) {
    MPI_Request request;
    if (rank == 0) {
        send(more, 0);
        send(more, 0);
        return;
    }
    MPI_Recv_init(data, kCount, MPI_INT, other, 0, MPI_COMM_WORLD, &request);
    for (int i = 0; i < 2; ++i) {
        MPI_Start(&request);
        if (race)
            data[0] = 1;
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        result = sum(data);
    }
    MPI_Request_free(&request);
}
static void exchange(void) {
#pragma omp task depend(in : more) depend(out : data)
    MPI_Sendrecv(more, kCount, MPI_INT, other, 0, data, kCount, MPI_INT, other, 0, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
#pragma omp task depend(out : more[race]) depend(in : data[race])
    {
        result = sum(data);
        fill(more);
    }
}
static void collective(void) {
#pragma omp task depend(in : data) depend(out : more)
    MPI_Allreduce(data, more, kCount, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (race) {
#pragma omp task
        result = sum(more);
    } else {
#pragma omp task depend(in : more)
        result = sum(more);
    }
}
static void collective_begun(void) {
    MPI_Request request;
    fill(data);
    MPI_Ibcast(data, kCount, MPI_INT, 0, MPI_COMM_WORLD, &request);
    if (race)
        data[rank == 0 ? 0 : 1] = 5;
    else
        result = rank == 0 ? sum(data) : 0;
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    result = sum(data);
}
/* Ranks may make the collectives of a communicator in different orders. */
static void order_of_collectives(void) {
    MPI_Comm twin;
    MPI_Comm_dup(MPI_COMM_WORLD, &twin);
#pragma omp task
    MPI_Bcast(data, kCount, MPI_INT, 0, MPI_COMM_WORLD);
#pragma omp task
    MPI_Bcast(more, kCount, MPI_INT, 0, race ? MPI_COMM_WORLD : twin);
#pragma omp taskwait
    MPI_Comm_free(&twin);
}

static const struct {
    const char *name;
    void (*run)(void);
} messages[] = {{"received", received},
                {"sent", sent},
                {"before_wait", before_wait},
                {"wait_of_another", wait_of_another},
                {"bound", bound},
                {"detached", detached},
                {"envelope", envelope},
                {"envelope_in_order", envelope_in_order},
                {"column", column},
                {"persistent", persistent},
                {"exchange", exchange},
                {"collective", collective},
                {"collective_begun", collective_begun},
                {"order_of_collectives", order_of_collectives}};

int main(int argc, char **argv) {
    if (argc != 3) {
        for (size_t i = 0; i < sizeof messages / sizeof *messages; ++i)
            puts(messages[i].name);
        return 0;
    }
    int provided = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    other = 1 - rank;
    race = strcmp(argv[2], "race") == 0;
    for (size_t i = 0; i < sizeof messages / sizeof *messages; ++i)
        if (strcmp(argv[1], "all") == 0 || strcmp(argv[1], messages[i].name) == 0) {
#pragma omp parallel
#pragma omp single
            messages[i].run();
            MPI_Barrier(MPI_COMM_WORLD);
        }
    MPI_Finalize();
    return 0;
}
