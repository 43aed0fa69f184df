// Constructs at which the threads of a team meet: timed inside one region.
#include "bench.h"

const char bench_subject[] = "barriers";

static long shared_count;

// Claim: a barrier costs at most 1.1 times the better peer's with 1, 2 and 8 threads on 2 cores,
// and at most 150 ns with 2.
static struct bench_sample barrier(long calls) {
    struct bench_sample sample = {0};
#pragma omp parallel
    {
        double start = bench_team_start();
        for (long i = 0; i < calls; i++) {
#pragma omp barrier
        }
        bench_team_stop(start, (double)calls, &sample);
    }
    return sample;
}

// Claim: single with its barrier costs no more than 1.1 times the better peer's.
static struct bench_sample single(long calls) {
    struct bench_sample sample = {0};
#pragma omp parallel
    {
        double start = bench_team_start();
        for (long i = 0; i < calls; i++) {
#pragma omp single
            bench_touch(0);
        }
        bench_team_stop(start, (double)calls, &sample);
    }
    return sample;
}

// Claim: masked and a barrier, the usual way to publish a value, likewise.
static struct bench_sample masked_barrier(long calls) {
    struct bench_sample sample = {0};
#pragma omp parallel
    {
        double start = bench_team_start();
        for (long i = 0; i < calls; i++) {
#pragma omp masked
            bench_touch(0);
#pragma omp barrier
        }
        bench_team_stop(start, (double)calls, &sample);
    }
    return sample;
}

// Claim: none yet, a comparison: a critical section that every thread wants all the time. The unit
// is one entry by each thread.
static struct bench_sample critical_contended(long calls) {
    struct bench_sample sample = {0};
#pragma omp parallel
    {
        double start = bench_team_start();
        for (long i = 0; i < calls; i++) {
#pragma omp critical(bench_contended)
            shared_count++;
        }
        bench_team_stop(start, (double)calls, &sample);
    }
    return sample;
}

const struct bench_case bench_cases[] = {
    {"barrier", "barrier", barrier, 1.1, 150},
    {"single", "single", single, 1.1, 0},
    {"masked-barrier", "pair", masked_barrier, 1.1, 0},
    {"critical-contended", "round", critical_contended, 0, 0},
    {0},
};
