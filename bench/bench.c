// main() of every benchmark program: which cases to run, how often, and one JSON line for each.
//
//   PROGRAM [--samples N] [--sample-ms MS] [--budget-ms MS] [CASE...]
//   PROGRAM --list              the cases, one JSON line each
//   PROGRAM --once CASE CALLS   run a case untimed, print the units done (for callgrind)
#define _GNU_SOURCE
#include "bench.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { kMaxSamples = 101 };

static int samples_wanted = 5;
static double sample_ns = 4e6;
static double budget_ns = 150e6;

static int compare_doubles(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

// The shared object with the called OpenMP functions: it proves which runtime was measured.
static const char *runtime_path(void) {
    Dl_info info;
    return dladdr((void *)omp_get_max_threads, &info) && info.dli_fname ? info.dli_fname : "?";
}

static struct bench_sample run_case(const struct bench_case *c, long calls) {
    if (c->run)
        return c->run(calls);
    struct bench_sample sample = {0};
#pragma omp parallel
    {
        double start = bench_team_start();
        c->team(calls);
        bench_team_stop(start, (double)calls * c->units, &sample);
    }
    return sample;
}

// Calls per sample so that one takes about sample_ns. The trial runs are the warm-up.
static long calibrate(const struct bench_case *c) {
    long calls = 1;
    run_case(c, 1);
    for (;;) {
        double ns = run_case(c, calls).ns;
        if (ns >= sample_ns / 2)
            return calls;
        double factor = ns > 0 ? sample_ns / ns : 10;
        calls = (long)((double)calls * (factor < 10 ? factor : 10)) + 1;
    }
}

static void print_case(const struct bench_case *c) {
    printf("{\"case\":\"%s/%s\",\"unit\":\"%s\",\"peer_max\":%g,\"anchor_ns\":%g", bench_subject,
           c->name, c->unit, c->peer_max, c->anchor_ns);
}

static void measure(const struct bench_case *c) {
    double ns[kMaxSamples];
    double begin = bench_now();
    long calls = calibrate(c);
    int n = 0;
    while (n < samples_wanted && (n < 3 || bench_now() - begin < budget_ns)) {
        struct bench_sample s = run_case(c, calls);
        if (s.ns < sample_ns / 4 && bench_now() - begin < budget_ns) {
            // An interruption made the calibration too low: the samples so far are too short.
            calls *= 2;
            n = 0;
            continue;
        }
        ns[n++] = s.ns / s.units;
    }
    qsort(ns, (size_t)n, sizeof ns[0], compare_doubles);
    print_case(c);
    printf(",\"threads\":%d,\"ns\":%.3f,\"min\":%.3f,\"max\":%.3f,\"n\":%d,\"calls\":%ld,"
           "\"runtime\":\"%s\"}\n",
           omp_get_max_threads(), ns[n / 2], ns[0], ns[n - 1], n, calls, runtime_path());
    fflush(stdout);
}

static const struct bench_case *find(const char *name) {
    for (const struct bench_case *c = bench_cases; c->name; c++)
        if (!strcmp(c->name, name))
            return c;
    fprintf(stderr, "%s: no case '%s'; see --list\n", bench_subject, name);
    exit(2);
}

int main(int argc, char **argv) {
    int i = 1;
    for (; i < argc && argv[i][0] == '-'; i++) {
        if (!strcmp(argv[i], "--list")) {
            for (const struct bench_case *c = bench_cases; c->name; c++) {
                print_case(c);
                puts("}");
            }
            return 0;
        }
        if (!strcmp(argv[i], "--once") && i + 2 < argc) {
            struct bench_sample s = run_case(find(argv[i + 1]), atol(argv[i + 2]));
            printf("{\"units\":%.0f,\"runtime\":\"%s\"}\n", s.units, runtime_path());
            return 0;
        }
        if (!strcmp(argv[i], "--samples") && i + 1 < argc) {
            int n = atoi(argv[++i]);
            samples_wanted = n < 3 ? 3 : n > kMaxSamples ? kMaxSamples : n;
        } else if (!strcmp(argv[i], "--sample-ms") && i + 1 < argc) {
            sample_ns = atof(argv[++i]) * 1e6;
        } else if (!strcmp(argv[i], "--budget-ms") && i + 1 < argc) {
            budget_ns = atof(argv[++i]) * 1e6;
        } else {
            fprintf(stderr, "%s: unknown or incomplete option '%s'\n", bench_subject, argv[i]);
            return 2;
        }
    }
    if (i == argc)
        for (const struct bench_case *c = bench_cases; c->name; c++)
            measure(c);
    for (; i < argc; i++)
        measure(find(argv[i]));
    return 0;
}
