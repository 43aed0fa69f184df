/* A tool gets an event's fulfilment once, reported as early or late, and a matching end of the
   task's code, in either order. The tool's callbacks keep one of the two threads in between until
   the other has done its part.
   flags: -rdynamic -Wno-uninitialized */
#include "ompt_tool.h"

#include <omp.h>
#include <pthread.h>
#include <unistd.h>

/* event_first: the body ends while the tool gets the event. body_first: the reverse.
 */
static enum { event_first, body_first } order;
static atomic_int body_runs, in_early, body_ended, event_done;

static void wait_for(atomic_int *flag) {
    while (!atomic_load(flag))
        usleep(100);
}

static void hold_window_open(ompt_task_status_t status) {
    if (status == ompt_task_early_fulfill) {
        atomic_store(&in_early, 1);
        if (order == event_first) {
            wait_for(&body_ended);
            usleep(5000); /* until that thread has left the task */
        }
    }
    if (status == ompt_task_detach || status == ompt_task_complete) {
        atomic_store(&body_ended, 1);
        if (order == body_first)
            wait_for(&event_done);
    }
}

static omp_event_handle_t event;

static void *fulfill(void *unused) {
    (void)unused;
    wait_for(order == event_first ? &body_runs : &body_ended);
    omp_fulfill_event(event);
    atomic_store(&event_done, 1);
    return NULL;
}

static void race(int which) {
    order = which;
    body_runs = in_early = body_ended = event_done = 0;
    pthread_t thread;
#pragma omp parallel num_threads(2)
#pragma omp masked
    {
        omp_event_handle_t handle;
#pragma omp task detach(handle)
        {
            event = handle;
            atomic_store(&body_runs, 1);
            if (order == event_first)
                wait_for(&in_early);
        }
        pthread_create(&thread, NULL, fulfill, NULL);
#pragma omp taskwait
    }
    pthread_join(thread, NULL);
}

int main(void) {
    in_task_schedule = hold_window_open;
    race(event_first);
    race(body_first);
    in_task_schedule = NULL;
    return 0;
}

static void check_events(void) {
    const ompt_callbacks_t schedule = ompt_callback_task_schedule;
    const int early = find(0, schedule, ompt_task_early_fulfill, -1, -1);
    const int late = find(0, schedule, ompt_task_late_fulfill, -1, -1);
    const int complete = find(0, schedule, ompt_task_complete, -1, -1);
    const int detach = find(0, schedule, ompt_task_detach, -1, -1);
    CHECK(count(schedule, ompt_task_early_fulfill, -1) == 1);
    CHECK(count(schedule, ompt_task_late_fulfill, -1) == 1);
    CHECK(count(schedule, ompt_task_complete, -1) == 1);
    CHECK(count(schedule, ompt_task_detach, -1) == 1);
    if (early < 0 || late < 0 || complete < 0 || detach < 0)
        return;
    CHECK(events[early].task == events[complete].task);
    CHECK(events[detach].task == events[late].task && detach < late);
}
