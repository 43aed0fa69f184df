// A graph of equal tasks, WIDTH columns by STEPS rows, in which a task needs some tasks of the row
// before it, after Slaughter et al., "Task Bench" (SC 2020). bench/metg varies the tasks' length.
//
//     metg PATTERN WIDTH STEPS ITERATIONS REPEATS
//
// prints the fastest repetition's time. Each task checks that its predecessors are done and that
// its overwritten data is not needed any more. A wrong order is reported, and the program exits
// with 1.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"

enum { kMostWidth = 4096, kMostNeeded = 5 };

struct cell {
    long step; // step of the task that wrote it last
    double value;
    char line[48];
};

static struct cell rows[2][kMostWidth];
static long wrong;

typedef int needed_fn(long step, long column, long width, long *needed);

static int trivial(long step, long column, long width, long *needed) {
    (void)step, (void)column, (void)width, (void)needed;
    return 0;
}

static int chain(long step, long column, long width, long *needed) {
    (void)step, (void)width;
    needed[0] = column;
    return 1;
}

static int within(long radius, long column, long width, long *needed) {
    int n = 0;
    for (long j = column - radius; j <= column + radius; j++)
        if (j >= 0 && j < width)
            needed[n++] = j;
    return n;
}

static int stencil_1d(long step, long column, long width, long *needed) {
    (void)step;
    return within(1, column, width, needed);
}

static int nearest(long step, long column, long width, long *needed) {
    (void)step;
    return within(2, column, width, needed);
}

static int fft(long step, long column, long width, long *needed) {
    long levels = 0;
    while (2L << levels <= width)
        levels++;
    needed[0] = column;
    if (levels == 0)
        return 1;
    long partner = column ^ (1L << (step % levels));
    if (partner >= width)
        return 1;
    needed[1] = partner;
    return 2;
}

// Downwards and upwards in turn: one task, two, four, ..., WIDTH, then halved again.
static int tree(long step, long column, long width, long *needed) {
    long levels = 0;
    while (1L << levels < width)
        levels++;
    long at = levels == 0 ? 0 : step % (2 * levels);
    if (at < levels) {
        needed[0] = column / 2;
        return 1;
    }
    needed[0] = 2 * column;
    if (2 * column + 1 >= width)
        return 2 * column < width;
    needed[1] = 2 * column + 1;
    return 2;
}

static int random_nearest(long step, long column, long width, long *needed) {
    int n = 0;
    for (long j = column - 2; j <= column + 2; j++) {
        unsigned long h = (unsigned long)(step * 131071 + column * 8191 + j) * 0x9E3779B97F4A7C15ul;
        if (j >= 0 && j < width && (j == column || (h >> 40 & 1) != 0))
            needed[n++] = j;
    }
    return n;
}

static const struct {
    const char *name;
    needed_fn *needed;
} patterns[] = {{"trivial", trivial},      {"chain", chain}, {"stencil_1d", stencil_1d},
                {"nearest", nearest},      {"fft", fft},     {"tree", tree},
                {"random", random_nearest}};

static void work(long step, long column, int count, const long *needed, long iterations) {
    struct cell *mine = &rows[step & 1][column];
    double x = mine->value;
    for (long i = 0; i < iterations; i++)
        __asm__ volatile("mulsd %0, %0\n\taddsd %0, %0" : "+x"(x)); // a chain, nothing to overlap
    for (int n = 0; n < count; n++)
        if (rows[~step & 1][needed[n]].step != step - 1)
            __atomic_fetch_add(&wrong, 1, __ATOMIC_RELAXED);
    mine->value = x;
    mine->step = step;
}

static void create(long step, long column, int count, const long *d, long iterations) {
    struct cell *before = rows[~step & 1];
    struct cell *mine = &rows[step & 1][column];
    long d0 = d[0], d1 = d[1], d2 = d[2], d3 = d[3], d4 = d[4];
    switch (count) {
    case 0:
#pragma omp task depend(out : mine[0])
        work(step, column, 0, 0, iterations);
        break;
    case 1:
#pragma omp task depend(in : before[d0]) depend(out : mine[0]) firstprivate(d0)
        work(step, column, 1, (const long[]){d0}, iterations);
        break;
    case 2:
#pragma omp task depend(in : before[d0], before[d1]) depend(out : mine[0]) firstprivate(d0, d1)
        work(step, column, 2, (const long[]){d0, d1}, iterations);
        break;
    case 3:
#pragma omp task depend(in : before[d0], before[d1], before[d2]) depend(out : mine[0])             \
    firstprivate(d0, d1, d2)
        work(step, column, 3, (const long[]){d0, d1, d2}, iterations);
        break;
    case 4:
#pragma omp task depend(in : before[d0], before[d1], before[d2], before[d3]) depend(out : mine[0]) \
    firstprivate(d0, d1, d2, d3)
        work(step, column, 4, (const long[]){d0, d1, d2, d3}, iterations);
        break;
    default:
#pragma omp task depend(in : before[d0], before[d1], before[d2], before[d3], before[d4])           \
    depend(out : mine[0]) firstprivate(d0, d1, d2, d3, d4)
        work(step, column, 5, (const long[]){d0, d1, d2, d3, d4}, iterations);
    }
}

static double run(needed_fn *needed, long width, long steps, long iterations) {
    double seconds = 0;
    for (int r = 0; r < 2; r++)
        for (long i = 0; i < width; i++)
            rows[r][i] = (struct cell){.step = r == 0 ? 0 : -1, .value = 1};
#pragma omp parallel
#pragma omp single
    {
        double start = bench_now();
        for (long step = 1; step <= steps; step++)
            for (long column = 0; column < width; column++) {
                long d[kMostNeeded] = {0};
                int count = needed(step, column, width, d);
                if (needed == trivial) {
#pragma omp task
                    work(step, column, 0, 0, iterations);
                } else {
                    create(step, column, count, d, iterations);
                }
            }
#pragma omp taskwait
        seconds = (bench_now() - start) * 1e-9;
    }
    return seconds;
}

int main(int argc, char **argv) {
    needed_fn *needed = 0;
    for (size_t i = 0; argc == 6 && i < sizeof patterns / sizeof patterns[0]; i++)
        if (strcmp(argv[1], patterns[i].name) == 0)
            needed = patterns[i].needed;
    long width = needed ? atol(argv[2]) : 0;
    long steps = needed ? atol(argv[3]) : 0;
    long iterations = needed ? atol(argv[4]) : 0;
    long repeats = needed ? atol(argv[5]) : 0;
    if (width < 1 || width > kMostWidth || steps < 1 || iterations < 0 || repeats < 1) {
        fprintf(stderr,
                "metg: usage: metg PATTERN WIDTH STEPS ITERATIONS REPEATS, with a width of at most "
                "%d and one of the patterns trivial chain stencil_1d nearest fft tree random\n",
                kMostWidth);
        return 2;
    }
    double best = 1e300;
    run(needed, width, steps < 100 ? steps : 100, 0); // threads, stacks and tables exist
    for (long r = 0; r < repeats; r++) {
        double seconds = run(needed, width, steps, iterations);
        best = seconds < best ? seconds : best;
    }
    Dl_info info = {0};
    dladdr(dlsym(RTLD_DEFAULT, "omp_get_max_threads"), &info);
    printf("{\"seconds\":%.9f,\"tasks\":%ld,\"runtime\":\"%s\"}\n", best, width * steps,
           info.dli_fname ? info.dli_fname : "");
    if (wrong != 0)
        fprintf(stderr, "metg: %ld times a task ran before one that it needs\n", wrong);
    return wrong != 0;
}
