// Discarded tasks with objects of classes: their code does not run (clang) or runs as a whole (gcc,
// whose code destroys the objects), and each object is destroyed once.
// env: OMP_CANCELLATION=true
#include "check.h"
#include "omp_decls.h"

static int alive;

struct Object {
    int value;
    explicit Object(int v) : value(v) { count(1); }
    Object(const Object &other) : value(other.value) {
        CHECK(other.value >= 0);
        count(1);
    }
    ~Object() {
        CHECK(value >= 0);
        value = -1;
        count(-1);
    }
    static void count(int change) {
#pragma omp atomic
        alive += change;
    }
};

static int ran;

static void run(const Object &object) {
    CHECK(object.value >= 0);
#pragma omp atomic
    ++ran;
}

// Tasks created after the cancellation.
static void created_later(int priority) {
#pragma omp taskgroup
    {
        const Object object(1);
#pragma omp task if (0)
        {
#pragma omp cancel taskgroup
        }
        for (int i = 0; i < 20; ++i) {
#pragma omp task firstprivate(object) priority(priority *i)
            run(object);
        }
    }
}

// The first task cancels the taskgroup before the others are created, or while they wait for it.
static void cancelled_by_first(bool depends) {
    int link = 0;
    (void)link;
#pragma omp taskgroup
    for (int i = 0; i < 20; ++i) {
        const Object object(i);
        if (depends) {
#pragma omp task firstprivate(object) depend(inout : link)
            {
                if (object.value == 0) {
#pragma omp cancel taskgroup
                }
                run(object);
            }
        } else {
#pragma omp task firstprivate(object)
            {
                if (object.value == 0) {
#pragma omp cancel taskgroup
                }
                run(object);
            }
        }
    }
}

static void taskloop() {
    const Object object(3);
#pragma omp taskgroup
    {
#pragma omp task if (0)
        {
#pragma omp cancel taskgroup
        }
#pragma omp taskloop firstprivate(object) num_tasks(10)
        for (int i = 0; i < 20; ++i)
            run(object);
    }
}

static void cancelled_in_taskloop() {
    const Object object(3);
    int sum = 0;
#pragma omp taskloop firstprivate(object) num_tasks(10) reduction(+ : sum)
    for (int i = 0; i < 10; ++i) {
        ++sum;
        run(object);
#pragma omp cancel taskgroup
    }
    CHECK(sum <= 10);
}

static void check(int threads, int most) {
#ifndef __clang__
    most = 1000;
#endif
    CHECK(ran <= most);
    CHECK_EQ(alive, 0);
    CHECK(threads >= 1);
    ran = 0;
}

template <class F> static void in_team(int threads, F construct) {
#pragma omp parallel num_threads(threads)
#pragma omp single
    construct();
}

int main() {
    omp_set_dynamic(0);
    CHECK(omp_get_cancellation());
    for (int round = 0; round < 50; ++round)
        for (int threads = 1; threads <= 4; threads *= 2) {
            // clang runs an undeferred task's cancellation at once.
            in_team(threads, [] { created_later(0); });
            check(threads, 0);
            in_team(threads, [] { created_later(1); });
            check(threads, 0);
            in_team(threads, [] { cancelled_by_first(true); });
            check(threads, 0);
            in_team(threads, [] { cancelled_by_first(false); });
            check(threads, threads == 1 ? 0 : 20);
            in_team(threads, [] { taskloop(); });
            check(threads, 0);
            in_team(threads, [] { cancelled_in_taskloop(); });
            check(threads, threads == 1 ? 1 : 10);
        }
    return 0;
}
