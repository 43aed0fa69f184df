/* Locks, critical, ordered and masked regions, loops, sections, single, reductions, cancellation
   and omp_control_tool(), as a tool sees them.
   flags: -rdynamic
   env: OMP_CANCELLATION=true */
#include "ompt_tool.h"

#include <dlfcn.h>
#include <omp.h>

enum { kThreads = 4 };

static int lock_taken, controlled;

static void locks(void) {
    omp_lock_t lock;
    omp_nest_lock_t nest;
    omp_init_lock(&lock);
    omp_init_nest_lock(&nest);
#pragma omp parallel num_threads(kThreads)
    {
        omp_set_lock(&lock);
        ++lock_taken;
        omp_unset_lock(&lock);
    }
    CHECK(omp_test_lock(&lock));
    CHECK(!omp_test_lock(&lock));
    omp_unset_lock(&lock);
    omp_set_nest_lock(&nest);
    CHECK(omp_test_nest_lock(&nest) == 2);
    omp_unset_nest_lock(&nest);
    omp_unset_nest_lock(&nest);
    omp_destroy_nest_lock(&nest);
    omp_destroy_lock(&lock);
}

static void regions(void) {
    int sum = 0, order = 0, in_critical = 0;
#pragma omp parallel num_threads(kThreads)
    {
#pragma omp critical
        ++in_critical;
#pragma omp masked
        ++order;
#pragma omp barrier
#pragma omp for schedule(dynamic, 10) ordered
        for (int i = 0; i < 40; ++i) {
#pragma omp ordered
            ++order;
        }
#pragma omp for schedule(dynamic, 7) reduction(+ : sum)
        for (int i = 0; i < 70; ++i)
            sum += i;
#pragma omp single
        ++order;
#pragma omp sections
        {
#pragma omp section
            (void)0;
#pragma omp section
            (void)0;
        }
    }
    CHECK(sum == 69 * 70 / 2 && order == 42 && in_critical == kThreads);
}

static void cancels(void) {
#pragma omp parallel num_threads(2)
    {
#pragma omp cancel parallel
    }
}

int main(void) {
    /* gcc's omp.h does not declare it. */
    int (*control)(int, int, void *) =
        (int (*)(int, int, void *))dlsym(RTLD_DEFAULT, "omp_control_tool");
    CHECK(control != NULL);
    controlled = control(3, 5, &controlled);
    locks();
    regions();
    cancels();
    return 0;
}

static void check_events(void) {
    CHECK(lock_taken == kThreads);
    const int control = find(0, ompt_callback_control_tool, -1, -1, -1);
    CHECK(control >= 0 && events[control].value == 3 && events[control].other == 5);
    CHECK(controlled == 7);

    CHECK(count(ompt_callback_lock_init, ompt_mutex_lock, -1) == 1);
    CHECK(count(ompt_callback_lock_init, ompt_mutex_nest_lock, -1) == 1);
    CHECK(count(ompt_callback_lock_destroy, -1, -1) == 2);
    CHECK(count(ompt_callback_mutex_acquire, ompt_mutex_lock, -1) == kThreads);
    CHECK(count(ompt_callback_mutex_acquired, ompt_mutex_lock, -1) == kThreads);
    CHECK(count(ompt_callback_mutex_released, ompt_mutex_lock, -1) == kThreads + 1);
    CHECK(count(ompt_callback_mutex_acquire, ompt_mutex_test_lock, -1) == 2);
    CHECK(count(ompt_callback_mutex_acquired, ompt_mutex_test_lock, -1) == 1);
    CHECK(count(ompt_callback_mutex_acquired, ompt_mutex_nest_lock, -1) == 1);
    CHECK(count(ompt_callback_nest_lock, -1, ompt_scope_begin) == 1);
    CHECK(count(ompt_callback_nest_lock, -1, ompt_scope_end) == 1);
    const uint64_t id = events[find(0, ompt_callback_lock_init, ompt_mutex_lock, -1, -1)].value;
    for (int i = find(0, ompt_callback_mutex_acquired, ompt_mutex_lock, -1, -1); i >= 0;
         i = find(i + 1, ompt_callback_mutex_acquired, ompt_mutex_lock, -1, -1))
        CHECK(events[i].value == id && events[i].codeptr != NULL);

    CHECK(count(ompt_callback_mutex_acquired, ompt_mutex_critical, -1) >= kThreads);
#ifdef __clang__ /* of the tool's sake none is atomic */
    CHECK(count(ompt_callback_reduction, -1, ompt_scope_begin) == kThreads);
#endif
    CHECK(count(ompt_callback_mutex_acquired, ompt_mutex_ordered, -1) == 40);
    CHECK(count(ompt_callback_masked, -1, ompt_scope_begin) <= 1);
    CHECK(count(ompt_callback_work, ompt_work_loop_dynamic, ompt_scope_begin) == 2 * kThreads);
    CHECK(count(ompt_callback_work, ompt_work_single_executor, ompt_scope_begin) == 1);
    CHECK(count(ompt_callback_work, ompt_work_single_other, ompt_scope_begin) == kThreads - 1);
    CHECK(count(ompt_callback_work, ompt_work_sections, ompt_scope_begin) == kThreads);
    int chunks = 0;
    unsigned long iterations = 0;
    for (int i = find(0, ompt_callback_dispatch, ompt_dispatch_ws_loop_chunk, -1, -1); i >= 0;
         i = find(i + 1, ompt_callback_dispatch, ompt_dispatch_ws_loop_chunk, -1, -1)) {
        ++chunks;
        iterations += events[i].value;
    }
    CHECK(chunks == 4 + 10 && iterations == 40 + 70);
    const int cancel = find(0, ompt_callback_cancel, -1, -1, -1);
    CHECK(cancel >= 0 && (events[cancel].kind & ompt_cancel_parallel) != 0);
    CHECK((events[cancel].kind & (ompt_cancel_activated | ompt_cancel_detected)) != 0);
}
