// Worksharing loops with an empty body, inside one region. Claim of the static and dynamic cases:
// at most 1.1 times the better of libomp and libgomp with 1, 2 and 8 threads on 2 cores. Guided and
// ordered have no goal, they are there to be compared.
#include "bench.h"

const char bench_subject[] = "loops";

enum { kShort = 64, kShortChunk = 4, kIterations = 1024, kChunk = 16 };

// Claim: a static loop is its barrier and little more. The unit is one loop, of 64 iterations so
// that the bodies do not hide the overhead.
static struct bench_sample loop_static(long calls) {
    struct bench_sample sample = {0};
#pragma omp parallel
    {
        double start = bench_team_start();
        for (long c = 0; c < calls; c++) {
#pragma omp for schedule(static)
            for (int i = 0; i < kShort; i++)
                bench_touch(i);
        }
        bench_team_stop(start, (double)calls, &sample);
    }
    return sample;
}

// Claim: a chunk size does not change that.
static struct bench_sample loop_static_chunk(long calls) {
    struct bench_sample sample = {0};
#pragma omp parallel
    {
        double start = bench_team_start();
        for (long c = 0; c < calls; c++) {
#pragma omp for schedule(static, kShortChunk)
            for (int i = 0; i < kShort; i++)
                bench_touch(i);
        }
        bench_team_stop(start, (double)calls, &sample);
    }
    return sample;
}

// Claim: a dynamic loop with chunks of 1 costs what its shared counter must, and no more.
static struct bench_sample loop_dynamic_1(long calls) {
    struct bench_sample sample = {0};
#pragma omp parallel
    {
        double start = bench_team_start();
        for (long c = 0; c < calls; c++) {
#pragma omp for schedule(dynamic, 1)
            for (int i = 0; i < kIterations; i++)
                bench_touch(i);
        }
        bench_team_stop(start, (double)calls * kIterations, &sample);
    }
    return sample;
}

// Claim: a larger chunk costs no more than a small one. The unit is one chunk of 16 iterations.
static struct bench_sample loop_dynamic_16(long calls) {
    struct bench_sample sample = {0};
#pragma omp parallel
    {
        double start = bench_team_start();
        for (long c = 0; c < calls; c++) {
#pragma omp for schedule(dynamic, kChunk)
            for (int i = 0; i < kIterations; i++)
                bench_touch(i);
        }
        bench_team_stop(start, (double)calls * kIterations / kChunk, &sample);
    }
    return sample;
}

// Claim: none, a comparison. The unit is one loop of 1,024 iterations.
static struct bench_sample loop_guided(long calls) {
    struct bench_sample sample = {0};
#pragma omp parallel
    {
        double start = bench_team_start();
        for (long c = 0; c < calls; c++) {
#pragma omp for schedule(guided)
            for (int i = 0; i < kIterations; i++)
                bench_touch(i);
        }
        bench_team_stop(start, (double)calls, &sample);
    }
    return sample;
}

// Claim: none, a comparison: passing the turn from thread to thread. The unit is one iteration.
static struct bench_sample loop_ordered(long calls) {
    struct bench_sample sample = {0};
#pragma omp parallel
    {
        double start = bench_team_start();
        for (long c = 0; c < calls; c++) {
#pragma omp for ordered schedule(static, 1)
            for (int i = 0; i < kIterations; i++) {
#pragma omp ordered
                bench_touch(i);
            }
        }
        bench_team_stop(start, (double)calls * kIterations, &sample);
    }
    return sample;
}

const struct bench_case bench_cases[] = {
    {"static", "loop", loop_static, 1.1, 0},
    {"static-4", "loop", loop_static_chunk, 1.1, 0},
    {"dynamic-1", "chunk", loop_dynamic_1, 1.1, 0},
    {"dynamic-16", "chunk", loop_dynamic_16, 1.1, 0},
    {"guided", "loop", loop_guided, 0, 0},
    {"ordered", "iteration", loop_ordered, 0, 0},
    {0},
};
