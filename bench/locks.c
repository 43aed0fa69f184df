// Mutual exclusion. The cases have no goal; they compare loomp with the peers.
#include "bench.h"

const char bench_subject[] = "locks";

static omp_lock_t shared_lock;
static long shared_count;
#ifndef __clang__
static long double shared_sum;
#endif

// Claim: none. Each thread has its own lock: the cost without contention. The unit is one pair of
// set and unset by each thread.
static struct bench_sample lock_uncontended(long calls) {
    struct bench_sample sample = {0};
#pragma omp parallel
    {
        struct {
            _Alignas(128) omp_lock_t lock;
        } own;
        omp_init_lock(&own.lock);
        double start = bench_team_start();
        for (long i = 0; i < calls; i++) {
            omp_set_lock(&own.lock);
            bench_touch(i);
            omp_unset_lock(&own.lock);
        }
        bench_team_stop(start, (double)calls, &sample);
        omp_destroy_lock(&own.lock);
    }
    return sample;
}

// Claim: none. One lock that every thread wants; the unit is one entry by one thread.
static struct bench_sample lock_contended(long calls) {
    struct bench_sample sample = {0};
    omp_init_lock(&shared_lock);
#pragma omp parallel
    {
        double start = bench_team_start();
        for (long i = 0; i < calls; i++) {
            omp_set_lock(&shared_lock);
            shared_count++;
            omp_unset_lock(&shared_lock);
        }
        bench_team_stop(start, (double)calls * omp_get_num_threads(), &sample);
    }
    omp_destroy_lock(&shared_lock);
    return sample;
}

// Claim: none. A named critical section that only one thread of the team enters.
static struct bench_sample critical_uncontended(long calls) {
    struct bench_sample sample = {0};
#pragma omp parallel
    if (omp_get_thread_num() == 0) {
        double start = bench_now();
        for (long i = 0; i < calls; i++) {
#pragma omp critical(bench_uncontended)
            shared_count++;
        }
        sample = bench_since(start, (double)calls);
    }
    return sample;
}

#ifndef __clang__ // clang uses libatomic instead of the runtime
// Claim: none. An atomic update of a type that has no instruction for it, by every thread; the unit
// is one update by one thread.
static struct bench_sample atomic_fallback(long calls) {
    struct bench_sample sample = {0};
#pragma omp parallel
    {
        double start = bench_team_start();
        for (long i = 0; i < calls; i++) {
#pragma omp atomic
            shared_sum += 1;
        }
        bench_team_stop(start, (double)calls * omp_get_num_threads(), &sample);
    }
    return sample;
}
#endif

const struct bench_case bench_cases[] = {
    {"lock-uncontended", "pair", .run = lock_uncontended},
    {"lock-contended", "entry", .run = lock_contended},
    {"critical-uncontended", "entry", .run = critical_uncontended},
#ifndef __clang__
    {"atomic-fallback", "update", .run = atomic_fallback},
#endif
    {0},
};
