/* Tasks that wait for tasks only run on their thread's own stack. One that its creator runs at once
   while it holds a lock does not keep the creator from releasing it.

   flags: -D_GNU_SOURCE
   threads: 2 */
#include <omp.h>
#include <pthread.h>

#include "check.h"

enum { kTasks = 20000 };

static _Atomic int inside, all;

/* Counts whether the caller's frame is within the bounds of its thread's stack. */
static void note(void) {
    static _Thread_local char *begin, *end;
    if (end == NULL) {
        pthread_attr_t attributes;
        void *base;
        size_t size;
        CHECK_EQ(pthread_getattr_np(pthread_self(), &attributes), 0);
        pthread_attr_getstack(&attributes, &base, &size);
        pthread_attr_destroy(&attributes);
        begin = base;
        end = begin + size;
    }
    const char here = 0;
    inside += &here >= begin && &here < end;
    all++;
}

static int fibonacci(int n) {
    int a = 0, b = 0;
    if (n < 2)
        return n;
#pragma omp task shared(a)
    {
        note();
        a = fibonacci(n - 1);
    }
#pragma omp task shared(b)
    {
        note();
        b = fibonacci(n - 2);
    }
#pragma omp taskwait
    return a + b;
}

static void independent(void) {
    for (int i = 0; i < kTasks; i++) {
#pragma omp task
        note();
    }
}

static void dependent(void) {
    static int data[8];
    for (int i = 0; i < kTasks; i++) {
#pragma omp task depend(inout : data[i % 8])
        note();
    }
}

static void loop(void) {
#pragma omp taskloop grainsize(1)
    for (int i = 0; i < kTasks; i++)
        note();
}

static void nested(void) {
#pragma omp taskgroup
    for (int i = 0; i < kTasks / 10; i++) {
#pragma omp task
        {
            note();
            for (int j = 0; j < 10; j++) {
#pragma omp task
                note();
            }
#pragma omp taskwait
        }
    }
}

/* Each task creates the next one. */
static void chain(int left) {
    note();
    if (left > 0) {
#pragma omp task
        chain(left - 1);
    }
}

static void search(void) { CHECK_EQ(fibonacci(15), 610); }
static void deep(void) { chain(1000); }

static void check_all_inside(int threads, void (*create)(void)) {
    inside = all = 0;
#pragma omp parallel num_threads(threads)
#pragma omp single
    create();
    CHECK(all > 0);
    CHECK_EQ(inside, all);
}

/* More than fits on one stack, if each task lies on top of its creator. */
static void wide(int left) {
    volatile char frame[512 * 1024];
    frame[0] = frame[sizeof frame - 1] = 1;
    if (left > 0) {
#pragma omp task
        wide(left - 1);
    }
#pragma omp taskwait
    all += frame[0];
}

int main(void) {
    omp_set_dynamic(0);
    // A sanitizer watches stacks, so no task is run at once. All lie on top of the one that waits.
#if !defined(__SANITIZE_THREAD__) && !defined(__SANITIZE_ADDRESS__)
#pragma omp parallel num_threads(1)
    wide(40);
    void (*const creators[])(void) = {independent, dependent, loop, search, nested, deep};
    for (int i = 0; i < 6; i++)
        check_all_inside(1, creators[i]);
    // A creator waits in a barrier, in its stack. That of a taskloop waits in its taskgroup: if the
    // other thread runs the last tasks, it goes on elsewhere.
    for (int threads = 2; threads <= 4; threads *= 2)
        for (int i = 0; i < 2; i++)
            check_all_inside(threads, creators[i]);
#else
#pragma omp parallel num_threads(1)
    wide(8);
#endif
    return 0;
}
