// env: LOOMP_PERSISTENT=auto LOOMP_MAX_TASKS=2000
// Automatic persistence: programs that repeat themselves, or almost, keep every order.
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"

enum { kWidth = 40, kSteps = 4, kIterations = 40 };

static long line[2][kWidth + 2], expected[2][kWidth + 2];

static void update(long (*lines)[kWidth + 2], int to, int i, long add) {
    int from = 1 - to;
    lines[to][i] = (lines[from][i - 1] + 2 * lines[from][i] + lines[from][i + 1] + add) % 1000003;
}

static void create_steps(int steps, long add) {
    for (int t = 0; t < steps; t++) {
        int to = t % 2, from = 1 - to;
        for (int i = 1; i <= kWidth; i++) {
#pragma omp task firstprivate(to, i, add)                                                          \
    depend(in : line[from][i - 1], line[from][i], line[from][i + 1]) depend(out : line[to][i])
            update(line, to, i, add);
        }
    }
}

// Iterations of two stretches; some have other private data, some one step more or fewer, some
// another dependence in the middle.
static void stencil(int vary) {
    for (int i = 0; i < kWidth + 2; i++)
        line[0][i] = expected[0][i] = line[1][i] = expected[1][i] = i * i;
    long sum = 0, expected_sum = 0;
    for (int n = 0; n < kIterations; n++) {
        int steps = kSteps + (vary && n % 9 == 7) - (vary && n % 11 == 9);
        for (int t = 0; t < steps; t++)
            for (int i = 1; i <= kWidth; i++)
                update(expected, t % 2, i, n);
        for (int i = 1; i <= kWidth; i++)
            expected_sum = (expected_sum * 3 + expected[0][i]) % 1000003;
    }
#pragma omp parallel
#pragma omp single
    for (int n = 0; n < kIterations; n++) {
        create_steps(kSteps + (vary && n % 9 == 7) - (vary && n % 11 == 9), n);
#pragma omp taskwait
        for (int i = 1; i <= kWidth; i++) {
            long *where = vary && n % 13 == 8 && i == 20 ? &expected[0][0] : &sum;
            (void)where;
#pragma omp task depend(inout : sum) depend(in : where[0]) firstprivate(i) shared(sum)
            sum = (sum * 3 + line[0][i]) % 1000003;
        }
#pragma omp taskwait
    }
    CHECK(memcmp(line, expected, sizeof line) == 0);
    CHECK_EQ(sum, expected_sum);
}

// Other dependences in some iterations, with orders that matter.
static void alternating(void) {
    long x = 0, y = 0, bad = 0;
#pragma omp parallel
#pragma omp single
    for (int n = 0; n < kIterations; n++) {
        for (int i = 0; i < 20; i++) {
            long *p = n % 5 == 4 && i >= 10 ? &y : &x;
            long before = n % 5 == 4 && i >= 10 ? i - 10 : i;
#pragma omp task depend(inout : p[0]) firstprivate(p, before) shared(bad)
            {
                bad += *p != before;
                *p = *p + 1;
            }
        }
#pragma omp task depend(inout : x, y) shared(x, y, bad)
        {
            bad += x + y != 20;
            x = y = 0;
        }
#pragma omp taskwait
    }
    CHECK_EQ(bad, 0);
}

static long resident_kib(void) {
    char line[128];
    long value = 0;
    FILE *file = fopen("/proc/self/status", "r");
    while (fgets(line, sizeof line, file) != NULL)
        if (strncmp(line, "VmRSS:", 6) == 0)
            value = atol(line + 6);
    fclose(file);
    return value;
}

// Nothing repeats, and nothing is kept of tasks that have completed.
static void never_repeats(void) {
    enum { kMany = 200000 };
    static char x[64];
    unsigned random = 1;
    long before = 0, after = 0;
#pragma omp parallel num_threads(2)
#pragma omp single
    for (int n = 0; n < 2; n++) {
        for (int i = 0; i < (n == 0 ? 20000 : kMany); i++) {
            random = random * 1103515245u + 12345u;
            char *at = &x[random >> 16 & 63];
#pragma omp task depend(inout : at[0]) firstprivate(at)
            ++*at;
        }
        after = resident_kib();
#pragma omp taskwait
        before = n == 0 ? resident_kib() : before;
    }
    if (after - before > 12 << 10)
        fprintf(stderr, "%ld KiB grew to %ld\n", before, after);
    CHECK(after - before <= 12 << 10);
}

int main(void) {
    never_repeats();
    for (int threads = 1; threads <= 4; threads *= 2) {
        omp_set_num_threads(threads);
        stencil(0);
        stencil(1);
        alternating();
    }
    return 0;
}
