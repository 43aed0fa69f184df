// Reductions: of regions, loops, user-defined, arrays, taskgroup and in_reduction.
#include <float.h>
#include <limits.h>

#include "check.h"
#include "omp_decls.h"

typedef struct {
    long sum;
    long count;
} Mean;

#pragma omp declare reduction(merge:Mean : omp_out.sum += omp_in.sum,                              \
                                  omp_out.count += omp_in.count)                                   \
    initializer(omp_priv = (Mean){0, 0})

static long tree(int depth) {
    long mine = 1;
    if (depth > 0) {
        long total = 0;
#pragma omp taskgroup task_reduction(+ : total)
        {
            for (int i = 0; i < 3; ++i) {
#pragma omp task in_reduction(+ : total)
                total += tree(depth - 1);
            }
        }
        mine += total;
    }
    return mine;
}

// Its tasks name the global variable, not the copy of the loop that calls it.
static long global;
static void add_by_task(int i) {
#pragma omp task in_reduction(+ : global)
    global += i;
}

int main(void) {
    omp_set_dynamic(0);
    for (int threads = 1; threads <= 7; threads += 3) {
        long sum = 5, product = 1;
        int low = INT_MAX, high = INT_MIN, bits = 0, all = ~0, odd = 0;
        int land = 1, lor = 0;
        double real = 0;
#pragma omp parallel for num_threads(threads) reduction(+ : sum, real) reduction(min : low)        \
    reduction(max : high) reduction(| : bits) reduction(& : all) reduction(^ : odd)                \
    reduction(&& : land) reduction(|| : lor)
        for (int i = 0; i < 1000; ++i) {
            sum += i;
            real += 0.5;
            low = i - 3 < low ? i - 3 : low;
            high = i > high ? i : high;
            bits |= 1 << (i % 20);
            all &= ~(1 << (i % 5));
            odd ^= i;
            land = land && i >= 0;
            lor = lor || i == 999;
        }
        CHECK_EQ(sum, 5 + 999 * 1000 / 2);
        CHECK(real == 500.0);
        CHECK_EQ(low, -3);
        CHECK_EQ(high, 999);
        CHECK_EQ(bits, (1 << 20) - 1);
        CHECK_EQ(all, ~31);
        CHECK_EQ(land, 1);
        CHECK_EQ(lor, 1);
        int expected = 0;
        for (int i = 0; i < 1000; ++i)
            expected ^= i;
        CHECK_EQ(odd, expected);
#pragma omp parallel num_threads(threads) reduction(* : product)
        product *= 2;
        CHECK_EQ(product, 1l << threads);

        Mean mean = {0, 0};
        long row[300] = {0};
#pragma omp parallel for num_threads(threads) reduction(merge : mean) reduction(+ : row[ : 300])
        for (int i = 0; i < 600; ++i) {
            mean.sum += i;
            mean.count += 1;
            row[i % 300] += i;
        }
        CHECK_EQ(mean.sum, 599 * 600 / 2);
        CHECK_EQ(mean.count, 600);
        for (int i = 0; i < 300; ++i)
            CHECK_EQ(row[i], 2 * i + 300);

        int sections = 0;
#pragma omp parallel sections reduction(+ : sections) num_threads(threads)
        {
#pragma omp section
            sections += 1;
#pragma omp section
            sections += 10;
#pragma omp section
            sections += 100;
        }
        CHECK_EQ(sections, 111);

        long nodes = 0;
#pragma omp parallel num_threads(threads)
#pragma omp single
        nodes = tree(5);
        CHECK_EQ(nodes, 364);

        Mean tasks = {0, 0};
        long other = 0;
#pragma omp parallel num_threads(threads)
#pragma omp single
#pragma omp taskgroup task_reduction(merge : tasks) task_reduction(+ : other)
        for (int i = 0; i < 100; ++i) {
#pragma omp task in_reduction(merge : tasks) in_reduction(+ : other)
            {
                tasks.sum += i;
                tasks.count++;
                // A descendant takes part too.
#pragma omp task in_reduction(+ : other)
                other += 2;
            }
        }
        CHECK_EQ(tasks.sum, 4950);
        CHECK_EQ(tasks.count, 100);
        CHECK_EQ(other, 200);

        long loop = 0;
#pragma omp parallel num_threads(threads)
#pragma omp single
#pragma omp taskloop reduction(+ : loop) grainsize(7)
        for (int i = 0; i < 500; ++i)
            loop += i;
        CHECK_EQ(loop, 499 * 500 / 2);

        long modified = 0;
#pragma omp parallel num_threads(threads) reduction(task, + : modified)
        {
            modified += 1;
#pragma omp task in_reduction(+ : modified)
            modified += 10;
        }
        CHECK_EQ(modified, 11 * threads);
        long work = 0;
#pragma omp parallel num_threads(threads)
#pragma omp for reduction(task, + : work)
        for (int i = 0; i < 40; ++i) {
#pragma omp task in_reduction(+ : work)
            work += i;
        }
        CHECK_EQ(work, 780);

        global = 1;
#pragma omp parallel num_threads(threads)
#pragma omp for reduction(task, + : global)
        for (int i = 0; i < 40; ++i) {
            global += 100;
            add_by_task(i);
        }
        CHECK_EQ(global, 1 + 4000 + 780);

        // Constructs that members leave one after the other stand between.
        long rounds = 0;
        int met = 0;
#pragma omp parallel num_threads(threads)
        for (int round = 0; round < 20; ++round) {
#pragma omp for schedule(dynamic) nowait
            for (int i = 0; i < 5; ++i) {
#pragma omp atomic
                ++met;
            }
#pragma omp single nowait
            {
#pragma omp atomic
                ++met;
            }
#pragma omp for reduction(task, + : rounds) schedule(dynamic)
            for (int i = 0; i < 8; ++i) {
#pragma omp task in_reduction(+ : rounds)
                rounds += 1;
            }
        }
        CHECK_EQ(rounds, 160);
        CHECK_EQ(met, 120);
    }
    return 0;
}
