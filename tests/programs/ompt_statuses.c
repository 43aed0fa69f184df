/* Checks the status that a tool gets when a thread leaves a task: at a taskyield, at the end of a
   task that met a cancellation, and of one that was discarded.
   flags: -rdynamic
   env: OMP_CANCELLATION=true */
#include "ompt_tool.h"

#include <unistd.h>

static atomic_int occupied, ran, is_done;

int main(void) {
#pragma omp parallel num_threads(2)
#pragma omp masked
    {
#pragma omp task
        {
            occupied = 1;
            while (!is_done)
                usleep(10);
        }
        while (!occupied)
            usleep(10);
#pragma omp task
        ++ran;
#pragma omp taskyield
#pragma omp taskgroup
        {
#pragma omp task
            ++ran;
#pragma omp task if (0)
            {
#pragma omp cancel taskgroup
                ++ran;
            }
        }
        is_done = 1;
    }
    return 0;
}

static void check_events(void) {
    enum { kOccupying, kTaken, kDiscarded, kCancelling, kTasks };
    CHECK(ran == 1);
    uint64_t tasks[kTasks], implicit = 0;
    int at = -1;
    for (int i = 0; i < kTasks; ++i) {
        at = find(at + 1, ompt_callback_task_create, -1, -1, -1);
        CHECK(at >= 0);
        tasks[i] = events[at].other;
        implicit = events[at].task;
    }
    const int yield =
        find(0, ompt_callback_task_schedule, ompt_task_yield, -1, (long long)implicit);
    CHECK(yield >= 0 && events[yield].other == tasks[kTaken]);
    CHECK(find(yield + 1, ompt_callback_task_schedule, ompt_task_yield, -1, -1) < 0);
    for (int i = 0; i < kTasks; ++i) {
        const int status = i <= kTaken ? ompt_task_complete : ompt_task_cancel;
        CHECK(find(0, ompt_callback_task_schedule, status, -1, (long long)tasks[i]) >= 0);
    }
    CHECK(find(0, ompt_callback_cancel, ompt_cancel_taskgroup | ompt_cancel_activated, -1,
               (long long)tasks[kCancelling]) >= 0);
    const int discarded =
        find(0, ompt_callback_cancel, ompt_cancel_taskgroup | ompt_cancel_discarded_task, -1,
             (long long)tasks[kDiscarded]);
    CHECK(discarded >= 0 && events[discarded].codeptr == NULL);
}
