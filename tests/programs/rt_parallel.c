// parallel: team sizes, nesting, levels, the if clause, and regions of changing size.
#include "check.h"
#include "omp_decls.h"

static void sizes(void) {
    for (int n = 1; n <= 9; ++n) {
        int seen[16] = {0};
#pragma omp parallel num_threads(n)
        {
            CHECK_EQ(omp_get_num_threads(), n);
            CHECK_EQ(omp_in_parallel(), n > 1);
            seen[omp_get_thread_num()]++;
        }
        for (int i = 0; i < 16; ++i)
            CHECK_EQ(seen[i], i < n);
    }
    int count = 0;
#pragma omp parallel if (0) num_threads(4)
    ++count;
    CHECK_EQ(count, 1);
    CHECK_EQ(omp_get_level(), 0);
}

// Threads of a larger, earlier region must neither enter a smaller one nor run its tasks.
static void shrinking(void) {
    for (int round = 0; round < 600; ++round) {
        const int n = round % 2 ? 2 : 5;
        int seen[8] = {0};
#pragma omp parallel num_threads(n)
        {
            seen[omp_get_thread_num()]++;
            if (round % 16 == 1)
                for (int t = 0; t < 8; ++t) {
#pragma omp task
                    CHECK(omp_get_thread_num() < omp_get_num_threads());
                }
        }
        for (int i = 0; i < 8; ++i)
            CHECK_EQ(seen[i], i < n);
    }
}

static void nested(void) {
    omp_set_max_active_levels(3);
    int total = 0;
#pragma omp parallel num_threads(3) reduction(+ : total)
    {
        const int outer = omp_get_thread_num();
#pragma omp parallel num_threads(2) reduction(+ : total)
        {
            CHECK_EQ(omp_get_level(), 2);
            CHECK_EQ(omp_get_active_level(), 2);
            CHECK_EQ(omp_get_ancestor_thread_num(1), outer);
            CHECK_EQ(omp_get_ancestor_thread_num(0), 0);
            CHECK_EQ(omp_get_team_size(1), 3);
            CHECK_EQ(omp_get_team_size(2), 2);
            int inner = 0;
#pragma omp parallel num_threads(2) reduction(+ : inner)
            inner += 1;
            CHECK_EQ(inner, 2);
#pragma omp barrier
#pragma omp parallel num_threads(2) reduction(+ : inner)
            {
#pragma omp parallel num_threads(4) // one level too many
                {
                    CHECK_EQ(omp_get_num_threads(), 1);
                    CHECK_EQ(omp_get_level(), 4);
                    CHECK_EQ(omp_get_active_level(), 3);
                }
                inner += 1;
            }
            total += inner;
        }
    }
    CHECK_EQ(total, 3 * 2 * 4);
    omp_set_max_active_levels(1);
}

// Its creator continues before the task ends.
static void defers(void) {
    _Atomic int released = 0;
#pragma omp single
    {
#pragma omp task shared(released)
        {
            CHECK(!omp_in_final());
            while (!released) {
#pragma omp taskyield
            }
        }
        released = 1;
#pragma omp taskwait
    }
}

// A region begins with implicit tasks that are not final, whatever task met it.
static void in_final(void) {
    omp_set_max_active_levels(3);
    for (int outer = 1; outer <= 2; ++outer)
        for (int inner = 1; inner <= 4; inner *= 2) {
#pragma omp parallel num_threads(outer)
#pragma omp single
#pragma omp task final(1)
#pragma omp task
            {
#pragma omp parallel num_threads(inner)
                {
                    CHECK(!omp_in_final());
                    defers();
#pragma omp parallel num_threads(2)
                    defers();
                }
#pragma omp parallel if (0)
                defers();
                CHECK(omp_in_final());
            }
        }
#pragma omp task final(1) // outside of regions
    {
#pragma omp parallel num_threads(2)
        defers();
        CHECK(omp_in_final());
    }
    omp_set_max_active_levels(1);
}

int main(void) {
    omp_set_dynamic(0);
    sizes();
    shrinking();
    nested();
    in_final();
    int threads = 0;
    omp_set_num_threads(6);
#pragma omp parallel
#pragma omp atomic
    ++threads;
    CHECK_EQ(threads, 6);
    return 0;
}
