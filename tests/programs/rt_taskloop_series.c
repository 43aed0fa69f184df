// Taskloops of more tasks than a team needs waiting: most are run where they are created, one after
// the other. Each has private data of its own, may wait, create tasks, change control variables or
// cancel, and all happen once.
#include <omp.h>

#include "check.h"

enum { kTasks = 5000 };
static _Atomic int ran[kTasks];
static _Atomic int children, bad;

static void reset(void) {
    for (int i = 0; i < kTasks; i++)
        ran[i] = 0;
    children = 0;
}

static void check_all(int times) {
    for (int i = 0; i < kTasks; i++)
        CHECK_EQ(ran[i], times);
    CHECK_EQ(bad, 0);
}

static void work(int i, int kind, int private_value) {
    if (private_value != 7)
        bad++;
    ran[i]++;
    switch (kind) {
    case 1:
        if (i % 3 == 0) {
#pragma omp taskyield
        }
        break;
    case 2:
        if (i % 5 == 0) {
#pragma omp task
            children++;
        }
        break;
    case 3:
        if (i % 5 == 0) {
#pragma omp task
            children++;
#pragma omp taskwait
        }
        break;
    case 4:
        if (omp_get_max_threads() == 77)
            bad++; // another task's
        omp_set_num_threads(77);
        break;
    case 5:
#pragma omp taskloop num_tasks(20)
        for (int k = 0; k < 20; k++)
            children++;
        break;
    default:
        break;
    }
}

static void run(int threads, int kind, int times) {
    reset();
#pragma omp parallel num_threads(threads)
#pragma omp single
    for (int t = 0; t < times; t++) {
        int value = 7;
        long last = -1;
#pragma omp taskloop grainsize(1) firstprivate(value) lastprivate(last)
        for (int i = 0; i < kTasks; i++) {
            work(i, kind, value);
            value = 8; // the task's own
            last = i;
        }
        if (last != kTasks - 1)
            bad++;
    }
    check_all(times);
    if (kind == 2 || kind == 3)
        CHECK_EQ(children, times * (kTasks / 5));
    if (kind == 5)
        CHECK_EQ(children, times * kTasks * 20);
}

static void reductions(int threads) {
    long sum = 0;
#pragma omp parallel num_threads(threads)
#pragma omp single
    {
#pragma omp taskloop grainsize(1) reduction(+ : sum)
        for (int i = 0; i < kTasks; i++)
            sum += i;
    }
    CHECK_EQ(sum, (long)kTasks * (kTasks - 1) / 2);
}

// With OMP_CANCELLATION unset nothing is cancelled; both are right.
static void cancels(int threads) {
    reset();
    _Atomic int some = 0;
#pragma omp parallel num_threads(threads)
#pragma omp single
    {
#pragma omp taskloop grainsize(1) shared(some)
        for (int i = 0; i < kTasks; i++) {
            some++;
            ran[i]++;
            if (i == kTasks / 2) {
#pragma omp cancel taskgroup
            }
        }
    }
    CHECK(some > 0 && some <= kTasks);
    for (int i = 0; i < kTasks; i++)
        CHECK(ran[i] <= 1);
}

int main(void) {
    for (int threads = 1; threads <= 4; threads++) {
        for (int kind = 0; kind <= 5; kind++)
            run(threads, kind, 2);
        reductions(threads);
        cancels(threads);
    }
    return 0;
}
