/* A tool gets an event's fulfilment once, from the thread that fulfils it: early and before the
   task's completion, or late and after the end of its code. The tool's callbacks keep one of the
   two threads in between, until the other one has come to its part.
   flags: -rdynamic -Wno-uninitialized */
#include "ompt_tool.h"

#include <omp.h>
#include <pthread.h>
#include <unistd.h>

/* event_first: the body ends while the tool gets the event. body_first: the reverse. */
static enum { event_first, body_first } order;
static atomic_int body_runs, in_early, body_returns, body_ended;
static pthread_t fulfiller, told_by;

static void wait_for(atomic_int *flag) {
    while (!atomic_load(flag))
        usleep(100);
}

static void hold_window_open(ompt_task_status_t status) {
    const int moment = 5000; /* the other thread comes to its report, and waits */
    if (status == ompt_task_early_fulfill || status == ompt_task_late_fulfill)
        told_by = pthread_self();
    if (status == ompt_task_early_fulfill) {
        atomic_store(&in_early, 1);
        if (order == event_first) {
            wait_for(&body_returns);
            usleep(moment);
        }
    }
    if (status == ompt_task_detach || status == ompt_task_complete) {
        atomic_store(&body_ended, 1);
        if (order == body_first)
            usleep(moment);
    }
}

static omp_event_handle_t event;

static void *fulfill(void *unused) {
    (void)unused;
    wait_for(order == event_first ? &body_runs : &body_ended);
    fulfiller = pthread_self();
    omp_fulfill_event(event);
    return NULL;
}

static void race(int which) {
    order = which;
    body_runs = in_early = body_returns = body_ended = 0;
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
            atomic_store(&body_returns, 1);
        }
        pthread_create(&thread, NULL, fulfill, NULL);
#pragma omp taskwait
    }
    pthread_join(thread, NULL);
    CHECK(pthread_equal(told_by, fulfiller));
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
    CHECK(events[early].task == events[complete].task && early < complete);
    CHECK(events[detach].task == events[late].task && detach < late);
}
