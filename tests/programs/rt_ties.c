// A tied task runs on one thread, whatever runs it in place inside an untied one. An untied task
// that has a thread's copy of a reduction stays with the thread, too.
//
// threads: 2
#include <pthread.h>
#include <sys/syscall.h>

#include "check.h"
#include "omp_decls.h"

#define NOINLINE __attribute__((noinline))

enum { kTasks = 40, kTries = 1000 };

static NOINLINE long me(void) { return syscall(SYS_gettid); }

// Lets a task go first that keeps the thread busy: meanwhile, another thread may continue the
// caller, unless it is tied.
static NOINLINE void go_away(void) {
    static _Atomic unsigned calls;
    const unsigned time = ++calls * 37 % 200; // or threads would finish together
#pragma omp task                              // another thread may take the oldest one
    usleep(1);
#pragma omp task
    usleep(time);
#pragma omp taskyield
}

// Begins the task that the caller has just created on a stack of its own, where no frames are tied.
// clang's untied tasks begin with an empty part.
static NOINLINE void begin(void) {
#pragma omp taskyield
#pragma omp taskyield
}

static _Atomic int moves, runs;

static NOINLINE void stay(void) {
    const long before = me();
    for (int i = 0; i < 3; ++i) {
        go_away();
        if (me() != before)
            ++moves;
    }
#pragma omp taskwait
    if (me() != before)
        ++moves;
    ++runs;
}

static NOINLINE void move(void) {
    const long before = me();
    go_away();
    if (me() != before)
        ++moves;
}

// Runs `body`, which calls stay() so many times, in untied tasks.
static void in_untied(void (*body)(void), int times) {
    moves = runs = 0;
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < kTasks; ++i) {
#pragma omp task untied firstprivate(body)
        body();
        begin();
    }
    CHECK_EQ(moves, 0);
    CHECK_EQ(runs, kTasks * times);
}

static void deferred(void) {
#pragma omp task
    stay();
}

static void undeferred(void) {
    int x = 0;
    (void)x;
#pragma omp task if (0)
    stay();
#pragma omp task if (0) mergeable
    stay();
#pragma omp task if (0) depend(inout : x)
    stay();
#pragma omp task if (0)
    {
        stay();
#pragma omp task if (0) untied
        stay();
    }
}

static void undeferred_in_untied(void) {
#pragma omp task if (0) untied
    {
#pragma omp task if (0)
        stay();
#pragma omp task if (0)
        stay();
    }
}

static void included(void) {
#pragma omp task untied final(1)
    {
#pragma omp task
        stay();
#pragma omp task if (0) mergeable
        stay();
#pragma omp taskloop grainsize(1)
        for (int k = 0; k < 4; ++k)
            stay();
    }
}

static void undeferred_taskloop(void) {
#pragma omp taskloop if (0) grainsize(1)
    for (int k = 0; k < 4; ++k)
        stay();
}

static void region(void) {
#pragma omp parallel num_threads(1)
    stay();
#pragma omp parallel if (0)
    {
        stay();
#pragma omp task untied
        {
#pragma omp task if (0)
            stay();
        }
    }
}

#ifndef __clang__ // without devices, clang's target region is a part of the task
static void target(void) {
#pragma omp target
    stay();
}
#endif

static void in_place(void) {
    in_untied(deferred, 1);
    in_untied(undeferred, 5);
    in_untied(undeferred_in_untied, 2);
    in_untied(included, 6);
    in_untied(undeferred_taskloop, 4);
    in_untied(region, 3);
#ifndef __clang__
    in_untied(target, 1);
#endif
}

// An untied task is untied again after a tied one that ran in it.
static void released(void) {
    for (int kind = 0; kind < 4; ++kind) {
        moves = 0;
        for (int tried = 0; tried < kTries && moves == 0; ++tried) {
#pragma omp parallel num_threads(2 + tried % 3)
#pragma omp single
            for (int i = 0; i < 8; ++i) {
#pragma omp task untied firstprivate(kind)
                {
                    if (kind == 1) {
#pragma omp task if (0)
                        go_away();
                    } else if (kind == 2) {
#pragma omp taskloop if (0)
                        for (int k = 0; k < 2; ++k)
                            go_away();
                    } else if (kind == 3) {
#pragma omp parallel num_threads(1)
                        go_away();
                    }
                    move();
                }
                begin();
                if (i % 3 == tried % 3) {
#pragma omp taskyield
                }
            }
        }
        CHECK(moves > 0);
    }
}

