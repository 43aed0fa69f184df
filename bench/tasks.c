// Tasks without dependences: the cost of creating, running and waiting for an empty one.
#include "bench.h"

const char bench_subject[] = "tasks";

enum { kBatch = 1024, kFib = 16 };

// Claim: an empty task costs at most the better peer's, and at most 24 ns with 2 threads, deferred
// or not, if one thread creates and any may run them.
static struct bench_sample empty_one_producer(long calls) {
    struct bench_sample sample = {0};
#pragma omp parallel
#pragma omp single
    {
        double start = bench_now();
        for (long i = 0; i < calls * kBatch; i++) {
#pragma omp task
            bench_touch(0);
        }
#pragma omp taskwait
        sample = bench_since(start, (double)calls * kBatch);
    }
    return sample;
}

// Claim: an empty task costs at most the better peer's, and at most 20 ns of wall-clock time with 2
// threads that both create, i.e. producers do not disturb each other.
static struct bench_sample empty_all_produce(long calls) {
    struct bench_sample sample = {0};
#pragma omp parallel
    {
        double start = bench_team_start();
        for (long i = 0; i < calls * kBatch; i++) {
#pragma omp task
            bench_touch(0);
        }
        bench_team_stop(start, (double)calls * kBatch * omp_get_num_threads(), &sample);
    }
    return sample;
}

// Claim: a task of taskloop grainsize(1) costs at most the better peer's, and at most 60 ns.
static struct bench_sample taskloop_grain1(long calls) {
    struct bench_sample sample = {0};
#pragma omp parallel
#pragma omp single
    {
        double start = bench_now();
        for (long c = 0; c < calls; c++) {
#pragma omp taskloop grainsize(1)
            for (int i = 0; i < kBatch; i++)
                bench_touch(i);
        }
        sample = bench_since(start, (double)calls * kBatch);
    }
    return sample;
}

// Claim: a taskgroup around one task costs at most the better peer's.
static struct bench_sample taskgroup_one_task(long calls) {
    struct bench_sample sample = {0};
#pragma omp parallel
#pragma omp single
    {
        double start = bench_now();
        for (long i = 0; i < calls; i++) {
#pragma omp taskgroup
            {
#pragma omp task
                bench_touch(0);
            }
        }
        sample = bench_since(start, (double)calls);
    }
    return sample;
}

static long fib(int n, long *tasks) {
    if (n < 2)
        return n;
    long x, y, tasks_x = 0, tasks_y = 0;
#pragma omp task shared(x, tasks_x)
    x = fib(n - 1, &tasks_x);
#pragma omp task shared(y, tasks_y)
    y = fib(n - 2, &tasks_y);
#pragma omp taskwait
    *tasks += tasks_x + tasks_y + 2;
    return x + y;
}

// Claim: nested tasks that each wait for two children (fib 16, no cut-off) cost at most the better
// peer's, i.e. a taskwait whose children are ready needs no stack of its own.
static struct bench_sample taskwait_fib(long calls) {
    struct bench_sample sample = {0};
#pragma omp parallel
#pragma omp single
    {
        long tasks = 0;
        double start = bench_now();
        for (long i = 0; i < calls; i++)
            bench_touch(fib(kFib, &tasks));
        sample = bench_since(start, (double)tasks);
    }
    return sample;
}

const struct bench_case bench_cases[] = {
    {"empty-one-producer", "task", .run = empty_one_producer, .peer_max = 1.0, .anchor_ns = 24},
    {"empty-all-produce", "task", .run = empty_all_produce, .peer_max = 1.0, .anchor_ns = 20},
    {"taskloop-grainsize1", "task", .run = taskloop_grain1, .peer_max = 1.0, .anchor_ns = 60},
    {"taskgroup-one-task", "group", .run = taskgroup_one_task, .peer_max = 1.0},
    {"taskwait-fib", "task", .run = taskwait_fib, .peer_max = 1.0},
    {0},
};
