/* Calls that get no memory at all end the program, with a line that names its purpose.

   link: alpi
   flags: -D_GNU_SOURCE
   threads: 2
   sanitizers: no */
#include <errno.h>
#include <omp.h>
#include <stdlib.h>

#include "dies.h"
#include "loomp/alpi.h"
#define LOOMP_WEAK
#include "loomp/loomp.h"

/* From here on there is no memory. */
static _Atomic int exhausted;

void *__libc_malloc(size_t);
void *__libc_calloc(size_t, size_t);
void *__libc_realloc(void *, size_t);
void *__libc_memalign(size_t, size_t);

static void *none(void) {
    errno = ENOMEM;
    return NULL;
}
void *malloc(size_t bytes) { return exhausted ? none() : __libc_malloc(bytes); }
void *calloc(size_t count, size_t bytes) {
    return exhausted ? none() : __libc_calloc(count, bytes);
}
void *realloc(void *old, size_t bytes) { return exhausted ? none() : __libc_realloc(old, bytes); }
void *aligned_alloc(size_t alignment, size_t bytes) {
    return exhausted ? none() : __libc_memalign(alignment, bytes);
}

static int unused;

static struct alpi_task *self(void) {
    struct alpi_task *task = NULL;
    CHECK_EQ(alpi_task_self(&task), ALPI_SUCCESS);
    return task;
}

/* It is noted that the task is not to block. */
static void unblock(void) {
#pragma omp parallel num_threads(1)
#pragma omp task
    {
        struct alpi_task *const task = self();
        exhausted = 1;
        alpi_task_unblock(task);
    }
}

static void run_again(void) {
#pragma omp parallel num_threads(1)
#pragma omp task
    {
        struct alpi_task *const task = self();
        exhausted = 1;
        alpi_task_suspend(task);
    }
}

static void add_events(void) {
#pragma omp parallel num_threads(1)
    {
        struct alpi_task *const task = self();
        exhausted = 1;
        alpi_task_events_increase(task, 1);
    }
}

/* Tasks that read what one writes that is not complete, when there is no memory any more for the
 * last `late` of `all`. */
static void read_what_is_written(int all, int late) {
    static int written;
    (void)written;
#pragma omp parallel num_threads(1)
    {
        omp_event_handle_t event = (omp_event_handle_t)0;
#pragma omp task depend(out : written) detach(event)
        ;
        for (int i = 0; i < all; i++) {
            exhausted = i >= all - late;
#pragma omp task depend(in : written)
            unused++;
        }
        exhausted = 1;
        omp_fulfill_event(event);
    }
}
static void depend(void) { read_what_is_written(100, 80); }
static void release(void) { read_what_is_written(1000, 0); }

static void fork_team(void) {
    omp_set_dynamic(0); /* the thread uses OpenMP */
    exhausted = 1;
#pragma omp parallel num_threads(1)
    unused++;
}

static void keep_graph(void) {
    static int x;
#pragma omp parallel num_threads(2)
#pragma omp single
    LOOMP_PERSISTENT(0)
    for (int i = 0; i < 100000; i++) {
        exhausted = i > 8;
#pragma omp task depend(inout : x)
        x++;
    }
}

static void fork_larger_team(void) {
#pragma omp parallel num_threads(2)
#pragma omp atomic
    unused++;
    exhausted = 1;
#pragma omp parallel num_threads(64)
#pragma omp atomic
    unused++;
}

static void meet_many_constructs(void) {
#pragma omp parallel num_threads(1)
    {
        exhausted = 1;
        for (int i = 0; i < 100; i++) {
#pragma omp for schedule(dynamic) nowait
            for (int j = 0; j < 1; j++)
                unused++;
        }
    }
}

static void make_event(void) {
#pragma omp parallel num_threads(1)
    {
        omp_event_handle_t event = (omp_event_handle_t)0;
        exhausted = 1;
#pragma omp task detach(event)
        omp_fulfill_event(event);
    }
}

/* Entry points of libgomp that gcc's programs call. */
void GOMP_parallel_start(void (*code)(void *), void *data, unsigned threads);
_Bool GOMP_loop_start(long begin, long end, long step, long schedule, long chunk, long *first,
                      long *last, unsigned long *reductions, void **memory);
#pragma weak GOMP_parallel_start
#pragma weak GOMP_loop_start

static void do_nothing(void *data) { (void)data; }
static void start_region(void) {
    omp_set_dynamic(0);
    exhausted = 1;
    GOMP_parallel_start(do_nothing, NULL, 1);
}

/* inscan reductions have memory of that size. */
static void loop_with_memory(void) {
#pragma omp parallel num_threads(1)
    {
        long first, last;
        void *memory = (void *)(1ul << 60);
        GOMP_loop_start(0, 10, 1, 2, 1, &first, &last, NULL, &memory);
    }
}

static void use_openmp_first(void) {
    exhausted = 1;
    omp_set_dynamic(0);
}

int main(void) {
    check_dies(use_openmp_first, kAborts, "loomp: out of memory: ");
    check_dies(start_region, kAborts, "loomp: out of memory: a parallel region");
    check_dies(loop_with_memory, kAborts,
               "loomp: out of memory: 1152921504606846976 bytes for a loop");
    check_dies(unblock, kAborts, "loomp: out of memory: a task that is blocked");
    check_dies(run_again, kAborts, "loomp: out of memory: a task that is run again");
    check_dies(add_events, kAborts, "loomp: out of memory: events of a task");
    check_dies(depend, kAborts, "loomp: out of memory: table of task dependences");
    check_dies(release, kAborts, "loomp: out of memory: a queue of ");
    check_dies(fork_team, kAborts, "loomp: out of memory: a team of threads");
    check_dies(meet_many_constructs, kAborts, "loomp: out of memory: worksharing of 1 threads");
    check_dies(make_event, kAborts, "loomp: out of memory: the event of a task");
    check_dies(keep_graph, kAborts, "bytes for a persistent graph");
    check_dies(fork_larger_team, kAborts, "loomp: out of memory: a team of 64 threads");
    return 0;
}
