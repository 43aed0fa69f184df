// Iterations that are kept: found by the runtime (LOOMP_PERSISTENT=auto), declared, replayed.
#define LOOMP_WEAK
#include "loomp/loomp.h"

enum { kIterations = 20, kTasks = 30 };
static long x[4];

static void create(void) {
    for (int i = 0; i < kTasks; i++) {
        long *mine = &x[i % 3], *next = &x[i % 3 + 1];
#pragma omp task depend(inout : mine[0]) depend(in : next[0]) firstprivate(mine, next)
        mine[0] += next[0];
    }
}

int main(void) {
#pragma omp parallel
#pragma omp single
    {
        for (int i = 0; i < kIterations; i++) {
            create();
#pragma omp taskwait
        }
        for (int i = 0; i < kIterations; i++)
            LOOMP_PERSISTENT(0) create();
        for (int i = 0; i < kIterations; i++)
            LOOMP_PERSISTENT(LOOMP_PERSISTENT_REPLAY) create();
        for (int i = 0; i < kIterations; i++)
            LOOMP_PERSISTENT(LOOMP_PERSISTENT_REPLAY | LOOMP_PERSISTENT_NO_BARRIER) create();
    }
    return 0;
}
