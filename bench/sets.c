// Irregular dependences, those of a sparse matrix times a vector, named in the ways of table 6.2 of
// R. Pereira's thesis (2023), and by loomp's dependence sets (loomp/dependences.h). The timed part
// is discovery: one thread creates the tasks, whose bodies are empty.
//
// The matrix is that of 27 points on a cube; its rows are cut into blocks. The task of a block
// reads the blocks of x with its columns and writes its own block of y; then one task per block
// writes x. Lists, filtered lists and sets are made once. On the peers a set is the filtered list.
#include <dlfcn.h>
#include <stdint.h>
#include <stdlib.h>

#include "bench.h"

// gcc reports variables that only a depend clause names as unused.
#pragma GCC diagnostic ignored "-Wunused-variable"
#pragma GCC diagnostic ignored "-Wunused-but-set-variable"
#pragma GCC diagnostic ignored "-Wunused-but-set-parameter"

const char bench_subject[] = "sets";

enum { kSide = 20, kRows = kSide * kSide * kSide, kBlocks = 16, kBlock = kRows / kBlocks };
static double x[kRows], y[kRows];
static int32_t column[27 * kRows]; // of the nonzeros, row after row
static int start[kBlocks + 1];     // of each block's
static int32_t filtered[kBlocks * kBlocks];
static int filtered_start[kBlocks + 1];

// loomp's functions, null on other runtimes.
enum { kIn = 1, kOut = 2 };
static void *(*set_create)(void);
static void (*set_free)(void *);
static int (*set_add)(void *, int, const void *);
static int (*set_add_tiles)(void *, int, const void *, size_t, size_t, const int32_t *, size_t);
static void (*next_task_depends)(const void *);
static void *sets[kBlocks];

static void make_matrix(void) {
    int found = 0;
    for (int row = 0; row < kRows; row++) {
        if (row % kBlock == 0)
            start[row / kBlock] = found;
        const int at[3] = {row % kSide, row / kSide % kSide, row / kSide / kSide};
        for (int d = 0; d < 27; d++) {
            const int to[3] = {at[0] + d % 3 - 1, at[1] + d / 3 % 3 - 1, at[2] + d / 9 - 1};
            int inside = 1;
            for (int k = 0; k < 3; k++)
                inside &= to[k] >= 0 && to[k] < kSide;
            if (inside)
                column[found++] = (to[2] * kSide + to[1]) * kSide + to[0];
        }
    }
    start[kBlocks] = found;
}

// Filters by hand: a block that the task already has carries its number.
static void filter(void) {
    int stamp[kBlocks], found = 0;
    for (int t = 0; t < kBlocks; t++)
        stamp[t] = -1;
    for (int t = 0; t < kBlocks; t++) {
        filtered_start[t] = found;
        for (int j = start[t]; j < start[t + 1]; j++)
            if (stamp[column[j] / kBlock] != t) {
                stamp[column[j] / kBlock] = t;
                filtered[found++] = column[j] / kBlock * kBlock;
            }
    }
    filtered_start[kBlocks] = found;
}

static void *make_set(int t) {
    void *set = set_create();
    set_add_tiles(set, kIn, x, sizeof *x, kBlock, &column[start[t]],
                  (size_t)(start[t + 1] - start[t]));
    set_add(set, kOut, &y[t * kBlock]);
    return set;
}

static void make_all(void) {
    if (start[kBlocks] != 0)
        return;
    set_create = (void *(*)(void))dlsym(RTLD_DEFAULT, "loomp_dependences_create");
    set_free = (void (*)(void *))dlsym(RTLD_DEFAULT, "loomp_dependences_free");
    set_add = (int (*)(void *, int, const void *))dlsym(RTLD_DEFAULT, "loomp_dependences_add");
    set_add_tiles = (int (*)(void *, int, const void *, size_t, size_t, const int32_t *,
                             size_t))dlsym(RTLD_DEFAULT, "loomp_dependences_add_tiles32");
    next_task_depends = (void (*)(const void *))dlsym(RTLD_DEFAULT, "loomp_next_task_depends");
    make_matrix();
    filter();
    for (int t = 0; t < kBlocks && next_task_depends != NULL; t++)
        sets[t] = make_set(t);
}

static void update(void) {
    for (int t = 0; t < kBlocks; t++) {
        double *own = &x[t * kBlock];
        const double *product = &y[t * kBlock];
#pragma omp task depend(inout : own[0]) depend(in : product[0])
        bench_touch(0);
    }
}

// One dependence for each nonzero, on the element.
static void create_scalars(int t) {
    const int32_t *list = &column[start[t]];
    const int count = start[t + 1] - start[t];
#pragma omp task depend(iterator(int j = 0 : count), in : x[list[j]]) depend(out : y[t * kBlock])
    bench_touch(0);
}
// One for each nonzero, on the element's block.
static void create_tiles(int t) {
    const int32_t *list = &column[start[t]];
    const int count = start[t + 1] - start[t];
#pragma omp task depend(iterator(int j = 0 : count), in : x[list[j] / kBlock * kBlock])            \
    depend(out : y[t * kBlock])
    bench_touch(0);
}
// One for each block, from a list without duplicates.
static void create_filtered(int t) {
    const int32_t *list = &filtered[filtered_start[t]];
    const int count = filtered_start[t + 1] - filtered_start[t];
#pragma omp task depend(iterator(int j = 0 : count), in : x[list[j]]) depend(out : y[t * kBlock])
    bench_touch(0);
}
static void create_with_set(int t) {
    if (next_task_depends == NULL)
        return create_filtered(t);
    next_task_depends(sets[t]);
#pragma omp task
    bench_touch(0);
}

