/* A code that calls CUDA itself, in tasks (loomp/loomp_cuda.h), on the driver without a device. The
   streams' work waits for other tasks, so a wait that blocks a thread never ends.
 */
#include "../programs/said.h"
#include "loomp/loomp_cuda.h"
#include <omp.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>
#include <time.h>

typedef struct CUstream_st *Stream;
typedef struct CUevent_st *Event;
typedef struct CUgraphExec_st *Executable;
typedef void (*HostFunction)(void *);
typedef struct {
    HostFunction function;
    void *data;
} HostNode;

/* The driver's functions that the program uses. */
int cuInit(unsigned);
int cuDevicePrimaryCtxRetain(void **, int);
int cuCtxSetCurrent(void *);
int cuStreamCreate(Stream *, unsigned);
int cuStreamDestroy_v2(Stream);
int cuEventCreate(Event *, unsigned);
int cuEventRecord(Event, Stream);
int cuEventDestroy_v2(Event);
int cuLaunchHostFunc(Stream, HostFunction, void *);
int cuGraphCreate(void **, unsigned);
int cuGraphAddHostNode(void **, void *, const void *, size_t, const HostNode *);
int cuGraphInstantiateWithFlags(Executable *, void *, unsigned long long);
int cuGraphExecDestroy(Executable);
int cuGraphDestroy(void *);
int fakeCudaLose(int device); /* no call of CUDA's: a kernel has gone wrong */

enum { kTasks = 24 };

typedef struct {
    atomic_int *starts; /* its work begins when this is 1 */
    int value;
} Work;

static void work(void *data) {
    Work *mine = data;
    while (atomic_load(mine->starts) == 0) {
        const struct timespec time = {0, 100000};
        nanosleep(&time, NULL);
    }
    mine->value += 1;
}

static void *context;

/* The context of the task's thread. */
static void use_device(void) { CHECK(cuCtxSetCurrent(context) == 0); }

static Stream new_stream(void) {
    Stream stream;
    use_device();
    CHECK(cuStreamCreate(&stream, 0) == 0);
    return stream;
}

static void wait_in_tasks(Work *works, Stream *streams) {
#pragma omp parallel
#pragma omp single
    {
        atomic_int starts = 0;
        int seen[kTasks] = {0};
        for (int i = 0; i < kTasks; ++i) {
            works[i] = (Work){&starts, i};
#pragma omp task shared(seen)
            {
                use_device();
                CHECK(cuLaunchHostFunc(streams[i], work, &works[i]) == 0);
                if (i % 2 == 0) {
                    CHECK(loomp_cuda_wait_stream(streams[i]) == 0);
                } else {
                    Event event;
                    CHECK(cuEventCreate(&event, 0) == 0);
                    CHECK(cuEventRecord(event, streams[i]) == 0);
                    CHECK(loomp_cuda_wait_event(event) == 0);
                    CHECK(cuEventDestroy_v2(event) == 0);
                }
                seen[i] = works[i].value;
            }
        }
#pragma omp task shared(starts)
        atomic_store(&starts, 1);
#pragma omp taskwait
        for (int i = 0; i < kTasks; ++i)
            CHECK(seen[i] == i + 1);
    }
}

static void bind_tasks(Work *works, Stream *streams) {
#pragma omp parallel
#pragma omp single
    {
        atomic_int starts = 0;
        int seen[kTasks] = {0};
        for (int i = 0; i < kTasks; ++i) {
            works[i] = (Work){&starts, i};
#pragma omp task depend(out : works[i])
            {
                use_device();
                CHECK(cuLaunchHostFunc(streams[i], work, &works[i]) == 0);
                CHECK(loomp_cuda_bind_stream(streams[i]) == 0);
            }
#pragma omp task depend(in : works[i]) shared(seen)
            seen[i] = works[i].value;
        }
#pragma omp task shared(starts)
        atomic_store(&starts, 1);
#pragma omp taskwait
        for (int i = 0; i < kTasks; ++i)
            CHECK(seen[i] == i + 1);
    }
}

/* An event stands for the work in its stream when it was recorded. Later work in the stream does
   not delay tasks bound to the event. If there are two events, both count. */
