/* Functions that a poller calls back make their calls and regions for the task that a tool knows of
   on that thread: the one below, or the implicit task of a thread whose tasks are suspended.
   Between regions that is an initial task, which lasts as long as the function.
   flags: -rdynamic
   env: LOOMP_PROGRESS_BOUND=infinite OMP_MAX_ACTIVE_LEVELS=3 */
#define LOOMP_WEAK
#include "ompt_tool.h"

#include <loomp/experimental.h>
#include <loomp/loomp.h>
#include <omp.h>

enum { kRounds = 50, kTasks = 4 };
static atomic_int calls, unknown, wrong, waiting;
static loomp_suspension_t suspensions[kTasks];

static void use(void *unused) {
    (void)unused;
    ompt_data_t *task = NULL;
    int flags = 0, sum = 0;
    if (tool_get_task_info(0, &flags, &task, NULL, NULL, NULL) == 0 || number(task) == 0)
        atomic_fetch_add(&unknown, 1);
    if (atomic_fetch_add(&calls, 1) < 20) {
#pragma omp parallel num_threads(2) reduction(+ : sum)
        {
#pragma omp task shared(sum)
            {
#pragma omp atomic
                sum += 10;
            }
#pragma omp taskwait
        }
        atomic_fetch_add(&wrong, sum != 20);
    }
}

/* The tasks wait until all are suspended and the function has been called. */
static int poll(void *unused) {
    loomp_run_in_own_task(use, unused);
    if (atomic_load(&waiting) < kTasks)
        return 0;
    atomic_store(&waiting, 0);
    for (int i = 0; i < kTasks; ++i)
        loomp_resume(&suspensions[i]);
    return kTasks;
}

int main(void) {
    loomp_poller_t *poller = loomp_poller_register("own", poll, NULL);
    loomp_poller_expect(poller, 1);
    for (int round = 0; round < kRounds; ++round)
#pragma omp parallel num_threads(2 + round % 2)
#pragma omp single
        for (int i = 0; i < kTasks; ++i)
#pragma omp task
        {
            loomp_poller_expect(poller, 1);
            atomic_fetch_add(&waiting, 1);
            loomp_suspend(&suspensions[i]);
        }
    loomp_poller_unregister(poller);
    CHECK(wrong == 0);
    return 0;
}

static void check_events(void) {
    CHECK(calls >= kRounds);
    CHECK(unknown == 0);
    CHECK(count(ompt_callback_parallel_begin, -1, -1) >= kRounds + 20);
}
