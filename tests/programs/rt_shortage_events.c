// Without stacks, a task begins although no taskwait or taskgroup waits for it, if the program
// could not continue otherwise: it fulfils an event, it is a predecessor, or it holds a lock.
//
// env: LOOMP_MAX_STACKS=1
#include "check.h"
#include "kept_stderr.h"
#define LOOMP_WEAK
#include "loomp/loomp.h"
#include "omp_decls.h"

enum { kTasks = 2 };

static _Atomic int done;

static void child_fulfils(void) {
    omp_event_handle_t event = (omp_event_handle_t)0;
#pragma omp task detach(event)
    {
#pragma omp task firstprivate(event)
        omp_fulfill_event(event);
    }
#pragma omp taskwait
    ++done;
}

static void grandchild_fulfils(void) {
    omp_event_handle_t event = (omp_event_handle_t)0;
#pragma omp task detach(event)
    {
#pragma omp task firstprivate(event)
        {
#pragma omp task firstprivate(event)
            omp_fulfill_event(event);
        }
    }
#pragma omp taskwait
    ++done;
}

static void fulfil_once_known(const omp_event_handle_t *event, const _Atomic int *known) {
    while (!*known) {
#pragma omp taskyield
    }
    omp_fulfill_event(*event);
}

static void child_of_a_sibling_fulfils(void) {
    omp_event_handle_t event = (omp_event_handle_t)0, mine = event;
    _Atomic int known = 0;
#pragma omp task detach(event) shared(mine, known)
    {
        mine = event;
        known = 1;
    }
#pragma omp task shared(mine, known)
    {
#pragma omp task shared(mine, known)
        fulfil_once_known(&mine, &known);
    }
#pragma omp taskwait
    ++done;
}

static void child_releases(void) {
#pragma omp task
    {
        loomp_held_task_t *held = loomp_hold_task(1);
        CHECK(held != NULL);
#pragma omp task firstprivate(held)
        loomp_release_task(held, 1);
    }
#pragma omp taskwait
    ++done;
}

static void predecessor_of_a_group(void) {
    int x = 0;
#pragma omp task shared(x) depend(out : x)
    x = 1;
#pragma omp task shared(x) depend(inout : x)
    x *= 3;
#pragma omp taskgroup
    {
#pragma omp task shared(x) depend(inout : x)
        x += 2;
    }
    CHECK_EQ(x, 5);
#pragma omp taskwait
    ++done;
}

// The first one holds the lock until its event.
static void holder_before_a_group(void) {
    int x = 0;
    omp_event_handle_t event = (omp_event_handle_t)0;
#pragma omp task shared(x) depend(mutexinoutset : x) detach(event)
    {
        ++x;
#pragma omp task firstprivate(event)
        omp_fulfill_event(event);
    }
#pragma omp task shared(x) depend(mutexinoutset : x)
    ++x;
#pragma omp taskgroup
    {
#pragma omp task shared(x) depend(mutexinoutset : x)
        ++x;
    }
#pragma omp taskwait
    CHECK_EQ(x, 3);
    ++done;
}

static void fulfilled_outside_a_group(void) {
    omp_event_handle_t event = (omp_event_handle_t)0, mine = event;
    _Atomic int known = 0;
#pragma omp task shared(mine, known)
    fulfil_once_known(&mine, &known);
#pragma omp taskgroup
    {
#pragma omp task detach(event) shared(mine, known)
        {
            mine = event;
            known = 1;
        }
    }
#pragma omp taskwait
    ++done;
}

static void run(void (*body)(void), int threads) {
    done = 0;
#pragma omp parallel num_threads(threads)
#pragma omp single
    {
        for (int i = 0; i < kTasks; ++i) {
#pragma omp task firstprivate(body)
            body();
        }
#pragma omp taskwait
        // A region of its own.
#pragma omp task firstprivate(body)
        {
#pragma omp parallel num_threads(2)
#pragma omp single
            {
#pragma omp task firstprivate(body)
                body();
#pragma omp taskwait
            }
        }
#pragma omp taskwait
    }
    CHECK_EQ(done, kTasks + 1);
}

int main(void) {
    void (*const bodies[])(void) = {
        child_fulfils,          grandchild_fulfils,    child_of_a_sibling_fulfils, child_releases,
        predecessor_of_a_group, holder_before_a_group, fulfilled_outside_a_group,
    };
    keep_stderr();
    omp_set_max_active_levels(2);
    for (int threads = 1; threads <= 4; threads *= 2)
        for (unsigned i = 0; i < sizeof bodies / sizeof *bodies; ++i)
            run(bodies[i], threads);
    CHECK_EQ(count_warnings(), 1);
    return 0;
}
