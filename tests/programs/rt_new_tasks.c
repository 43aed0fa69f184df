// env: LOOMP_NEW_TASKS_SHARED_BY=socket
// Tasks in queues that threads share: all run once, in order where they depend on each other; a
// creator far ahead is throttled; taskloops, nested tasks and affinity clauses, too.
#include "check.h"

enum { kTasks = 20000, kCells = 16 };
static int ran[kTasks], looped[kTasks];
static _Atomic int leaves;

static void tree(int depth) {
    if (depth == 0) {
        leaves++;
        return;
    }
    for (int k = 0; k < 2; k++) {
#pragma omp task firstprivate(depth)
        tree(depth - 1);
    }
#pragma omp taskwait
}

int main(void) {
    long cell[kCells] = {0};
#pragma omp parallel num_threads(4)
#pragma omp single
    {
        for (int i = 0; i < kTasks; i++) {
#pragma omp task firstprivate(i)
            ran[i]++;
        }
#pragma omp taskloop grainsize(7)
        for (int i = 0; i < kTasks; i++)
            looped[i]++;
        for (int i = 0; i < kTasks; i++) {
            const int c = i % kCells;
#if defined(__clang__)
#pragma omp task depend(inout : cell[c]) affinity(cell[c]) firstprivate(i)
#else
#pragma omp task depend(inout : cell[c]) firstprivate(i)
#endif
            cell[c] = (cell[c] * 31 + i) % 1000003;
        }
        tree(8);
    }
    for (int i = 0; i < kTasks; i++) {
        CHECK_EQ(ran[i], 1);
        CHECK_EQ(looped[i], 1);
    }
    for (int c = 0; c < kCells; c++) {
        long expected = 0;
        for (int i = c; i < kTasks; i += kCells)
            expected = (expected * 31 + i) % 1000003;
        CHECK_EQ(cell[c], expected);
    }
    CHECK_EQ(leaves, 256);
    return 0;
}