// --- Copies of reductions ------------------------------------------------------------------------

static pthread_mutex_t copies_mutex = PTHREAD_MUTEX_INITIALIZER;
static struct {
    const void *copy;
    long thread;
} copies[256];
static int copy_count;

// Checks that one thread only uses the copy.
static NOINLINE void use(const void *copy) {
    pthread_mutex_lock(&copies_mutex);
    int i = 0;
    while (i < copy_count && copies[i].copy != copy)
        ++i;
    CHECK(i < 256);
    if (i == copy_count) {
        ++copy_count;
        copies[i].copy = copy;
        copies[i].thread = me();
    }
    CHECK_EQ(copies[i].thread, me());
    pthread_mutex_unlock(&copies_mutex);
}

typedef struct {
    long sum;
    long count;
} Mean;
#pragma omp declare reduction(merge:Mean : omp_out.sum += omp_in.sum,                              \
                                  omp_out.count += omp_in.count)                                   \
    initializer(omp_priv = (Mean){0, 0})

static NOINLINE void add(long *to) {
    ++*to;
    for (int i = 0; i < 3; ++i) {
        go_away();
        use(to);
    }
    ++*to;
}

static void reductions(int threads) {
    long sum = 0, other = 0;
    long row[8] = {0};
    Mean mean = {0, 0};

    copy_count = 0;
#pragma omp parallel num_threads(threads)
#pragma omp single
#pragma omp taskgroup task_reduction(+ : sum, other) task_reduction(+ : row[2 : 4])                \
    task_reduction(merge : mean)
    for (int i = 0; i < kTasks; ++i) {
#pragma omp task untied in_reduction(+ : sum, other)
        {
            // In clang's task, the pointer is kept from one part to the next.
            long *kept = &sum;
            ++*kept;
            go_away();
#pragma omp taskyield
            use(kept);
            ++*kept;
#pragma omp taskwait
            use(kept);
            CHECK(kept == &sum);
            add(&other);
        }
#pragma omp task untied in_reduction(+ : row[2 : 4]) firstprivate(i)
        add(&row[2 + i % 4]);
#pragma omp task untied in_reduction(merge : mean)
        {
            add(&mean.sum);
            // Its child takes part, on whatever thread it runs.
#pragma omp task untied in_reduction(merge : mean)
            add(&mean.count);
        }
#pragma omp task untied if (0) in_reduction(+ : sum)
        add(&sum);
        begin();
    }
    CHECK_EQ(sum, 4 * kTasks);
    CHECK_EQ(other, 2 * kTasks);
    for (int i = 2; i < 6; ++i)
        CHECK_EQ(row[i], kTasks / 2);
    CHECK_EQ(mean.sum, 2 * kTasks);
    CHECK_EQ(mean.count, 2 * kTasks);

    copy_count = 0;
    sum = other = 0;
#pragma omp parallel num_threads(threads)
#pragma omp single
    {
#pragma omp taskloop untied grainsize(1) reduction(+ : sum)
        for (int i = 0; i < kTasks; ++i)
            add(&sum);
#pragma omp taskgroup task_reduction(+ : other)
        {
#pragma omp taskloop untied grainsize(1) in_reduction(+ : other) nogroup
            for (int i = 0; i < kTasks; ++i)
                add(&other);
        }
    }
    CHECK_EQ(sum, 2 * kTasks);
    CHECK_EQ(other, 2 * kTasks);

    copy_count = 0;
    sum = 0;
#pragma omp parallel num_threads(threads) reduction(task, + : sum)
#pragma omp single
    for (int i = 0; i < kTasks; ++i) {
#pragma omp task untied in_reduction(+ : sum)
        add(&sum);
        begin();
    }
    CHECK_EQ(sum, 2 * kTasks);

    copy_count = 0;
    sum = 0;
#pragma omp parallel num_threads(threads)
#pragma omp for reduction(task, + : sum)
    for (int i = 0; i < kTasks; ++i) {
#pragma omp task untied in_reduction(+ : sum)
        add(&sum);
        begin();
    }
    CHECK_EQ(sum, 2 * kTasks);
}

int main(void) {
    omp_set_max_active_levels(2);
    in_place();
    released();
    for (int threads = 1; threads <= 4; threads *= 2)
        reductions(threads);
    return 0;
}
