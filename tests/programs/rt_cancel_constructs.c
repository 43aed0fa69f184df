// Cancellation belongs to a construct or to a region: whatever follows is whole. Members of a
// cancelled region that have not reached a cancellation point execute the constructs that they
// meet, and end.
// env: OMP_CANCELLATION=true
#include "check.h"
#include "omp_decls.h"

static volatile int never;

static int sum_of_loop(int threads, int cancels) {
    int sum = 0;
#pragma omp parallel for num_threads(threads) reduction(+ : sum)
    for (int i = 0; i < 100; ++i) {
#pragma omp cancel for if (cancels)
        sum += 1;
    }
    return sum;
}

static int sum_of_dynamic_loop(int threads, int cancels) {
    int sum = 0;
#pragma omp parallel for num_threads(threads) reduction(+ : sum) schedule(dynamic)
    for (int i = 0; i < 100; ++i) {
#pragma omp cancel for if (cancels)
        sum += 1;
    }
    return sum;
}

static int sum_of_sections(int threads, int cancels) {
    int sum = 0;
#pragma omp parallel sections num_threads(threads) reduction(+ : sum)
    {
#pragma omp section
        {
#pragma omp cancel sections if (cancels)
            sum += 1;
        }
#pragma omp section
        {
#pragma omp cancel sections if (cancels)
            sum += 99;
        }
    }
    return sum;
}

static void combined(int threads) {
    int (*const constructs[])(int, int) = {sum_of_loop, sum_of_dynamic_loop, sum_of_sections};
    for (int first = 0; first < 3; ++first)
        for (int second = 0; second < 3; ++second) {
            CHECK_EQ(constructs[first](threads, 1), 0);
            CHECK_EQ(constructs[second](threads, 0), 100);
        }
}

/* A slow member is in an earlier loop when another one cancels the next. */
static void next_loop(int threads) {
    int before = 0;
    int cancelled = 0;
    int after = 0;
#pragma omp parallel num_threads(threads)
    {
#pragma omp for schedule(dynamic) nowait
        for (int i = 0; i < 100; ++i) {
#ifndef __clang__ // which accepts no cancel construct here
#pragma omp cancel for if (never)
#pragma omp cancellation point for
#endif
#pragma omp atomic
            ++before;
        }
#pragma omp for
        for (int i = 0; i < 100; ++i) {
#pragma omp cancel for
#pragma omp atomic
            ++cancelled;
        }
#pragma omp for schedule(guided)
        for (int i = 0; i < 100; ++i) {
#pragma omp cancel for if (never)
#pragma omp cancellation point for
#pragma omp atomic
            ++after;
        }
    }
    CHECK_EQ(before, 100);
    CHECK_EQ(cancelled, 0);
    CHECK_EQ(after, 100);
}

/* The cancelled loop is in a region; loops of nested regions, and that of the outer one, are not
   cancelled. */
static void nested(int threads) {
    int inner = 0;
    int outer = 0;
#pragma omp parallel num_threads(threads)
    {
#pragma omp for schedule(static, 1)
        for (int i = 0; i < threads; ++i) {
            CHECK_EQ(sum_of_dynamic_loop(2, 1), 0);
#pragma omp cancel for if (never)
#pragma omp cancellation point for
#pragma omp atomic
            ++outer;
        }
#pragma omp for schedule(static, 1)
        for (int i = 0; i < threads; ++i) {
#pragma omp cancel for
#pragma omp atomic
            ++outer;
        }
        const int mine = sum_of_loop(2, 0);
#pragma omp atomic
        inner += mine;
    }
    CHECK_EQ(outer, threads);
    CHECK_EQ(inner, 100 * threads);
}

/* Member `who` goes to the end of the region. The others meet constructs that do not ask for the
   cancellation before they end. */
static void others_continue(int threads, int who) {
    int singles = 0;
    int chain[65] = {0};
#pragma omp parallel num_threads(threads)
    {
        int copied = 0;
        if (omp_get_thread_num() == who) {
#pragma omp cancel parallel
        }
        for (int i = 0; i < 40; ++i) {
#pragma omp single nowait
            {
#pragma omp atomic
                ++singles;
            }
        }
#pragma omp for ordered schedule(static, 1) nowait
        for (int i = 0; i < 64; ++i) {
#pragma omp ordered
            ++chain[0];
        }
#pragma omp for ordered(1) schedule(static, 1) nowait
        for (int i = 1; i < 64; ++i) {
#pragma omp ordered depend(sink : i - 1)
            chain[i] = i;
#pragma omp ordered depend(source)
        }
#pragma omp single copyprivate(copied)
        copied = 42;
        CHECK_EQ(copied, 42);
    }
    CHECK_EQ(singles, threads == 1 ? 0 : 40);
    CHECK(chain[0] <= 64);
    int sum = 0;
#pragma omp parallel num_threads(threads) reduction(+ : sum)
    {
        int copied = 0;
#pragma omp single copyprivate(copied)
        copied = 1;
        sum += copied;
#pragma omp barrier
    }
    CHECK_EQ(sum, threads);
}

/* Loops that different members cancel, and then one that nobody cancels: members agree about which
   is which. The first loop is left by its end in one member and by the cancellation in another. */
