/* A library observes that the program seems to hang: all threads are idle while an operation of its
 * poller is pending, or wait in its calls outside tasks. It gets the lost events and the locks that
 * nobody releases, and frames of those that wait.
 * env: LOOMP_REPORT_STUCK_AFTER=100ms
 * threads: 2 */
#define LOOMP_WEAK
#include "loomp/experimental.h"

#include <omp.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static atomic_int has_run;
static atomic_int begun, looks, done, ended; /* of the reporter's thread and of main() */
static loomp_suspension_t never = LOOMP_SUSPENSION_INIT;
static omp_event_handle_t event;
static loomp_code_point_t point; /* of the call outside tasks */
static void *_Atomic caller;     /* of that call; null: there is none yet */

#define CHECK(condition)                                                                           \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            fprintf(stderr, "%s:%d: %s does not hold\n", __FILE__, __LINE__, #condition);          \
            exit(1);                                                                               \
        }                                                                                          \
    } while (0)

static int poll(void *data) {
    (void)data;
    if (!done)
        return 0;
    omp_fulfill_event(event);
    loomp_resume(&never);
    return 1;
}

static void begin(void *data) {
    CHECK(strcmp(data, "the data") == 0 && !begun);
    begun = 1;
}

static void look_outside(void) {
    const void *frames[4];
    const int count = loomp_frames_of_point(&point, frames, 4);
    CHECK(count == 0 || (count >= 2 && frames[1] == caller));
    if (++looks == 3)
        done = 1;
}

static void look(void *data, double seconds, int others_pend) {
    char events[1000], locks[1000] = "some";
    CHECK(strcmp(data, "the data") == 0 && begun && !ended);
    if (caller != NULL) {
        look_outside();
        return;
    }
    CHECK(seconds >= 0.05 && !others_pend);
    CHECK(loomp_lost_events(events, sizeof events) == strlen(events));
    CHECK(strncmp(events, "nobody has fulfilled the event of a detached task", 49) == 0);
    const void *frames[8];
    const int count = loomp_suspended_frames(&never, frames, 8);
    CHECK(count >= 0 && count <= 8 && /* without libdw, there are none */
          (count == 0 || frames[0] != NULL));
    CHECK(loomp_held_locks(locks, sizeof locks) == 0 && locks[0] == '\0');
    if (++looks == 3)
        done = 1;
}

static void end(void *data) {
    CHECK(strcmp(data, "the data") == 0 && looks >= 3);
    ended = 1;
}

static long describe(void *data, char *text, size_t size, int is_late, int for_signal) {
    (void)data, (void)text, (void)size, (void)is_late, (void)for_signal;
    return 0;
}

__attribute__((noinline)) static void call_outside(void) {
    caller = __builtin_return_address(0);
    loomp_note_code_point(&point);
    loomp_begin_outside_wait();
    while (!done)
        usleep(1000);
    loomp_end_outside_wait();
}

int main(void) {
    static const loomp_hang_observer_t observer = {begin, look, end, describe};
    loomp_poller_t *poller = loomp_poller_register("observed", poll, "the data");
    CHECK(loomp_report_stuck_after() > 0.09 && loomp_report_stuck_after() < 0.11);
    loomp_observe_hangs(poller, &observer);
#pragma omp parallel
#pragma omp single
    {
        omp_event_handle_t made;
#pragma omp task detach(made)
        has_run = 1;
        event = made;
        loomp_poller_expect(poller, 1);
#pragma omp task
        loomp_suspend(&never);
    }
    CHECK(has_run);
    while (!ended)
        usleep(1000);
    begun = looks = 0;
    done = ended = 0;
    call_outside();
    while (!ended)
        usleep(1000);
    loomp_end_outside_wait(); /* nothing happens */
    loomp_poller_unregister(poller);
    return 0;
}
