// Worksharing loops with an empty body, inside one region. Claim of the static and dynamic cases:
// at most 1.1 times the better of libomp and libgomp with 1, 2 and 8 threads on 2 cores. Guided and
// ordered have no goal; they are comparisons.
#include "bench.h"

const char bench_subject[] = "loops";

enum { kShort = 64, kShortChunk = 4, kIterations = 1024, kChunk = 16 };

// Claim: a static loop is its barrier and little more. The unit is one loop, of 64 iterations so
// that the bodies do not hide the overhead.
static void loop_static(long calls) {
    for (long c = 0; c < calls; c++) {
#pragma omp for schedule(static)
        for (int i = 0; i < kShort; i++)
            bench_touch(i);
    }
}

// Claim: a chunk size does not change that.
static void loop_static_chunk(long calls) {
    for (long c = 0; c < calls; c++) {
#pragma omp for schedule(static, kShortChunk)
        for (int i = 0; i < kShort; i++)
            bench_touch(i);
    }
}

// Claim: a dynamic loop with chunks of 1 costs no more than its shared counter requires.
static void loop_dynamic_1(long calls) {
    for (long c = 0; c < calls; c++) {
#pragma omp for schedule(dynamic, 1)
        for (int i = 0; i < kIterations; i++)
            bench_touch(i);
    }
}

// Claim: a larger chunk costs no more than a small one. The unit is one chunk of 16 iterations.
static void loop_dynamic_16(long calls) {
    for (long c = 0; c < calls; c++) {
#pragma omp for schedule(dynamic, kChunk)
        for (int i = 0; i < kIterations; i++)
            bench_touch(i);
    }
}

// Claim: none, a comparison. The unit is one loop of 1,024 iterations.
static void loop_guided(long calls) {
    for (long c = 0; c < calls; c++) {
#pragma omp for schedule(guided)
        for (int i = 0; i < kIterations; i++)
            bench_touch(i);
    }
}

// Claim: none, a comparison: passing the turn from thread to thread. The unit is one iteration.
static void loop_ordered(long calls) {
    for (long c = 0; c < calls; c++) {
#pragma omp for ordered schedule(static, 1)
        for (int i = 0; i < kIterations; i++) {
#pragma omp ordered
            bench_touch(i);
        }
    }
}

const struct bench_case bench_cases[] = {
    {"static", "loop", .team = loop_static, .units = 1, .peer_max = 1.1},
    {"static-4", "loop", .team = loop_static_chunk, .units = 1, .peer_max = 1.1},
    {"dynamic-1", "chunk", .team = loop_dynamic_1, .units = kIterations, .peer_max = 1.1},
    {"dynamic-16", "chunk", .team = loop_dynamic_16, .units = kIterations / kChunk,
     .peer_max = 1.1},
    {"guided", "loop", .team = loop_guided, .units = 1},
    {"ordered", "iteration", .team = loop_ordered, .units = kIterations},
    {0},
};
