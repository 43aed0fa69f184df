// loomp's extensions of OpenMP 5.2. On the peers equal work is done without them.
#include <dlfcn.h>
#include <stddef.h>

#include "bench.h"

const char bench_subject[] = "extensions";

enum { kBlocks = 2048, kBlock = 16 };
static double cell[kBlocks][kBlock];

static void relax(double *block) {
    for (int k = 0; k < kBlock; k++)
        block[k] = 0.25 * block[k] + 1.5;
}

static void relax_batch(void *const *blocks, size_t count, void *context) {
    (void)context;
    for (size_t i = 0; i < count; i++)
        relax(blocks[i]);
}

static void none(int kind, void *data) { (void)kind, (void)data; }

// Creates `calls` sweeps of small tasks; `next_kind` sets the next one's kind.
static struct bench_sample sweep(long calls, int kind, void (*next_kind)(int, void *)) {
    struct bench_sample sample = {0};
#pragma omp parallel
#pragma omp single
    {
        double start = bench_now();
        for (long c = 0; c < calls; c++) {
            for (int i = 0; i < kBlocks; i++) {
                next_kind(kind, cell[i]);
#pragma omp task firstprivate(i)
                relax(cell[i]);
            }
#pragma omp taskwait
        }
        sample = bench_since(start, (double)calls * kBlocks);
    }
    return sample;
}

// The reference for the next case, and its cost on a runtime without fusion.
static struct bench_sample small_tasks(long calls) { return sweep(calls, 0, none); }

// Equal tasks, of 16 multiplications each, in batches. No claim, because the gain depends on the
// body.
static struct bench_sample small_tasks_fused(long calls) {
    typedef void (*batch_fn)(void *const *, size_t, void *);
    int (*make_kind)(const char *, batch_fn, void *, unsigned) =
        (int (*)(const char *, batch_fn, void *, unsigned))dlsym(RTLD_DEFAULT, "loomp_task_kind");
    void (*next_kind)(int, void *) =
        (void (*)(int, void *))dlsym(RTLD_DEFAULT, "loomp_next_task_kind");
    if (make_kind == NULL || next_kind == NULL)
        return sweep(calls, 0, none);
    static int kind;
    if (kind == 0)
        kind = make_kind("relax", relax_batch, NULL, 64);
    return sweep(calls, kind, next_kind);
}

enum { kPanels = 4, kRows = 8, kSweeps = 32, kWeak = 2 };
static double panel[kPanels][kRows];

static void update(double *own, const double *other) { *own = 0.5 * *own + 0.25 * *other + 1; }

static void update_rows(double *own, const double *other, int waits) {
    for (int r = 0; r < kRows; r++) {
#pragma omp task depend(inout : own[r]) depend(in : other[r]) firstprivate(r)
        update(&own[r], &other[r]);
    }
    if (waits) {
#pragma omp taskwait
    }
}

// Claim: tasks that create tasks, with later ones that depend on both: at most the better peer's,
// which must wait for children inside their parents. loomp's are weak (loomp_next_task).
static struct bench_sample two_levels(long calls) {
    struct bench_sample sample = {0};
    void (*next_task)(unsigned) = (void (*)(unsigned))dlsym(RTLD_DEFAULT, "loomp_next_task");
#pragma omp parallel
#pragma omp single
    {
        double start = bench_now();
        for (long c = 0; c < calls * kSweeps; c++)
            for (int p = 0; p < kPanels; p++) {
                double *own = panel[p], *other = panel[(p + 1) % kPanels];
                if (next_task != NULL)
                    next_task(kWeak);
#pragma omp task depend(inout : own[0], own[1], own[2], own[3], own[4], own[5], own[6], own[7])    \
    depend(in : other[0], other[1], other[2], other[3], other[4], other[5], other[6], other[7])    \
    firstprivate(own, other)
                update_rows(own, other, next_task == NULL);
            }
#pragma omp taskwait
        sample = bench_since(start, (double)calls * kSweeps * kPanels * kRows);
    }
    return sample;
}

const struct bench_case bench_cases[] = {
    {"small-tasks", "task", .run = small_tasks},
    {"small-tasks-fused", "task", .run = small_tasks_fused},
    {"two-levels", "task", .run = two_levels, .peer_max = 1.0},
    {0},
};
