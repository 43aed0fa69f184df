/* Measures the cost of task-aware MPI: messages between tasks of two ranks, with TAMPI's names, so
 * that one source runs on libloomp-mpi and on TAMPI's own library over loomp's ALPI. With -DPLAIN,
 * the cases that need no such library run on MPI alone. bench/tampi runs it; it prints "CASE
 * NANOSECONDS" on rank 0, the median of several repetitions.
 *
 * Claim: each case costs on libloomp-mpi at most as much as on TAMPI's own library. */
#include <mpi.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#ifndef PLAIN
#include <TAMPI.h>
#endif

enum { REPETITIONS = 7, MESSAGES = 1000, SIZE = 8 };

static int rank, peer;
static char in[MESSAGES][SIZE], out[MESSAGES][SIZE];

static int by_time(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

static void measure(const char *name, void (*run)(int), int count) {
    double times[REPETITIONS];
    for (int i = -1; i < REPETITIONS; ++i) {
        MPI_Barrier(MPI_COMM_WORLD);
        const double start = MPI_Wtime();
        run(count);
        if (i >= 0)
            times[i] = (MPI_Wtime() - start) / count * 1e9;
    }
    qsort(times, REPETITIONS, sizeof times[0], by_time);
    if (rank == 0)
        printf("%s %.0f\n", name, times[REPETITIONS / 2]);
    fflush(stdout);
}

/* One way of a message, there and back again. */
static void pingpong(int count) {
    for (int i = 0; i < count / 2; ++i) {
        if (rank == 0)
            MPI_Send(out[0], SIZE, MPI_CHAR, peer, 1, MPI_COMM_WORLD);
        MPI_Recv(in[0], SIZE, MPI_CHAR, peer, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (rank == 1)
            MPI_Send(out[0], SIZE, MPI_CHAR, peer, 1, MPI_COMM_WORLD);
    }
}

#ifndef PLAIN

static void pingpong_in_task(int count) {
#pragma omp parallel
#pragma omp single
#pragma omp task
    pingpong(count);
}

/* Every receive is begun before the sends are: each task waits. */
static void receives_in_tasks(int count) {
#pragma omp parallel
#pragma omp single
    {
        for (int i = 0; i < count; ++i) {
#pragma omp task firstprivate(i)
            MPI_Recv(in[i], SIZE, MPI_CHAR, peer, i, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        }
        for (int i = 0; i < count; ++i) {
#pragma omp task firstprivate(i)
            MPI_Send(out[i], SIZE, MPI_CHAR, peer, i, MPI_COMM_WORLD);
        }
    }
}

/* Tasks complete with their messages, and others wait for them. */
static void bound_receives(int count) {
#pragma omp parallel
#pragma omp single
    {
        for (int i = 0; i < count; ++i) {
#pragma omp task firstprivate(i) depend(out : in[i][0])
            TAMPI_Irecv(in[i], SIZE, MPI_CHAR, peer, i, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#pragma omp task firstprivate(i) depend(in : in[i][0])
            out[i][0] = in[i][0];
        }
        for (int i = 0; i < count; ++i) {
#pragma omp task firstprivate(i)
            TAMPI_Isend(out[i], SIZE, MPI_CHAR, peer, i, MPI_COMM_WORLD);
        }
    }
}

/* One message after the other: the time from a message's arrival to the start of the waiting task.
 */
static void chain_of_receives(int count) {
    char link;
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < count / 2; ++i) {
#pragma omp task depend(inout : link)
        if (rank == 0)
            TAMPI_Isend(out[0], SIZE, MPI_CHAR, peer, 1, MPI_COMM_WORLD);
#pragma omp task depend(inout : link)
        TAMPI_Irecv(in[0], SIZE, MPI_CHAR, peer, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#pragma omp task depend(inout : link)
        if (rank == 1)
            TAMPI_Isend(out[0], SIZE, MPI_CHAR, peer, 1, MPI_COMM_WORLD);
    }
}

/* The message has arrived before the receive. */
static void receives_of_arrived(int count) {
    MPI_Request requests[MESSAGES];
    for (int i = 0; i < count; ++i)
        MPI_Isend(out[i], SIZE, MPI_CHAR, peer, i, MPI_COMM_WORLD, &requests[i]);
    MPI_Barrier(MPI_COMM_WORLD);
#pragma omp parallel
#pragma omp single
#pragma omp task
    for (int i = 0; i < count; ++i)
        MPI_Recv(in[i], SIZE, MPI_CHAR, peer, i, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    for (int i = 0, done = 0; i < count; i += done)
        MPI_Test(&requests[i], &done, MPI_STATUS_IGNORE);
}

#endif

int main(int argc, char **argv) {
    int provided = 0;
#ifdef PLAIN
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
#else
    MPI_Init_thread(&argc, &argv, MPI_TASK_MULTIPLE, &provided);
    if (provided != MPI_TASK_MULTIPLE) {
        fprintf(stderr, "bench/tampi.c: MPI_TASK_MULTIPLE is not provided\n");
        return 1;
    }
#endif
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    peer = 1 - rank;
#ifdef PLAIN
    measure("pingpong", pingpong, 2000);
#else
    measure("pingpong", pingpong_in_task, 2000);
    measure("chain", chain_of_receives, 2000);
    measure("receives", receives_in_tasks, MESSAGES);
    measure("bound", bound_receives, MESSAGES);
    measure("arrived", receives_of_arrived, MESSAGES);
#endif
    MPI_Finalize();
    return 0;
}
