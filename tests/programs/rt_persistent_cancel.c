// A taskgroup that is cancelled in one iteration of a persistent task graph: its tasks are
// discarded then, and all run in the iterations before and after.
// env: OMP_CANCELLATION=true
#include <omp.h>

#include "check.h"
#define LOOMP_WEAK
#include "loomp/loomp.h"

enum { kIterations = 12, kCancelled = 5, kTasks = 30 };

static int ran[kIterations];

static void iteration(int n) {
    int link = 0;
    (void)link;
#pragma omp taskgroup
    for (int i = 0; i < kTasks; ++i) {
#pragma omp task firstprivate(n, i) depend(inout : link)
        {
            ++ran[n];
            if (n == kCancelled && i == 9) {
#pragma omp cancel taskgroup
            }
        }
    }
}

static void check(int threads) {
    for (int n = 0; n < kIterations; ++n)
        ran[n] = 0;
#pragma omp parallel num_threads(threads)
#pragma omp single
    for (int n = 0; n < kIterations; ++n) {
        LOOMP_PERSISTENT(0)
        iteration(n);
    }
    for (int n = 0; n < kIterations; ++n)
        CHECK_EQ(ran[n], n == kCancelled ? 10 : kTasks);
}

int main(void) {
    omp_set_dynamic(0);
    CHECK(omp_get_cancellation());
    for (int round = 0; round < 20; ++round) {
        check(1);
        check(4);
    }
    return 0;
}