static struct bench_sample product(long calls, void (*create)(int)) {
    struct bench_sample sample = {0};
    make_all();
#pragma omp parallel
#pragma omp single
    for (long c = 0; c < calls; c++) {
        const double begin = bench_now();
        for (int t = 0; t < kBlocks; t++)
            create(t);
        sample.ns += bench_now() - begin;
        update();
#pragma omp taskwait
        sample.units += kBlocks;
    }
    return sample;
}

// Rows (b), (c) and (d) of the table, and a set. Claim: a set costs at most 1.1 times what the list
// without duplicates costs.
static struct bench_sample scalars(long calls) { return product(calls, create_scalars); }
static struct bench_sample tiles(long calls) { return product(calls, create_tiles); }
static struct bench_sample by_hand(long calls) { return product(calls, create_filtered); }
static struct bench_sample by_set(long calls) { return product(calls, create_with_set); }

// Claim: a set costs at most 1.1 times a list without duplicates, and a list with nothing else.
enum { kListed = 32 };
static int32_t different[kListed], same[kListed];

static struct bench_sample listed(long calls, const int32_t *list, int count, int with_set) {
    struct bench_sample sample = {0};
    make_all();
    for (int i = 0; i < kListed; i++)
        different[i] = 8 * i;
    void *set = NULL;
    if (with_set && next_task_depends != NULL) {
        set = set_create();
        set_add_tiles(set, kIn, x, sizeof *x, 1, list, kListed);
    }
#pragma omp parallel
#pragma omp single
    for (long c = 0; c < calls; c++) {
        const double begin = bench_now();
        for (int t = 0; t < kBlocks; t++) {
            if (set != NULL) {
                next_task_depends(set);
#pragma omp task
                bench_touch(0);
            } else {
#pragma omp task depend(iterator(int j = 0 : count), in : x[list[j]])
                bench_touch(0);
            }
        }
        sample.ns += bench_now() - begin;
        sample.units += kBlocks;
#pragma omp taskwait
    }
    if (set != NULL)
        set_free(set);
    return sample;
}
static struct bench_sample different_by_hand(long calls) {
    return listed(calls, different, kListed, 0);
}
static struct bench_sample different_by_set(long calls) {
    return listed(calls, different, kListed, 1);
}
static struct bench_sample same_by_hand(long calls) { return listed(calls, same, 1, 0); }
static struct bench_sample same_by_set(long calls) { return listed(calls, same, kListed, 1); }

// The cost of filling, once: an index of the matrix, by hand and into sets; a list without
// duplicates, and one with nothing else. No claim.
static struct bench_sample fill_by_hand(long calls) {
    make_all();
    const double begin = bench_now();
    for (long c = 0; c < calls; c++)
        filter();
    return bench_since(begin, (double)calls * start[kBlocks]);
}
static struct bench_sample fill_sets(long calls) {
    make_all();
    if (next_task_depends == NULL)
        return fill_by_hand(calls);
    const double begin = bench_now();
    for (long c = 0; c < calls; c++)
        for (int t = 0; t < kBlocks; t++)
            set_free(make_set(t));
    return bench_since(begin, (double)calls * start[kBlocks]);
}
static struct bench_sample fill_list(long calls, int distance) {
    static int32_t list[kRows];
    make_all();
    for (int i = 0; i < kRows; i++)
        list[i] = i * distance;
    const double begin = bench_now();
    for (long c = 0; c < calls; c++) {
        if (next_task_depends == NULL) {
            for (int i = 0; i < kRows; i++)
                bench_touch(list[i]);
            continue;
        }
        void *set = set_create();
        set_add_tiles(set, kIn, x, sizeof *x, 1, list, kRows);
        set_free(set);
    }
    return bench_since(begin, (double)calls * kRows);
}
static struct bench_sample fill_different(long calls) { return fill_list(calls, 1); }
static struct bench_sample fill_same(long calls) { return fill_list(calls, 0); }

const struct bench_case bench_cases[] = {
    {"spmv-scalars", "task", .run = scalars},
    {"spmv-tiles", "task", .run = tiles},
    {"spmv-filtered", "task", .run = by_hand},
    {"spmv-set", "task", .run = by_set},
    {"different-filtered", "task", .run = different_by_hand},
    {"different-set", "task", .run = different_by_set},
    {"same-filtered", "task", .run = same_by_hand},
    {"same-set", "task", .run = same_by_set},
    {"fill-by-hand", "index", .run = fill_by_hand},
    {"fill-set", "index", .run = fill_sets},
    {"fill-different", "index", .run = fill_different},
    {"fill-same", "index", .run = fill_same},
    {0},
};
