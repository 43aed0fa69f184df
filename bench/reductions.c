// Reductions: the cost of combining the threads' partial results after short loops. The loop cases
// claim at most 1.1 times the better of libomp and libgomp with 1, 2 and 8 threads on 2 cores; the
// task case claims at most the better peer's.
#include "bench.h"

const char bench_subject[] = "reductions";

enum { kIterations = 64, kTasks = 256 };

struct moments {
    double count, sum, squares, largest;
};

static inline void moments_merge(struct moments *into, const struct moments *from) {
    into->count += from->count;
    into->sum += from->sum;
    into->squares += from->squares;
    into->largest = into->largest > from->largest ? into->largest : from->largest;
}

#pragma omp declare reduction(merge : struct moments : moments_merge(&omp_out, &omp_in))           \
    initializer(omp_priv = (struct moments){0})

static double total;
static struct moments all;

// Claim: the combined construct of most programs: region, loop, sum. The unit is one construct.
static struct bench_sample parallel_for_sum(long calls) {
    double start = bench_now();
    for (long c = 0; c < calls; c++) {
        double sum = 0;
#pragma omp parallel for reduction(+ : sum)
        for (int i = 0; i < kIterations; i++)
            sum += i;
        total += sum;
    }
    return bench_since(start, (double)calls);
}

// Claim: a reduction inside a region, so that the figure has no fork.
static void for_sum(long calls) {
    for (long c = 0; c < calls; c++) {
#pragma omp for reduction(+ : total)
        for (int i = 0; i < kIterations; i++)
            total += i;
    }
}

// Claim: a reduction without an atomic instruction (32 bytes, user-defined), with the limit of the
// others.
static void for_user_defined(long calls) {
    for (long c = 0; c < calls; c++) {
#pragma omp for reduction(merge : all)
        for (int i = 0; i < kIterations; i++) {
            struct moments one = {1, i, (double)i * i, i};
            moments_merge(&all, &one);
        }
    }
}

// Claim: a task that takes part in a task reduction (256 of them in a taskgroup) costs at most the
// better peer's. The unit is one task.
static struct bench_sample task_reduction(long calls) {
    struct bench_sample sample = {0};
#pragma omp parallel
#pragma omp single
    {
        double start = bench_now();
        for (long c = 0; c < calls; c++) {
            double sum = 0;
#pragma omp taskgroup task_reduction(+ : sum)
            {
                for (int i = 0; i < kTasks; i++) {
#pragma omp task in_reduction(+ : sum)
                    sum += 1;
                }
            }
            total += sum;
        }
        sample = bench_since(start, (double)calls * kTasks);
    }
    return sample;
}

const struct bench_case bench_cases[] = {
    {"parallel-for-sum", "construct", .run = parallel_for_sum, .peer_max = 1.1},
    {"for-sum", "loop", .team = for_sum, .units = 1, .peer_max = 1.1},
    {"for-user-defined", "loop", .team = for_user_defined, .units = 1, .peer_max = 1.1},
    {"task-reduction", "task", .run = task_reduction, .peer_max = 1.0},
    {0},
};
