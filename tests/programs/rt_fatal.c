/* Programs that get no memory or no threads print a line, and continue if possible.

   flags: -D_GNU_SOURCE
   threads: 2 */
#include <omp.h>

#include "dies.h"
#define LOOMP_WEAK
#include "loomp/loomp.h"

static _Atomic int ran;

static void allocate_too_much(void) {
    omp_alloctrait_t traits[] = {{omp_atk_fallback, omp_atv_abort_fb}};
    const omp_allocator_handle_t allocator = omp_init_allocator(omp_default_mem_space, 1, traits);
    omp_alloc((size_t)1 << 55, allocator);
}

/* Tasks that cannot run before all exist. */
static void create_too_many(void) {
    int gate = 0;
    (void)gate;
    ran = omp_get_max_threads(); // starts the runtime
    limit_memory((size_t)32 << 20);
#pragma omp parallel num_threads(1)
    {
        omp_event_handle_t event = (omp_event_handle_t)0;
#pragma omp task depend(out : gate) detach(event)
        ;
        for (int i = 0; i < 10000000; i++) {
#pragma omp task depend(in : gate)
            ran++;
        }
        omp_fulfill_event(event);
    }
}

static void depend_on_too_much(void) {
    enum { kCount = 4000000 };
    static char data[kCount];
    loomp_dependences_t *set = loomp_dependences_create();
    loomp_dependences_add_array(set, LOOMP_DEPEND_IN, data, kCount, 1);
    limit_memory((size_t)1 << 20);
#pragma omp parallel num_threads(1)
    {
        loomp_next_task_depends(set);
#pragma omp task depend(inout : ran)
        ran++;
    }
}

static int poll_once(void *data) {
    *(_Atomic int *)data = 1;
    return 1;
}
/* Workers poll between tasks. */
static void poll_without_thread(void) {
    static _Atomic int polled;
    loomp_poller_t *poller = loomp_poller_register("once", poll_once, (void *)&polled);
#pragma omp parallel num_threads(1)
    {
        limit_memory((size_t)4 << 20);
        loomp_poller_expect(poller, 1);
        while (!polled) {
#pragma omp taskyield
        }
        _exit(9);
    }
}

/* A region has the threads that it gets. */
static void few_threads(void) {
    ran = omp_get_max_threads();
    limit_memory((size_t)4 << 20);
    int threads = 0;
    for (int i = 0; i < 2; i++) {
#pragma omp parallel num_threads(2)
#pragma omp single
        threads = omp_get_num_threads();
    }
    _exit(threads == 1 ? 7 : 8);
}

int main(void) {
    check_dies(allocate_too_much, kAborts,
               "loomp: out of memory: 36028797018963968 bytes from an OpenMP allocator");
#if !defined(__SANITIZE_THREAD__) && !defined(__SANITIZE_ADDRESS__)
    check_dies(create_too_many, kAborts, " bytes for tasks could not be mapped");
    check_dies(depend_on_too_much, kAborts,
               "loomp: out of memory: a task with 4000001 dependences");
    check_dies(poll_without_thread, 9,
               "loomp: cannot create the thread for strong progress (Resource temporarily "
               "unavailable): while all threads compute, nobody polls. Raise the limit of "
               "processes (ulimit -u), or set LOOMP_PROGRESS_BOUND=infinite");
    check_dies(
        few_threads, 7,
        "loomp: cannot create thread number 2 (Resource temporarily unavailable): regions run "
        "with fewer threads. Lower OMP_NUM_THREADS or OMP_STACKSIZE, or raise the limit of "
        "processes (ulimit -u)");
#endif
    return 0;
}
