// A member does not wait for a slower one at a construct with nowait, however far ahead it is.
#include "check.h"
#include "omp_decls.h"

enum { kConstructs = 3000 };

static int passed;
static int executed;

static void count(void) {
#pragma omp atomic
    ++executed;
}

/* Members come one after the other: each begins when the one before it has passed everything. */
static void wait_for_turn(void) {
    for (int seen = -1; seen != omp_get_thread_num();) {
#pragma omp atomic read
        seen = passed;
    }
}

static void constructs(int kind) {
    for (int i = 0; i < kConstructs; ++i)
        switch ((kind + i) % 5) {
        case 0:
#pragma omp single nowait
            count();
            break;
        case 1:
#pragma omp for schedule(dynamic) nowait
            for (int j = 0; j < 1; ++j)
                count();
            break;
        case 2:
#pragma omp for schedule(guided) nowait
            for (int j = 0; j < 1; ++j)
                count();
            break;
        case 3:
#pragma omp for schedule(runtime) nowait
            for (int j = 0; j < 1; ++j)
                count();
            break;
        default:
#pragma omp sections nowait
        {
            count();
        }
        }
}

static void region(int threads, int kind) {
    passed = executed = 0;
#pragma omp parallel num_threads(threads)
    {
        wait_for_turn();
        constructs(kind);
#pragma omp atomic
        ++passed;
    }
    CHECK_EQ(executed, kConstructs);
}

int main(void) {
    omp_set_dynamic(0);
    omp_set_max_active_levels(2);
    omp_set_schedule(omp_sched_dynamic, 1);
    for (int threads = 1; threads <= 4; ++threads)
        region(threads, threads);
#pragma omp parallel num_threads(2)
    {
        // A nested team is another one. Its constructs do not advance those of the outer team.
#pragma omp single
        region(2, 1);
#pragma omp single
        region(3, 2);
    }
    region(2, 0);
    return 0;
}
