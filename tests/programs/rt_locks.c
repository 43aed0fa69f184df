// critical, atomic, locks and nestable locks: exclusion holds, from threads and from tasks.
#include "check.h"
#include "omp_decls.h"

int main(void) {
    omp_set_dynamic(0);
    long plain = 0, named = 0, locked = 0, nested = 0, tried = 0;
    omp_lock_t lock;
    omp_nest_lock_t nest;
    omp_init_lock(&lock);
    omp_init_nest_lock(&nest);
#pragma omp parallel num_threads(6)
    for (int i = 0; i < 500; ++i) {
#pragma omp critical
        ++plain;
#pragma omp critical(name)
        ++named;
        omp_set_lock(&lock);
        ++locked;
        omp_unset_lock(&lock);
        omp_set_nest_lock(&nest);
        CHECK_EQ(omp_test_nest_lock(&nest), 2);
        ++nested;
        omp_unset_nest_lock(&nest);
        omp_unset_nest_lock(&nest);
        if (omp_test_lock(&lock)) {
            ++locked;
            omp_unset_lock(&lock);
#pragma omp atomic
            ++tried;
        }
    }
    CHECK_EQ(plain, 3000);
    CHECK_EQ(named, 3000);
    CHECK_EQ(locked, 3000 + tried);
    CHECK_EQ(nested, 3000);

    // Held across a task scheduling point: others of the same thread must not wait for ever.
    long sum = 0;
#pragma omp parallel num_threads(3)
#pragma omp single
    for (int i = 0; i < 64; ++i) {
#pragma omp task
        {
            omp_set_lock(&lock);
#pragma omp taskyield
            ++sum;
            omp_unset_lock(&lock);
        }
    }
    CHECK_EQ(sum, 64);
    long inner = 0;
#pragma omp parallel num_threads(3)
#pragma omp single
    for (int i = 0; i < 64; ++i) {
#pragma omp task
        {
#pragma omp critical(across)
            {
                long seen = inner;
#pragma omp task shared(inner)
                {
                    usleep(1);
                }
#pragma omp taskwait
                inner = seen + 1;
            }
        }
    }
    CHECK_EQ(inner, 64);
    // A nestable lock is owned by a task: a child cannot have it.
#pragma omp parallel num_threads(2)
#pragma omp single
    {
        omp_set_nest_lock(&nest);
#pragma omp task
        CHECK_EQ(omp_test_nest_lock(&nest), 0);
#pragma omp taskwait
        omp_unset_nest_lock(&nest);
    }
    omp_destroy_lock(&lock);
    omp_destroy_nest_lock(&nest);

    double d = 0;
    int captured_max = 0;
#pragma omp parallel num_threads(5)
    for (int i = 0; i < 200; ++i) {
        int seen;
#pragma omp atomic
        d += 0.5;
#pragma omp atomic capture
        seen = captured_max++;
        CHECK(seen >= 0);
    }
    CHECK(d == 500.0);
    CHECK_EQ(captured_max, 1000);
    return 0;
}
