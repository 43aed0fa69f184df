// Every task of a batch runs once, even if no stack is left for the batch.
// env: LOOMP_MAX_STACKS=1
#define _GNU_SOURCE

#define LOOMP_WEAK
#include "../../include/loomp/loomp.h"
#include "check.h"
#include "kept_stderr.h"

enum { kDepth = 5, kCells = 7 };

static int kind;

static void mark_one(_Atomic int *cell) { ++*cell; }

static void mark_all(void *const *cells, size_t count, void *context) {
    (void)context;
    for (size_t i = 0; i < count; ++i)
        mark_one(cells[i]);
}

/* Yields while a batch is ready: with the last stack in use, it cannot begin at once. */
static void mark_and_go_deeper(int depth) {
    _Atomic int cells[kCells] = {0};
    for (int i = 0; i < kCells; ++i) {
        _Atomic int *cell = &cells[i];
        loomp_next_task_kind(kind, cell);
#pragma omp task firstprivate(cell)
        mark_one(cell);
    }
#pragma omp taskyield
    if (depth > 0) {
#pragma omp task firstprivate(depth)
        mark_and_go_deeper(depth - 1);
    }
#pragma omp taskwait
    for (int i = 0; i < kCells; ++i)
        CHECK_EQ(cells[i], 1);
}

int main(void) {
    keep_stderr();
    kind = loomp_task_kind("mark", mark_all, NULL, 16);
    /* Others may be so fast that no stack is missed; not each time. */
    for (int round = 0; round < 1000 && count_warnings() == 0; ++round)
        for (int threads = 1; threads <= 4; ++threads)
#pragma omp parallel num_threads(threads)
#pragma omp task
            mark_and_go_deeper(kDepth);
    CHECK_EQ(count_warnings(), 1);
    return 0;
}
