// A task with a detach clause is complete if it is discarded, or leaves its body for a
// cancellation: whether its event is fulfilled before, meanwhile, after the taskgroup, or never.
// env: OMP_CANCELLATION=true
#include "check.h"
#include "omp_decls.h"

enum { kTasks = 8 };
enum When { kNever, kBefore, kMeanwhile, kAfter };

static int ran;

static void fulfill_all(const omp_event_handle_t *events) {
    for (int i = 0; i < kTasks; ++i)
        omp_fulfill_event(events[i]);
}

/* The tasks wait for the one that cancels the taskgroup. */
static void dependent(enum When when) {
    omp_event_handle_t events[kTasks];
    int all_created = 0;
    int link = 0;
    (void)link;
    ran = 0;
#pragma omp taskgroup
    {
#pragma omp task depend(out : link) shared(all_created)
        {
            for (int seen = 0; !seen;) {
#pragma omp taskyield
#pragma omp atomic read
                seen = all_created;
            }
#pragma omp cancel taskgroup
        }
        for (int i = 0; i < kTasks; ++i) {
            omp_event_handle_t event;
#pragma omp task detach(event) depend(in : link)
            {
#pragma omp atomic
                ++ran;
            }
            events[i] = event;
        }
        if (when == kBefore)
            fulfill_all(events);
#pragma omp atomic write
        all_created = 1;
        if (when == kMeanwhile)
            fulfill_all(events);
    }
    CHECK_EQ(ran, 0);
    if (when == kAfter)
        fulfill_all(events);
}

/* A task that has begun leaves its body for the cancellation, its own or another's. */
static void begun(int cancels) {
    omp_event_handle_t event = (omp_event_handle_t)0;
    int has_begun = 0, cancelled = 0;
#pragma omp taskgroup
    {
#pragma omp task detach(event) shared(has_begun, cancelled)
        {
#pragma omp atomic write
            has_begun = 1;
            if (cancels) {
#pragma omp cancel taskgroup
            }
            for (int seen = 0; !seen;) {
#pragma omp taskyield
#pragma omp atomic read
                seen = cancelled;
            }
#pragma omp cancellation point taskgroup
            CHECK(0);
        }
        for (int seen = 0; !seen;) {
#pragma omp taskyield
#pragma omp atomic read
            seen = has_begun;
        }
        if (!cancels) {
#pragma omp task if (0)
            {
#pragma omp cancel taskgroup
            }
#pragma omp atomic write
            cancelled = 1;
        }
    }
    omp_fulfill_event(event);
}

/* The creator has left the cancelled taskgroup's first task behind. Undeferred tasks, too. */
static void created_later(int deferred) {
    omp_event_handle_t event;
    ran = 0;
#pragma omp taskgroup
    {
#pragma omp task if (0)
        {
#pragma omp cancel taskgroup
        }
#pragma omp task detach(event) if (deferred)
        {
            ++ran;
            omp_fulfill_event(event);
        }
    }
    if (deferred)
        CHECK_EQ(ran, 0);
}

static void cancelled_region(int threads) {
#pragma omp parallel num_threads(threads)
    {
        if (omp_get_thread_num() == threads - 1) {
            omp_event_handle_t event;
            int link = 0;
            int cancelled = 0;
            (void)link;
            (void)cancelled;
            for (int i = 0; i < kTasks; ++i) {
#pragma omp task detach(event) depend(inout : link)
                omp_fulfill_event(event);
            }
        }
        if (omp_get_thread_num() == 0) {
#pragma omp cancel parallel
        }
#pragma omp barrier
    }
}

/* Events of later tasks are not those of discarded ones. */
static void later_tasks_wait(void) {
    omp_event_handle_t old[kTasks];
    int link = 0;
    (void)link;
#pragma omp taskgroup
    {
#pragma omp task depend(out : link)
        {
#pragma omp cancel taskgroup
        }
        for (int i = 0; i < kTasks; ++i) {
            omp_event_handle_t event = (omp_event_handle_t)0;
#pragma omp task detach(event) depend(in : link)
            {
            }
            old[i] = event;
        }
    }
    omp_event_handle_t events[kTasks];
    int done = 0;
    int early = 0;
    for (int i = 0; i < kTasks; ++i) {
        omp_event_handle_t event;
#pragma omp task detach(event) depend(out : link)
        {
        }
        events[i] = event;
    }
    fulfill_all(old);
#pragma omp task depend(in : link) shared(early, done)
    {
#pragma omp atomic read
        early = done;
    }
    usleep(200);
#pragma omp atomic write
    done = 1;
    fulfill_all(events);
#pragma omp taskwait
    CHECK_EQ(early, 1);
}

int main(void) {
    omp_set_dynamic(0);
    CHECK(omp_get_cancellation());
    for (int round = 0; round < 30; ++round)
        for (int threads = 1; threads <= 4; threads *= 2) {
#pragma omp parallel num_threads(threads)
#pragma omp single
            {
                if (threads > 1)
                    for (int when = kNever; when <= kAfter; ++when)
                        dependent((enum When)when);
                begun(1);
                if (threads > 1)
                    begun(0);
                created_later(1);
                created_later(0);
                later_tasks_wait();
            }
            cancelled_region(threads);
        }
    return 0;
}
