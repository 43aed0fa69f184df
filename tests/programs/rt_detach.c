// detach: a task completes with its event, fulfilled from inside, by another task, by another
// thread.
#include <pthread.h>
#include <string.h>

#include "check.h"
#include "omp_decls.h"

static void *fulfill_later(void *event) {
    usleep(300);
    omp_fulfill_event((omp_event_handle_t)(size_t)event);
    return NULL;
}

static void outside(omp_event_handle_t event) {
    pthread_t thread;
    pthread_create(&thread, NULL, fulfill_later, (void *)(size_t)event);
    pthread_detach(thread);
}

static int happened;
static omp_event_handle_t event_of[2];

/* Any successor of a task begins after the task's event. */
static void check_happened(void) { CHECK_EQ(__atomic_load_n(&happened, __ATOMIC_RELAXED), 1); }

static void fulfill_soon(omp_event_handle_t event) {
#pragma omp task firstprivate(event)
    {
        usleep(200);
        __atomic_store_n(&happened, 1, __ATOMIC_RELAXED);
        omp_fulfill_event(event);
    }
}

/* An undeferred task with an event: its creator waits for its code only, later siblings for its
   event, whichever clause they have. */
static void undeferred(int kind, int condition) {
    int x = 0;
    (void)x;
    omp_event_handle_t event = (omp_event_handle_t)0;
    happened = 0;
    if (kind == 1) {
#pragma omp task if (condition) detach(event) depend(mutexinoutset : x)
        fulfill_soon(event);
#pragma omp task depend(mutexinoutset : x)
        check_happened();
    } else if (kind == 2) {
#pragma omp task if (condition) detach(event) depend(in : x)
        fulfill_soon(event);
#pragma omp task depend(inout : x)
        check_happened();
    } else {
#pragma omp task if (condition) detach(event) depend(out : x)
        fulfill_soon(event);
        if (kind == 0) {
#pragma omp task depend(in : x)
            check_happened();
        } else if (kind == 3) {
#pragma omp task depend(inout : x) if (condition)
            check_happened();
        } else {
#pragma omp taskwait depend(in : x)
            check_happened();
        }
    }
#pragma omp taskwait
    check_happened();
}

#ifdef __clang__
/* The creator fulfils the event after the undeferred task, which neither libgomp nor gcc's programs
   can do: libgomp waits for it. */
static void fulfilled_afterwards(void) {
    int x = 0, after = 0;
    (void)x;
    omp_event_handle_t event = (omp_event_handle_t)0;
#pragma omp task if (0) detach(event) depend(out : x)
    event_of[0] = event;
#pragma omp task depend(in : x) shared(after)
    {
        check_happened();
        __atomic_store_n(&after, 1, __ATOMIC_RELAXED);
    }
#pragma omp task if (0) detach(event)
    event_of[1] = event;
    CHECK_EQ(__atomic_load_n(&after, __ATOMIC_RELAXED), 0);
    happened = 1;
    omp_fulfill_event(event_of[0]);
    omp_fulfill_event(event_of[1]);
#pragma omp taskwait
    CHECK_EQ(after, 1);
}

/* Tasks of a final task are undeferred, too. The event is fulfilled by another thread. */
static void *fulfill_now(void *event) {
    usleep(200);
    __atomic_store_n(&happened, 1, __ATOMIC_RELAXED);
    omp_fulfill_event((omp_event_handle_t)(size_t)event);
    return NULL;
}
static void included(void) {
    int x = 0;
    (void)x;
    omp_event_handle_t event = (omp_event_handle_t)0;
    pthread_t thread;
    happened = 0;
#pragma omp task detach(event) depend(out : x) shared(thread)
    pthread_create(&thread, NULL, fulfill_now, (void *)(size_t)event);
#pragma omp task depend(in : x)
    check_happened();
    pthread_join(thread, NULL);
}
#endif

int main(void) {
    for (int threads = 1; threads <= 4; ++threads)
        for (int repeat = 0; repeat < 5; ++repeat) {
#pragma omp parallel num_threads(threads)
#pragma omp single
            {
                for (int kind = 0; kind < 5; ++kind)
                    undeferred(kind, 0);
#ifdef __clang__
                happened = 0;
                fulfilled_afterwards();
#pragma omp task final(1)
                included();
#endif
            }
#ifdef __clang__
            included();
#endif
        }

    omp_set_dynamic(0);
    for (int round = 0; round < 100; ++round) {
        int inside = 0, after = 0, x = 0, waited = 0;
        (void)x;
        omp_event_handle_t event = 0, later = 0, group = 0;
#pragma omp parallel num_threads(round % 4 + 1)
#pragma omp single
        {
#pragma omp task detach(event) depend(out : x) shared(inside)
            {
                inside = 1;
                if (round % 2)
                    omp_fulfill_event(event);
            }
            if (round % 2 == 0)
                outside(event);
#pragma omp task depend(in : x) shared(inside, after)
            {
                CHECK_EQ(inside, 1);
                after = 1;
            }
#pragma omp taskwait
            CHECK_EQ(after, 1);

#pragma omp task detach(later) shared(waited)
            waited++;
#pragma omp task shared(later)
            omp_fulfill_event(later);
#pragma omp taskwait
            CHECK_EQ(waited, 1);

#pragma omp taskgroup
            {
#pragma omp task detach(group) shared(waited)
                {
#pragma omp task shared(waited)
                    {
#pragma omp atomic
                        waited++;
                    }
                }
                outside(group);
            }
            CHECK_EQ(waited, 2);
        }
        CHECK_EQ(waited, 2);
        // The barrier at a region's end waits for events as well.
#pragma omp parallel num_threads(3)
        {
#pragma omp single nowait
            {
#pragma omp task detach(event) shared(waited)
                waited = 3;
                outside(event);
            }
        }
        CHECK_EQ(waited, 3);
    }
    return 0;
}
