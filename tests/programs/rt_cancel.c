// Cancellation of regions, loops, sections and taskgroups.
// env: OMP_CANCELLATION=true
#include "check.h"
#include "omp_decls.h"

static void regions(void) {
    for (int round = 0; round < 200; ++round) {
        int passed = 0;
        int tasks = 0;
#pragma omp parallel num_threads(4)
        {
            if (round % 3 == 1) { // tasks in flight when the region ends early
                for (int i = 0; i < 4; ++i) {
#pragma omp task
                    {
                        usleep(round % 5 * 20);
#pragma omp atomic
                        ++tasks;
                    }
                }
            }
            if (omp_get_thread_num() == round % 4) {
                if (round % 2)
                    usleep(30);
#pragma omp cancel parallel
            }
#pragma omp barrier
#pragma omp atomic
            ++passed;
        }
        CHECK_EQ(passed, 0);
        CHECK(tasks <= 16);
        // The next region is whole again.
        int members = 0;
        int sum = 0;
#pragma omp parallel num_threads(4)
        {
#pragma omp atomic
            ++members;
#pragma omp barrier
            CHECK_EQ(members, 4);
#pragma omp for schedule(dynamic) reduction(+ : sum)
            for (int i = 0; i < 10; ++i)
                sum += i;
        }
        CHECK_EQ(sum, 45);
    }
}

static volatile int never;

static void loops(void) {
    for (int round = 0; round < 100; ++round) {
        int done = 0;
        int after = 0;
#pragma omp parallel num_threads(4)
        {
#pragma omp for schedule(dynamic)
            for (int i = 0; i < 100000; ++i) {
                if (i == 20) {
#pragma omp cancel for
                }
#pragma omp atomic
                ++done;
#pragma omp cancellation point for
            }
#pragma omp atomic
            ++after;
#pragma omp for schedule(static)
            for (int i = 0; i < 40; ++i) {
#pragma omp atomic
                ++after;
            }
            /* The next one that could be cancelled is not. Compilers look at cancellation points
             * only in loops with a cancel construct, gcc also where its condition is false. */
#pragma omp for schedule(static)
            for (int i = 0; i < 40; ++i) {
#pragma omp cancel for if (never)
#pragma omp atomic
                ++after;
            }
        }
        CHECK(done < 100000);
        CHECK_EQ(after, 84);
        int sections = 0;
#pragma omp parallel num_threads(2)
        {
#pragma omp sections
            {
#pragma omp section
                {
#pragma omp cancel sections
                    CHECK(0);
                }
#pragma omp section
                {
#pragma omp atomic
                    ++sections;
                }
            }
        }
        CHECK(sections <= 1);
    }
}

static void groups(void) {
    for (int round = 0; round < 100; ++round) {
        int ran = 0;
        int outside = 0;
#pragma omp parallel num_threads(4)
#pragma omp single
        {
#pragma omp task
            {
#pragma omp atomic
                ++outside;
            }
#pragma omp taskgroup
            {
                for (int i = 0; i < 500; ++i) {
#pragma omp task depend(inout : ran)
                    {
                        ++ran;
                        if (i == 10) {
#pragma omp cancel taskgroup
                        }
#pragma omp cancellation point taskgroup
                    }
                }
            }
#pragma omp task
            {
#pragma omp atomic
                ++outside;
            }
        }
        CHECK(ran >= 10);
        CHECK(ran <= 11);
        CHECK_EQ(outside, 2);
    }
}

int main(void) {
    omp_set_dynamic(0);
    CHECK(omp_get_cancellation());
    loops();
    groups();
    regions();
    return 0;
}
