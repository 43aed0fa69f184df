// Code that the generated programs share (programs.py). A unit defines kSites before it: the most
// checks of a program.
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Compilers cannot know their values, so a clause with one keeps its code for both.
int zero = 0;
int one = 1;

static int T;                          ///< OMP_NUM_THREADS
static long ignored, *junk = &ignored; ///< counts what may happen any number of times
static unsigned long sums[kSites];
static int wrong_site;
static unsigned long wrong[2];
static omp_lock_t lock;

static int kept;
#pragma omp threadprivate(kept)

struct pair {
    long other, n;
};
#pragma omp declare reduction(pairs : struct pair : omp_out.n += omp_in.n)                         \
    initializer(omp_priv = (struct pair){0, 0})

static unsigned long power(unsigned long base, unsigned long times) {
    unsigned long result = 1;
    while (times-- > 0)
        result *= base;
    return result;
}

static unsigned long pick(unsigned long condition, unsigned long yes, unsigned long no) {
    return condition ? yes : no;
}

/// Spends some time, so that other threads come first.
static void work(int rounds) {
    for (volatile int i = 0; i < 50 * rounds; i++)
        ;
}

/// Site -1 is executed any number of times.
static void check(int site, unsigned long got, unsigned long want) {
    if (site >= 0)
        __atomic_fetch_add(&sums[site], got, __ATOMIC_RELAXED);
    int none = 0;
    if (got != want && __atomic_compare_exchange_n(&wrong_site, &none, site + 2, 0,
                                                   __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
        wrong[0] = got;
        wrong[1] = want;
    }
}

struct program {
    int number, sites;
    void (*run)(void);
};

/// ROUNDS NUMBER...: runs the programs with these numbers in this order; prints a line for each.
static int run_programs(const struct program *programs, int count, int argc, char **argv) {
    T = omp_get_max_threads();
    omp_init_lock(&lock);
    for (int round = 0; round < atoi(argv[1]); round++) {
        for (int i = 2; i < argc; i++) {
            const struct program *program = programs;
            while (program < programs + count && program->number != atoi(argv[i]))
                program++;
            if (program == programs + count)
                return 2;
            printf("%d ", program->number);
            fflush(stdout);
            memset(sums, 0, sizeof sums);
            wrong_site = 0;
            program->run();
            for (int site = 0; site < program->sites; site++)
                printf("%lu ", sums[site]);
            if (wrong_site)
                printf("check %d: %lu for %lu", wrong_site - 2, wrong[0], wrong[1]);
            printf("\n");
            fflush(stdout);
        }
    }
    return 0;
}
