// Parallel regions: the cost of forking and joining a team. Every case claims at most 1.1 times the
// better of libomp and libgomp with 1, 2 and 8 threads on 2 cores.
#include "bench.h"

const char bench_subject[] = "forkjoin";

// Claim: an empty region on an existing team costs at most 900 ns with 2 bound threads.
static struct bench_sample region(long calls) {
    double start = bench_now();
    for (long i = 0; i < calls; i++) {
#pragma omp parallel
        bench_touch(0);
    }
    return bench_since(start, (double)calls);
}

// Claim: a team whose size changes from region to region does not start or end threads.
static struct bench_sample resized(long calls) {
    int all = omp_get_max_threads();
    int fewer = all > 1 ? all - 1 : 1;
    double start = bench_now();
    for (long i = 0; i < calls; i++) {
#pragma omp parallel num_threads(i % 2 ? fewer : all)
        bench_touch(0);
    }
    return bench_since(start, (double)calls);
}

// Claim: a nested region on every thread of an outer one finds its threads waiting. The unit is
// one outer region, in which each thread forks one inner region of 2.
static struct bench_sample nested(long calls) {
    omp_set_max_active_levels(2);
    double start = bench_now();
    for (long i = 0; i < calls; i++) {
#pragma omp parallel
        {
#pragma omp parallel num_threads(2)
            bench_touch(0);
        }
    }
    struct bench_sample sample = bench_since(start, (double)calls);
    omp_set_max_active_levels(1);
    return sample;
}

const struct bench_case bench_cases[] = {
    {"parallel", "region", .run = region, .peer_max = 1.1, .anchor_ns = 900},
    {"parallel-resized", "region", .run = resized, .peer_max = 1.1},
    {"nested", "region", .run = nested, .peer_max = 1.1},
    {0},
};
