// Locks whose holder is suspended, waits for tasks, or created the task that waits: no task waits
// forever, with any number of threads.
#include "check.h"
#include "omp_decls.h"

static omp_lock_t lock;
static omp_nest_lock_t nest;
static long inside, sum;

static void enter(int kind) {
    if (kind == 0)
        omp_set_lock(&lock);
    else
        omp_set_nest_lock(&nest);
    CHECK_EQ(inside, 0);
    inside = 1;
}

static void leave(int kind) {
    inside = 0;
    if (kind == 0)
        omp_unset_lock(&lock);
    else
        omp_unset_nest_lock(&nest);
}

/* A queue is so long that further tasks are run where they are created, by a creator that
   holds the lock they want. */
static void created_while_held(int threads, int kind) {
    sum = 0;
#pragma omp parallel num_threads(threads)
#pragma omp single
    {
        for (int i = 0; i < 400 * threads; ++i) {
#pragma omp task
            usleep(1);
        }
        enter(kind);
        for (int i = 0; i < 20; ++i) {
#pragma omp task firstprivate(kind)
            {
                enter(kind);
                ++sum;
                leave(kind);
            }
        }
        leave(kind);
    }
    CHECK_EQ(sum, 20);
}

static void count_in_critical(void) {
#pragma omp critical(held)
    ++sum;
}

static void critical_while_held(int threads) {
    sum = 0;
#pragma omp parallel num_threads(threads)
#pragma omp single
#pragma omp critical(held)
    for (int i = 0; i < 1000; ++i) {
#pragma omp task
        count_in_critical();
    }
    CHECK_EQ(sum, 1000);
}

/* Held across scheduling points. */
static void held_while(int threads, int kind, int tasks) {
    sum = 0;
#pragma omp parallel num_threads(threads)
#pragma omp single
    for (int i = 0; i < tasks; ++i) {
#pragma omp task firstprivate(kind, i) untied
        {
            int done = 0;
            if (i % 5 == 0) {
#pragma omp taskyield
            }
#pragma omp task firstprivate(kind, i) shared(done)
            {
                enter(kind);
                const long seen = sum;
                if (i % 3 == 0) {
#pragma omp taskyield
                } else if (i % 3 == 1) {
#pragma omp task shared(done)
                    {
#pragma omp taskyield
                        done = 1;
                    }
#pragma omp taskwait
                    CHECK_EQ(done, 1);
                }
                sum = seen + 1;
                leave(kind);
            }
#pragma omp taskwait
        }
    }
    CHECK_EQ(sum, tasks);
}

/* If the compiler makes parts of an untied task, the holder is a queued task. */
static void untied_holders(int threads) {
    sum = 0;
#pragma omp parallel num_threads(threads)
#pragma omp single
    for (int i = 0; i < 200; ++i) {
#pragma omp task untied
        {
            enter(0);
#pragma omp taskyield
            ++sum;
            leave(0);
        }
    }
    CHECK_EQ(sum, 200);
}

/* Many tasks are suspended for the lock at once, and the holder waits for one that comes last. */
static void waiters_before_the_awaited(int threads) {
    sum = 0;
#pragma omp parallel num_threads(threads)
#pragma omp single
    {
        int opened = 0;
#pragma omp task shared(opened)
        {
            enter(0);
            int open = 0;
            while (!open) {
#pragma omp taskyield
#pragma omp atomic read
                open = opened;
            }
            leave(0);
        }
        for (int i = 0; i < 500; ++i) {
#pragma omp task
            {
                enter(0);
                ++sum;
                leave(0);
            }
        }
#pragma omp task shared(opened)
        {
#pragma omp atomic write
            opened = 1;
        }
#pragma omp taskwait
    }
    CHECK_EQ(sum, 500);
}

/* Two locks, always in this order, by tasks that yield in between. */
static void two_locks(int threads) {
    static omp_lock_t first;
    omp_init_lock(&first);
    sum = 0;
#pragma omp parallel num_threads(threads)
#pragma omp single
    for (int i = 0; i < 200; ++i) {
#pragma omp task
        {
            omp_set_lock(&first);
#pragma omp taskyield
            enter(1);
#pragma omp taskyield
            ++sum;
            leave(1);
            omp_unset_lock(&first);
        }
    }
    omp_destroy_lock(&first);
    CHECK_EQ(sum, 200);
}

int main(void) {
    omp_set_dynamic(0);
    omp_init_lock(&lock);
    omp_init_nest_lock(&nest);
    const int threads[] = {1, 2, 8};
    for (int i = 0; i < 3; ++i) {
        for (int kind = 0; kind < 2; ++kind) {
            created_while_held(threads[i], kind);
            held_while(threads[i], kind, 300);
        }
        critical_while_held(threads[i]);
        waiters_before_the_awaited(threads[i]);
        untied_holders(threads[i]);
        two_locks(threads[i]);
    }
    omp_destroy_lock(&lock);
    omp_destroy_nest_lock(&nest);
    return 0;
}
