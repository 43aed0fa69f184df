// Measures MPI in tasks: the cost of a message, and the time from its arrival until the waiting
// task continues. The ways of waiting are: plain MPI, outside tasks; a blocking call in a task; a
// task that is completed by a thread that polls, with a task after it (OpenMP's detach clause).
//
//   mpi_latency pingpong plain|task BYTES ROUNDS        prints nanoseconds of half a
//                                                       round, one figure for every 100 of them
//   mpi_latency wakeup task|detach MESSAGES BUSY_US     prints the latencies in nanoseconds, sorted
//
// It needs two ranks on one machine, which share a clock. In `wakeup`, rank 1 sends from time to
// time, with the time in the message. The threads of rank 0 always run tasks of BUSY_US
// microseconds, and read the clock when the waiting task runs.
#include <mpi.h>
#include <pthread.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "bench.h"

#ifdef __clang__ // omp.h has it, but may be missing
typedef enum omp_event_handle_t { kLargestEvent = UINTPTR_MAX } omp_event_handle_t;
void omp_fulfill_event(omp_event_handle_t event);
#endif

static int rank;

// --- Ping-pong -----------------------------------------------------------------------------------

static char message[1 << 16];

enum { kRounds = 100 };

static double play(int bytes) {
    const double start = bench_now();
    for (int i = 0; i < kRounds; i++) {
        if (rank == 0)
            MPI_Send(message, bytes, MPI_CHAR, 1, 0, MPI_COMM_WORLD);
        MPI_Recv(message, bytes, MPI_CHAR, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (rank == 1)
            MPI_Send(message, bytes, MPI_CHAR, 0, 0, MPI_COMM_WORLD);
    }
    return (bench_now() - start) / kRounds / 2;
}

static void play_often(int bytes, long times, double *half) {
    for (long i = 0; i < times; i++)
        half[i] = play(bytes);
}

static void pingpong(const char *how, int bytes, long rounds) {
    const long times = rounds / kRounds + 1, warm = times / 10;
    double *half = calloc((size_t)times + (size_t)warm, sizeof *half);
    if (strcmp(how, "plain") == 0) {
        play_often(bytes, times + warm, half);
    } else {
#pragma omp parallel
#pragma omp single
#pragma omp task
        play_often(bytes, times + warm, half);
    }
    for (long i = 0; rank == 0 && i < times; i++)
        printf("%.1f\n", half[warm + i]);
    free(half);
}

// --- From arrival to the waiting task ------------------------------------------------------------

static double *latency;
static int messages, received;

static void note(int i, double sent) {
    latency[i] = bench_now() - sent;
    __atomic_add_fetch(&received, 1, __ATOMIC_RELAXED);
}

static void compute(double us) {
    const double until = bench_now() + us * 1e3;
    while (bench_now() < until)
        ;
}

// Creates tasks until all messages have arrived: a few at a time, so that no long queue delays
// them.
static void keep_busy(double us) {
    while (__atomic_load_n(&received, __ATOMIC_RELAXED) < messages) {
#pragma omp taskgroup
        for (int i = 0; i < 16; i++) {
#pragma omp task
            compute(us);
        }
    }
}

// The limit of pending receives.
enum { kWindow = 8 };

static void wait_in_tasks(double us) {
#pragma omp parallel
#pragma omp single
    {
        for (int first = 0; first < kWindow; first++) {
#pragma omp task firstprivate(first)
            for (int i = first; i < messages; i += kWindow) {
                double sent = 0;
                MPI_Recv(&sent, 1, MPI_DOUBLE, 1, first, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
                note(i, sent);
            }
        }
        keep_busy(us);
    }
}

// The polling thread's pending receives and the events that they complete.
static MPI_Request requests[kWindow];
static omp_event_handle_t events[kWindow];
static int begun[kWindow]; // set last, by the task
static int over;

static void *poll_for_ever(void *unused) {
    while (!__atomic_load_n(&over, __ATOMIC_RELAXED)) {
        int index[kWindow], found = 0;
        MPI_Request testing[kWindow];
        for (int i = 0; i < kWindow; i++)
            testing[i] =
                __atomic_load_n(&begun[i], __ATOMIC_ACQUIRE) ? requests[i] : MPI_REQUEST_NULL;
        MPI_Testsome(kWindow, testing, &found, index, MPI_STATUSES_IGNORE);
        for (int i = 0; found != MPI_UNDEFINED && i < found; i++) {
            begun[index[i]] = 0;
            omp_fulfill_event(events[index[i]]);
        }
        if (found == MPI_UNDEFINED || found == 0)
            sched_yield();
    }
    return unused;
}

static double times[kWindow];

// The chain of one slot: a task that begins the receive, and a successor that gets the message.
static void wait_by_detach(double us) {
    pthread_t poller;
    pthread_create(&poller, 0, poll_for_ever, 0);
#pragma omp parallel
#pragma omp single
    {
        for (int i = 0; i < messages; i++) {
            const int slot = i % kWindow;
            omp_event_handle_t event;
#pragma omp task depend(inout : times[slot]) detach(event)
            {
                MPI_Irecv(&times[slot], 1, MPI_DOUBLE, 1, slot, MPI_COMM_WORLD, &requests[slot]);
                events[slot] = event;
                __atomic_store_n(&begun[slot], 1, __ATOMIC_RELEASE);
            }
#pragma omp task depend(inout : times[slot]) firstprivate(i)
            note(i, times[slot]);
        }
        keep_busy(us);
    }
    __atomic_store_n(&over, 1, __ATOMIC_RELAXED);
    pthread_join(poller, 0);
}

static void send_now_and_then(void) {
    unsigned random = 1;
    for (int i = 0; i < messages; i++) {
        random = random * 1664525 + 1013904223;
        // Half a millisecond to one and a half.
        const struct timespec pause = {0, 500000 + (long)(random >> 12) % 1000000};
        nanosleep(&pause, 0);
        const double now = bench_now();
        MPI_Send(&now, 1, MPI_DOUBLE, 0, i % kWindow, MPI_COMM_WORLD);
    }
}

static int compare(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void wakeup(const char *how, int count, double us) {
    messages = count;
    latency = calloc((size_t)count, sizeof *latency);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 1) {
        send_now_and_then();
    } else {
        (strcmp(how, "task") == 0 ? wait_in_tasks : wait_by_detach)(us);
        qsort(latency, (size_t)count, sizeof *latency, compare);
        for (int i = 0; i < count; i++)
            printf("%.0f\n", latency[i]);
    }
    free(latency);
}

int main(int argc, char **argv) {
    int level = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (argc == 5 && strcmp(argv[1], "pingpong") == 0)
        pingpong(argv[2], atoi(argv[3]), atol(argv[4]));
    else if (argc == 5 && strcmp(argv[1], "wakeup") == 0)
        wakeup(argv[2], atoi(argv[3]), atof(argv[4]));
    else if (rank == 0)
        fputs("usage: see the head of mpi_latency.c\n", stderr);
    MPI_Finalize();
    return 0;
}
