/* Does what a task-aware library of CUDA does (BSC's TACUDA), on ALPI and the driver without a
   device: a task of its own, spawned, queries events, and tasks complete when events of theirs do;
   a stream for each processor. No thread blocks. */
#include "../programs/check.h"
#include "loomp/alpi.h"
#include <omp.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>

typedef struct CUstream_st *Stream;
typedef struct CUevent_st *Event;

/* The driver's functions that such a library uses. */
int cuInit(unsigned);
int cuDevicePrimaryCtxRetain(void **, int);
int cuCtxSetCurrent(void *);
int cuStreamCreate(Stream *, unsigned);
int cuStreamDestroy_v2(Stream);
int cuEventCreate(Event *, unsigned);
int cuEventRecord(Event, Stream);
int cuEventQuery(Event);
int cuEventDestroy_v2(Event);
int cuLaunchHostFunc(Stream, void (*)(void *), void *);

enum { kChains = 6, kLinks = 40, kNotReady = 600 };

typedef struct Request {
    Event event;
    struct alpi_task *task;
    struct Request *next;
} Request;

static void *context;
static Stream *streams;
static _Atomic(Request *) added; /* any task adds */
static atomic_int finishing, finished, most_pending;

static void add_request(Stream stream) {
    Request *request = malloc(sizeof *request);
    CHECK(request != NULL && alpi_task_self(&request->task) == 0 && request->task != NULL);
    CHECK(cuEventCreate(&request->event, 2) == 0);
    CHECK(cuEventRecord(request->event, stream) == 0);
    CHECK(alpi_task_events_increase(request->task, 1) == 0);
    request->next = atomic_load(&added);
    while (!atomic_compare_exchange_weak(&added, &request->next, request)) {
    }
}

/* The spawned task. */
static void poll(void *unused) {
    (void)unused;
    Request *pending = NULL;
    while (!atomic_load(&finishing)) {
        for (Request *request = atomic_exchange(&added, NULL), *next; request != NULL;
             request = next) {
            next = request->next;
            request->next = pending;
            pending = request;
        }
        int count = 0;
        for (Request **at = &pending; *at != NULL; ++count) {
            Request *request = *at;
            const int result = cuEventQuery(request->event);
            if (result == kNotReady) {
                at = &request->next;
                continue;
            }
            CHECK(result == 0);
            *at = request->next;
            CHECK(cuEventDestroy_v2(request->event) == 0);
            CHECK(alpi_task_events_decrease(request->task, 1) == 0);
            free(request);
        }
        if (count > atomic_load(&most_pending))
            atomic_store(&most_pending, count);
        CHECK(alpi_task_waitfor_ns(200000, NULL) == 0);
    }
    CHECK(pending == NULL && atomic_load(&added) == NULL);
}

static void has_finished(void *unused) {
    (void)unused;
    atomic_store(&finished, 1);
}

static void work(void *value) {
    const struct timespec time = {0, 300000};
    nanosleep(&time, NULL);
    ++*(int *)value;
}

/* The stream of the task's processor. */
static Stream own_stream(void) {
    uint64_t processor;
    CHECK(alpi_cpu_logical_id(&processor) == 0);
    CHECK(cuCtxSetCurrent(context) == 0);
    return streams[processor];
}

int main(void) {
    CHECK(cuInit(0) == 0);
    CHECK(cuDevicePrimaryCtxRetain(&context, 0) == 0);
    CHECK(cuCtxSetCurrent(context) == 0);
    uint64_t processors;
    CHECK(alpi_cpu_count(&processors) == 0 && processors >= 1);
    streams = malloc(processors * sizeof *streams);
    for (uint64_t s = 0; s < processors; ++s)
        CHECK(cuStreamCreate(&streams[s], 0) == 0);
    CHECK(alpi_task_spawn(poll, NULL, has_finished, NULL, "requests", NULL) == 0);

    int values[kChains] = {0};
#pragma omp parallel
#pragma omp single
    for (int link = 0; link < kLinks; ++link)
        for (int c = 0; c < kChains; ++c) {
#pragma omp task depend(inout : values[c]) firstprivate(link, c)
            {
                CHECK(values[c] == link);
                Stream stream = own_stream();
                CHECK(cuLaunchHostFunc(stream, work, &values[c]) == 0);
                add_request(stream);
            }
        }
    for (int c = 0; c < kChains; ++c)
        CHECK(values[c] == kLinks);
    CHECK(atomic_load(&most_pending) > 1);

    atomic_store(&finishing, 1);
    while (!atomic_load(&finished))
        CHECK(alpi_task_waitfor_ns(1000000, NULL) == 0);
    for (uint64_t s = 0; s < processors; ++s)
        CHECK(cuStreamDestroy_v2(streams[s]) == 0);
    free(streams);
    return 0;
}
