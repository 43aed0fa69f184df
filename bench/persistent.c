// An iterated 1D stencil with 4 dependences per task, like in iterative codes. It measures the
// producer's cost of an iteration when tasks are created anew, and when their graph is kept.
// bench/persistent has the claims and explains the output.
//
// usage: persistent MODE WIDTH STEPS ITERATIONS WORK
//   MODE   plain; or persistent with the flags of loomp.h: reexecute, replay, reexecute-flow,
//          replay-flow (without barriers), replay-paused (the same, waiting after each iteration,
//          so that the time to start one is seen alone)
//   WORK   iterations of a task's computation
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The peers lack these declarations.
#define LOOMP_WEAK
#include "../include/loomp/loomp.h"
#include "bench.h"

static int width, steps, iterations;
static long work;
static double *line[2];

static void compute(double *to, const double *from) {
    double x = from[0];
    for (long i = 0; i < work; i++)
        x = x * 0.999 + 0.001;
    *to = x;
}

static void create(void) {
    for (int t = 0; t < steps; t++) {
        double *from = line[t % 2], *to = line[1 - t % 2];
        for (int i = 1; i <= width; i++) {
#pragma omp task firstprivate(from, to, i) depend(in : from[i - 1], from[i], from[i + 1])          \
    depend(out : to[i])
            compute(&to[i], &from[i]);
        }
    }
}

static int ascending(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

int main(int argc, char **argv) {
    if (argc != 6)
        return fprintf(stderr, "persistent: see the source for its arguments\n"), 2;
    const char *mode = argv[1];
    width = atoi(argv[2]), steps = atoi(argv[3]), iterations = atoi(argv[4]), work = atol(argv[5]);
    const int plain = strcmp(mode, "plain") == 0;
    const int flows = strstr(mode, "flow") != NULL;
    const int paused = strstr(mode, "paused") != NULL;
    const unsigned flags = (strncmp(mode, "replay", 6) == 0 ? LOOMP_PERSISTENT_REPLAY : 0u) |
                           (flows || paused ? LOOMP_PERSISTENT_NO_BARRIER : 0u);
    if (!plain && loomp_persistent_begin == NULL)
        return fprintf(stderr, "persistent: this runtime has no persistent graphs\n"), 2;
    for (int k = 0; k < 2; k++)
        line[k] = calloc((size_t)width + 2, sizeof(double));
    double *discovery = calloc((size_t)iterations, sizeof(double));
    double elapsed = 0;
#pragma omp parallel
#pragma omp single
    {
        double begun = bench_now();
        for (int n = 0; n < iterations; n++) {
            double t = bench_now();
            const int runs = plain || loomp_persistent_begin("stencil", flags);
            if (runs)
                create();
            discovery[n] = bench_now() - t;
            if (!flows) {
                // The wait is not part of discovery; planning the graph, at the end, is.
#pragma omp taskwait
            }
            t = bench_now();
            if (runs && !plain)
                loomp_persistent_end();
            discovery[n] += bench_now() - t;
        }
#pragma omp taskwait
        elapsed = bench_now() - begun;
    }
    const double tasks = (double)width * steps;
    const double first = discovery[0] / tasks;
    // The third and later ones: automatic persistence needs some to learn.
    const int skip = iterations > 8 ? 5 : 1;
    qsort(discovery + skip, (size_t)(iterations - skip), sizeof(double), ascending);
    Dl_info info;
    void *symbol = dlsym(RTLD_DEFAULT, "omp_get_num_threads");
    printf("{\"runtime\": \"%s\", \"first_ns\": %.2f, \"later_ns\": %.2f, \"fastest_ns\": %.2f, "
           "\"ns_per_task\": %.2f}\n",
           dladdr(symbol, &info) != 0 ? info.dli_fname : "?", first,
           discovery[skip + (iterations - skip) / 2] / tasks, discovery[skip] / tasks,
           elapsed / (tasks * iterations));
    return 0;
}
