// Suspension: waiting tasks never block an unrelated one.
#include "check.h"
#include "omp_decls.h"

static _Atomic int flags[300];

static _Atomic int first_done, second_started;

static void first(void) {
    while (!second_started) {
#pragma omp taskyield
    }
    first_done = 1;
}

static void second(void) {
    second_started = 1;
    while (!first_done) {
#pragma omp taskyield
    }
}

// The example of stack-based taskyield's deadlock: two tasks that wait for each other in turn,
// even on a single thread.
static void two_yielding(void) {
    first_done = second_started = 0;
#pragma omp parallel num_threads(1)
    {
#pragma omp task
        first();
#pragma omp task
        second();
    }
    first_done = second_started = 0;
#pragma omp parallel num_threads(1)
    {
#pragma omp task
        second();
#pragma omp task
        first();
    }
    first_done = second_started = 0;
#pragma omp parallel num_threads(2)
#pragma omp single
    {
#pragma omp task untied
        first();
#pragma omp task untied
        second();
#pragma omp taskwait
    }
}

// Two tied tasks that yield to each other wait for an untied one, which has yielded before.
static void untied_among_tied(void) {
    static _Atomic int steps;
    steps = 0;
#pragma omp parallel num_threads(1)
#pragma omp single
    {
#pragma omp task untied
        {
            for (int i = 0; i < 5; ++i) {
#pragma omp taskyield
            }
            steps = 1;
        }
        for (int i = 0; i < 2; ++i) {
#pragma omp task
            while (!steps) {
#pragma omp taskyield
            }
        }
    }
}

// Task i goes on when task i + 1 has: all are suspended at once, far more than there are threads.
// Each step may need a thread that the kernel has just put aside for others.
static void deep(int threads, int untied) {
    const int n = 100;
    for (int i = 0; i < n; ++i)
        flags[i] = 0;
#pragma omp parallel num_threads(threads)
#pragma omp single
    for (int i = 0; i < n; ++i) {
        if (untied) {
#pragma omp task untied
            {
                while (i + 1 < n && !flags[i + 1]) {
#pragma omp taskyield
                }
                flags[i] = 1;
            }
        } else {
#pragma omp task
            {
                while (i + 1 < n && !flags[i + 1]) {
#pragma omp taskyield
                }
                flags[i] = 1;
            }
        }
    }
    for (int i = 0; i < n; ++i)
        CHECK_EQ(flags[i], 1);
}

// A ring of taskwaits: each task waits for a child that only its neighbour's child lets finish.
static void crossed_waits(int threads) {
    const int n = 64;
    for (int i = 0; i <= n; ++i)
        flags[i] = 0;
#pragma omp parallel num_threads(threads)
#pragma omp single
    for (int i = 0; i < n; ++i) {
#pragma omp task
        {
#pragma omp task
            {
                flags[i] = 1;
                while (!flags[(i + 1) % n]) {
#pragma omp taskyield
                }
            }
            if (i % 2) {
#pragma omp taskgroup
                {
#pragma omp task
                    while (!flags[(i + 5) % n]) {
#pragma omp taskyield
                    }
                }
            }
#pragma omp taskwait
        }
    }
}

// The implicit task waits in the middle; locals survive and threadnum of tied tasks stays.
static void tied_stays(void) {
#pragma omp parallel num_threads(4)
#pragma omp single
    for (int i = 0; i < 200; ++i) {
#pragma omp task
        {
            const int before = omp_get_thread_num();
            volatile char local[256];
            for (int k = 0; k < 256; ++k)
                local[k] = (char)(i + k);
            for (int k = 0; k < 3; ++k) {
#pragma omp task
                usleep(1);
#pragma omp taskyield
                CHECK_EQ(omp_get_thread_num(), before);
            }
#pragma omp taskwait
            CHECK_EQ(omp_get_thread_num(), before);
            for (int k = 0; k < 256; ++k)
                CHECK_EQ(local[k], (char)(i + k));
        }
    }
}

// Untied tasks become resumable when every thread waits in a barrier.
static void untied_in_barrier(void) {
    for (int round = 0; round < 200; ++round) {
        int done = 0;
#pragma omp parallel num_threads(3)
        {
#pragma omp single nowait
            {
                for (int i = 0; i < 6; ++i) {
#pragma omp task untied shared(done)
                    {
#pragma omp task untied
                        {
#pragma omp task
                            usleep(round % 4 * 10);
#pragma omp taskwait
                        }
#pragma omp taskwait
#pragma omp atomic
                        ++done;
                    }
                }
#pragma omp taskwait
            }
#pragma omp barrier
            CHECK_EQ(done, 6);
        }
    }
}

// A nested region inside a task waits at its own barrier only for itself.
static void nested_regions(void) {
    omp_set_max_active_levels(2);
    int total = 0;
#pragma omp parallel num_threads(2)
#pragma omp single
    for (int i = 0; i < 8; ++i) {
#pragma omp task
        {
            int inner = 0;
#pragma omp parallel num_threads(2)
            {
#pragma omp task shared(inner)
                {
#pragma omp task shared(inner)
                    {
#pragma omp atomic
                        ++inner;
                    }
#pragma omp taskyield
#pragma omp taskwait
                }
#pragma omp barrier
                CHECK_EQ(inner, 2);
            }
#pragma omp atomic
            total += inner;
        }
    }
    CHECK_EQ(total, 16);
}

// A task whose predecessor's completion also ends another's wait is left to other threads, even if
// they sleep. The resumed task may wait for it without a scheduling point.
static void next_of_the_awaited(void) {
    static _Atomic int started, ran;
    for (int round = 0; round < 10; ++round) {
        int x = 0, y = 0;
        started = ran = 0;
        (void)x;
        (void)y;
#pragma omp parallel num_threads(2)
        if (omp_get_thread_num() == 0) {
#pragma omp task depend(out : x, y)
            {
                started = 1;
                usleep(20000);
            }
#pragma omp task depend(in : x)
            ran = 1;
#pragma omp taskwait depend(in : y)
            for (int i = 0; i < 10000 && !ran; ++i)
                usleep(500);
            CHECK(ran);
        } else {
            while (!started)
                usleep(100);
        }
    }
}

int main(void) {
    omp_set_dynamic(0);
    two_yielding();
    untied_among_tied();
    deep(1, 0);
    deep(3, 0);
    deep(3, 1);
    for (int i = 0; i < 10; ++i) {
        crossed_waits(1);
        crossed_waits(3);
    }
    tied_stays();
    untied_in_barrier();
    nested_regions();
    next_of_the_awaited();
    return 0;
}
