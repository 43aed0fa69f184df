/* Most of OpenMP's constructs. It prints nothing if they give what the standard says, whatever the
 * count of threads. */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

enum { kCount = 200 };

static void check(int holds, const char *what) {
    if (!holds) {
        fprintf(stderr, "wrong: %s\n", what);
        exit(3);
    }
}

static int fib(int n) {
    int a, b;
    if (n < 2)
        return n;
#pragma omp task shared(a)
    a = fib(n - 1);
#pragma omp task shared(b) untied
    b = fib(n - 2);
#pragma omp taskwait
    return a + b;
}

static void tasks(void) {
    int values[kCount] = {0}, sum = 0, many = 0, suspended = 0;
#pragma omp parallel
#pragma omp single
    {
        check(fib(8) == 21, "tasks that wait");
        for (int i = 1; i < kCount; ++i)
#pragma omp task depend(in : values[i - 1]) depend(out : values[i]) priority(i % 3)
            values[i] = values[i - 1] + 1;
#pragma omp taskwait
#pragma omp taskgroup task_reduction(+ : sum)
        for (int i = 0; i < kCount; ++i)
#pragma omp task in_reduction(+ : sum)
            sum += i;
#pragma omp taskloop grainsize(7) reduction(+ : many)
        for (int i = 0; i < kCount; ++i)
            many += i;
        for (int i = 0; i < 50; ++i)
#pragma omp task
        {
#pragma omp taskyield
#pragma omp atomic
            ++suspended;
        }
        omp_event_handle_t event;
#pragma omp task detach(event) depend(out : event)
        ;
#pragma omp task
        omp_fulfill_event(event);
#pragma omp task depend(in : event) depend(mutexinoutset : many)
#pragma omp atomic
        ++suspended;
    }
    check(values[kCount - 1] == kCount - 1, "dependences");
    check(sum == kCount * (kCount - 1) / 2 && many == sum, "reductions of tasks");
    check(suspended == 51, "tasks that yield");
}

static void loops(void) {
    int sum = 0, order = 0, teams = 0, rows[20] = {0};
#pragma omp parallel
    {
#pragma omp for schedule(dynamic, 3) reduction(+ : sum)
        for (int i = 0; i < kCount; ++i)
            sum += i;
#pragma omp for ordered schedule(static, 2) nowait
        for (int i = 0; i < kCount; ++i)
#pragma omp ordered
            order = order == i ? i + 1 : -kCount;
#pragma omp for ordered(1)
        for (int i = 0; i < 20; ++i) {
#pragma omp ordered depend(sink : i - 1)
            rows[i] = i == 0 ? 1 : rows[i - 1] + 1;
#pragma omp ordered depend(source)
        }
#pragma omp critical
        ++teams;
#pragma omp parallel num_threads(2) if (omp_get_thread_num() == 0)
#pragma omp atomic
        teams += 0;
    }
    check(sum == kCount * (kCount - 1) / 2 && order == kCount && rows[19] == 20 && teams > 0,
          "loops");
}

static void locks(void) {
    omp_nest_lock_t lock;
    int inside = 0;
    omp_init_nest_lock(&lock);
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < kCount; ++i)
#pragma omp task
    {
        omp_set_nest_lock(&lock);
        omp_set_nest_lock(&lock);
        ++inside;
        omp_unset_nest_lock(&lock);
#pragma omp taskyield
        omp_unset_nest_lock(&lock);
    }
    omp_destroy_nest_lock(&lock);
    check(inside == kCount, "locks");
}

static void cancelled(void) {
    int begun = 0;
#pragma omp parallel
#pragma omp single
#pragma omp taskgroup
    for (int i = 0; i < 20; ++i)
#pragma omp task
    {
#pragma omp atomic
        ++begun;
#pragma omp cancel taskgroup if (i == 3)
    }
    check(begun > 0 && begun <= 20, "cancellation");
}

int main(void) {
    tasks();
    loops();
    locks();
    cancelled();
    tasks();
    return 0;
}