static void cancelled_in_turn(int threads) {
    int first = 0, last = 0;
#pragma omp parallel num_threads(threads)
    {
#pragma omp for reduction(+ : first) schedule(static, 1)
        for (int i = 0; i < threads; ++i) {
            first += 1;
            if (omp_get_thread_num() == 0) {
#pragma omp cancel for
            }
        }
#pragma omp for schedule(dynamic)
        for (int i = 0; i < threads; ++i)
            if (i == 0) {
                usleep(200);
#pragma omp cancel for
            }
#pragma omp for schedule(static, 1)
        for (int i = 0; i < threads; ++i) {
            if (omp_get_thread_num() == threads - 1) {
#pragma omp cancel for
            }
#pragma omp cancellation point for
        }
#pragma omp for reduction(+ : last) schedule(static, 1)
        for (int i = 0; i < threads; ++i)
            last += 1;
#pragma omp barrier
#pragma omp for reduction(+ : last) schedule(dynamic)
        for (int i = 0; i < threads; ++i)
            last += 1;
    }
    CHECK_EQ(last, 2 * threads);
}

/* The others are at the region's end when one cancels, and meet no barrier any more. */
static void others_have_ended(int threads) {
#pragma omp parallel num_threads(threads)
    {
        if (omp_get_thread_num() == threads / 2) {
            usleep(2000);
#pragma omp cancel parallel
        }
#pragma omp cancellation point parallel
    }
}

/* Reductions with the task modifier: a cancelled construct leaves its taskgroup. */
static void task_reductions(int threads, int cancels) {
    int in_region = 0;
    int in_loop = 0;
    int in_sections = 0;
    int alive = 0;
#pragma omp parallel num_threads(threads) reduction(task, + : in_region)
    {
#pragma omp task in_reduction(+ : in_region)
        ++in_region;
#pragma omp for reduction(task, + : in_loop) schedule(dynamic)
        for (int i = 0; i < 40; ++i) {
#pragma omp task in_reduction(+ : in_loop)
            ++in_loop;
            if (i > 10) {
#pragma omp cancel for if (cancels)
            }
        }
#pragma omp sections reduction(task, + : in_sections)
        {
#pragma omp section
            {
#pragma omp task in_reduction(+ : in_sections)
                ++in_sections;
#pragma omp cancel sections if (cancels)
            }
#pragma omp section
            {
#pragma omp task in_reduction(+ : in_sections)
                ++in_sections;
#pragma omp cancellation point sections
            }
        }
#pragma omp single
        {
#pragma omp taskgroup task_reduction(+ : alive)
            for (int i = 0; i < 10; ++i) {
#pragma omp task in_reduction(+ : alive)
                ++alive;
            }
        }
#pragma omp task in_reduction(+ : in_region)
        ++in_region;
    }
    CHECK_EQ(in_region, 2 * threads);
    CHECK_EQ(alive, 10);
    if (!cancels) {
        CHECK_EQ(in_loop, 40);
        CHECK_EQ(in_sections, 2);
    }
}

static void cancelled_region_with_task_reductions(int threads, int who) {
    int sum = 0;
#pragma omp parallel num_threads(threads) reduction(task, + : sum)
    {
#pragma omp task in_reduction(+ : sum)
        ++sum;
        if (omp_get_thread_num() == who) {
#pragma omp cancel parallel
        }
#pragma omp barrier
        CHECK(0);
    }
    sum = 0;
#pragma omp parallel num_threads(threads)
    {
        if (omp_get_thread_num() == who) {
#pragma omp cancel parallel
        }
#pragma omp for reduction(task, + : sum)
        for (int i = 0; i < 10; ++i) {
#pragma omp task in_reduction(+ : sum)
            ++sum;
        }
        CHECK(0);
    }
    sum = 0;
#pragma omp parallel num_threads(threads) reduction(task, + : sum)
    {
#pragma omp task in_reduction(+ : sum)
        ++sum;
    }
    CHECK_EQ(sum, threads);
}

/* A member enters the loop after the first one has left the cancelled region. */
static void late_member(void) {
    int sum = 0;
    int entered = 0;
    int cancelled = 0;
#pragma omp parallel num_threads(3)
    {
        if (omp_get_thread_num() == 2) {
            while (!__atomic_load_n(&entered, __ATOMIC_ACQUIRE))
                usleep(100);
            __atomic_store_n(&cancelled, 1, __ATOMIC_RELEASE);
#pragma omp cancel parallel
        }
        while (omp_get_thread_num() == 1 && !__atomic_load_n(&cancelled, __ATOMIC_ACQUIRE))
            usleep(100);
        if (omp_get_thread_num() == 1)
            usleep(2000); // the first member leaves
#pragma omp for reduction(task, + : sum) schedule(dynamic)
        for (int i = 0; i < 10; ++i) {
            __atomic_store_n(&entered, 1, __ATOMIC_RELEASE);
#pragma omp task in_reduction(+ : sum)
            ++sum;
        }
        CHECK(0);
    }
}

int main(void) {
    omp_set_dynamic(0);
    omp_set_max_active_levels(2);
    CHECK(omp_get_cancellation());
    late_member();
    for (int round = 0; round < 20; ++round)
        for (int threads = 1; threads <= 4; ++threads) {
            combined(threads);
            next_loop(threads);
            nested(threads);
            others_continue(threads, round % threads);
            others_have_ended(threads);
            cancelled_in_turn(threads);
            task_reductions(threads, round % 2);
            cancelled_region_with_task_reductions(threads, round % threads);
        }
    return 0;
}