static void bind_to_events(Work *works, Stream *streams) {
#pragma omp parallel
#pragma omp single
    {
        atomic_int starts = 0, later = 0, bound = 0;
        Work behind[kTasks];
        Event events[kTasks], others[kTasks];
        int seen[kTasks] = {0};
        for (int i = 0; i < kTasks; ++i) {
            works[i] = (Work){&starts, i};
            behind[i] = (Work){&later, i};
#pragma omp task depend(out : works[i]) shared(behind, events, others, bound)
            {
                use_device();
                CHECK(cuEventCreate(&events[i], 0) == 0 && cuEventCreate(&others[i], 0) == 0);
                CHECK(cuLaunchHostFunc(streams[i], work, &works[i]) == 0);
                CHECK(cuEventRecord(events[i], streams[i]) == 0);
                if (i % 2 == 0) {
                    CHECK(cuLaunchHostFunc(streams[i], work, &works[i]) == 0);
                    CHECK(cuEventRecord(others[i], streams[i]) == 0);
                }
                CHECK(cuLaunchHostFunc(streams[i], work, &behind[i]) == 0);
                CHECK(loomp_cuda_bind_event(events[i]) == 0);
                if (i % 2 == 0)
                    CHECK(loomp_cuda_bind_event(others[i]) == 0);
                CHECK(works[i].value == i); /* binding does not wait */
                atomic_fetch_add(&bound, 1);
            }
#pragma omp task depend(in : works[i]) shared(seen, events, others)
            {
                seen[i] = works[i].value;
                use_device();
                CHECK(cuEventDestroy_v2(events[i]) == 0 && cuEventDestroy_v2(others[i]) == 0);
            }
        }
        while (atomic_load(&bound) < kTasks) {
#pragma omp taskyield
        }
        atomic_store(&starts, 1);
#pragma omp taskwait
        for (int i = 0; i < kTasks; ++i) {
            CHECK(seen[i] == i + (i % 2 == 0 ? 2 : 1));
            CHECK(behind[i].value == i);
        }
        atomic_store(&later, 1);
        use_device();
        for (int i = 0; i < kTasks; ++i) {
            CHECK(loomp_cuda_wait_stream(streams[i]) == 0);
            CHECK(behind[i].value == i + 1);
        }
    }
}

/* If a device reports an error, calls return it, and a bound task still completes. */
static void lose_device(Stream stream) {
    const int illegal_address = 700;
    Event event;
    use_device();
    CHECK(cuEventCreate(&event, 0) == 0);
    listen_to_stderr();
#pragma omp parallel
#pragma omp single
    {
        atomic_int starts = 0, bound = 0;
        Work mine = {&starts, 0};
        int after = 0;
#pragma omp task depend(out : mine) shared(mine, bound)
        {
            use_device();
            CHECK(cuLaunchHostFunc(stream, work, &mine) == 0);
            CHECK(cuEventRecord(event, stream) == 0);
            CHECK(loomp_cuda_bind_event(event) == 0);
            atomic_store(&bound, 1);
        }
#pragma omp task depend(in : mine) shared(after)
        after = 1;
        while (atomic_load(&bound) == 0) {
#pragma omp taskyield
        }
        CHECK(fakeCudaLose(0) == 0);
        atomic_store(&starts, 1);
#pragma omp taskwait
        CHECK(after == 1);
    }
    check_said("a task was bound to an event of CUDA's, and its device reports an error: ", 1);
    CHECK(loomp_cuda_bind_event(event) == illegal_address);
    CHECK(loomp_cuda_wait_event(event) == illegal_address);
    CHECK(cuEventDestroy_v2(event) == 0);
}

static void run_graphs(Work *works, Stream *streams) {
#pragma omp parallel
#pragma omp single
    {
        atomic_int starts = 0;
        for (int i = 0; i < 4; ++i) {
            works[i] = (Work){&starts, i};
#pragma omp task
            {
                void *graph, *node;
                Executable executable;
                const HostNode host = {work, &works[i]};
                use_device();
                CHECK(cuGraphCreate(&graph, 0) == 0);
                CHECK(cuGraphAddHostNode(&node, graph, NULL, 0, &host) == 0);
                CHECK(cuGraphInstantiateWithFlags(&executable, graph, 0) == 0);
                CHECK(loomp_cuda_run_graph(executable, streams[i]) == 0);
                CHECK(works[i].value == i + 1);
                CHECK(cuGraphExecDestroy(executable) == 0);
                CHECK(cuGraphDestroy(graph) == 0);
            }
        }
#pragma omp task shared(starts)
        atomic_store(&starts, 1);
#pragma omp taskwait
    }
}

int main(void) {
    CHECK(cuInit(0) == 0);
    CHECK(cuDevicePrimaryCtxRetain(&context, 0) == 0);
    Stream streams[kTasks];
    Work works[kTasks];
    for (int i = 0; i < kTasks; ++i)
        streams[i] = new_stream();
    for (int round = 0; round < 5; ++round) {
        wait_in_tasks(works, streams);
        bind_tasks(works, streams);
        bind_to_events(works, streams);
        run_graphs(works, streams);
    }
    /* Outside of regions the thread waits. */
    atomic_int starts = 1;
    Work alone = {&starts, 6};
    CHECK(cuLaunchHostFunc(streams[0], work, &alone) == 0);
    CHECK(loomp_cuda_wait_stream(streams[0]) == 0);
    CHECK(alone.value == 7);
    CHECK(cuLaunchHostFunc(streams[0], work, &alone) == 0);
    CHECK(loomp_cuda_bind_stream(streams[0]) == 0);
    CHECK(alone.value == 8);
    Event event;
    CHECK(cuEventCreate(&event, 0) == 0);
    CHECK(cuLaunchHostFunc(streams[0], work, &alone) == 0);
    CHECK(cuEventRecord(event, streams[0]) == 0);
    CHECK(loomp_cuda_bind_event(event) == 0);
    CHECK(alone.value == 9);
    CHECK(cuEventDestroy_v2(event) == 0);
    /* A value that is no stream. */
    const int invalid_handle = 400;
    CHECK(loomp_cuda_wait_stream((Stream)8) == invalid_handle);
    lose_device(streams[0]);
    for (int i = 0; i < kTasks; ++i)
        CHECK(cuStreamDestroy_v2(streams[i]) == 0);
    return 0;
}
