// Tasks with a priority clause: every thread creates them, 100,000 a call, with random priorities
// (thesis of R. Pereira, listing 8.3). The environment enables the priorities: `run --env
// OMP_MAX_TASK_PRIORITY=2147483647` against `run`.
#include "bench.h"

const char bench_subject[] = "priorities";

enum { kEach = 100000 };

static unsigned next_random(unsigned *state) {
    *state ^= *state << 13;
    *state ^= *state >> 17;
    *state ^= *state << 5;
    return *state;
}

// Claim: with priorities at most 1.2 times the time without, and at most the better peer's in both
// modes. (libomp 19 does not finish with priorities.)
static struct bench_sample random_all_produce(long calls) {
    struct bench_sample sample = {0};
#pragma omp parallel
    {
        unsigned state = 1u + (unsigned)omp_get_thread_num();
        double start = bench_team_start();
        for (long c = 0; c < calls; c++) {
            for (int i = 0; i < kEach; i++) {
                int priority = (int)(next_random(&state) >> 1);
#pragma omp task priority(priority)
                bench_touch(0);
            }
#pragma omp barrier
        }
        bench_team_stop(start, (double)calls * kEach * omp_get_num_threads(), &sample);
    }
    return sample;
}

const struct bench_case bench_cases[] = {
    {"random-all-produce", "task", .run = random_all_produce, .peer_max = 1.0},
    {0},
};
