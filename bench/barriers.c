// Constructs at which a team's threads meet, timed inside one region.
#include "bench.h"

const char bench_subject[] = "barriers";

static long shared_count;

// Claim: a barrier costs at most 1.1 times the better peer's with 1, 2 and 8 threads on 2 cores,
// and at most 150 ns with 2.
static void barrier(long calls) {
    for (long i = 0; i < calls; i++) {
#pragma omp barrier
    }
}

// Claim: single with its barrier costs no more than 1.1 times the better peer's.
static void single(long calls) {
    for (long i = 0; i < calls; i++) {
#pragma omp single
        bench_touch(0);
    }
}

// Claim: masked and a barrier, the usual way to publish a value, cost no more than 1.1 times the
// better peer's.
static void masked_barrier(long calls) {
    for (long i = 0; i < calls; i++) {
#pragma omp masked
        bench_touch(0);
#pragma omp barrier
    }
}

// Claim: none yet, a comparison: a critical section that every thread always wants. The unit is one
// entry by each thread.
static void critical_contended(long calls) {
    for (long i = 0; i < calls; i++) {
#pragma omp critical(bench_contended)
        shared_count++;
    }
}

const struct bench_case bench_cases[] = {
    {"barrier", "barrier", .team = barrier, .units = 1, .peer_max = 1.1, .anchor_ns = 150},
    {"single", "single", .team = single, .units = 1, .peer_max = 1.1},
    {"masked-barrier", "pair", .team = masked_barrier, .units = 1, .peer_max = 1.1},
    {"critical-contended", "round", .team = critical_contended, .units = 1},
    {0},
};
