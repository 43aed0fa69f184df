// The common parts of the benchmark programs: the description of a case, the clock, and the few
// OpenMP routines they call.
//
// A program is one subject (tasks.c, barriers.c, ...): it defines `bench_subject` and
// `bench_cases`; bench.c supplies main(). A case is timed inside its parallel region, unless it
// measures the region itself. Otherwise another construct's figure would include the fork.
//
// Nothing here needs the headers of LLVM's runtime: libomp-19-dev and libomp-22-dev exclude each
// other, so a machine may have neither.
#pragma once

#include <time.h>

#ifdef __clang__
int omp_get_max_threads(void);
int omp_get_num_threads(void);
int omp_get_thread_num(void);
void omp_set_max_active_levels(int levels);
typedef struct omp_lock_t {
    void *opaque;
} omp_lock_t;
void omp_init_lock(omp_lock_t *lock);
void omp_destroy_lock(omp_lock_t *lock);
void omp_set_lock(omp_lock_t *lock);
void omp_unset_lock(omp_lock_t *lock);
#else
#include <omp.h>
#endif

// Time taken and units (tasks, regions, chunks, ...) done in it.
struct bench_sample {
    double ns;
    double units;
};

// One case. `run` does its work `calls` times and times it. If it is null, every thread of a team
// calls `team`, which does work of `units` units `calls` times. `peer_max` is the limit of loomp's
// cost, relative to the better of libomp and libgomp. `anchor_ns` is the project's own limit with 2
// threads. 0 means none.
struct bench_case {
    const char *name;
    const char *unit;
    struct bench_sample (*run)(long calls);
    double peer_max;
    double anchor_ns;
    void (*team)(long calls);
    double units;
};

extern const char bench_subject[];
extern const struct bench_case bench_cases[]; // ends with a null name

static inline double bench_now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static inline struct bench_sample bench_since(double start, double units) {
    struct bench_sample sample = {bench_now() - start, units};
    return sample;
}

// The begin and end of a team's timing: a barrier, then the clock. Thread 0's time counts.
static inline double bench_team_start(void) {
#pragma omp barrier
    return bench_now();
}

static inline void bench_team_stop(double start, double units, struct bench_sample *sample) {
#pragma omp barrier
    if (omp_get_thread_num() == 0)
        *sample = bench_since(start, units);
}

// A body that costs at most one instruction and that no compiler removes.
static inline void bench_touch(long value) { __asm__ volatile("" : : "r"(value) : "memory"); }
