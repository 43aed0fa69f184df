// Stacks that a thread has used for tasks within tasks are others' while it sleeps.
// env: LOOMP_MAX_STACKS=12 OMP_WAIT_POLICY=passive OMP_MAX_ACTIVE_LEVELS=2
#include <unistd.h>

#define LOOMP_WEAK
#include "check.h"
#include "kept_stderr.h"
#include "loomp/loomp.h"
#include "omp_decls.h"

enum { kDepth = 9, kWaiting = 9 };

// In a team of one thread each task runs within its creator, on a stack of its own.
static void go_deeper(int depth) {
    if (depth == 0)
        return;
#pragma omp task firstprivate(depth)
    go_deeper(depth - 1);
#pragma omp taskwait
}

static void suspend_many(void) {
    loomp_suspension_t until[kWaiting];
    int woken = 0;
    for (int i = 0; i < kWaiting; ++i) {
        until[i] = (loomp_suspension_t)LOOMP_SUSPENSION_INIT;
#pragma omp task firstprivate(i) shared(until, woken)
        {
            loomp_suspend(&until[i]);
            ++woken;
        }
    }
    CHECK_EQ(woken, 0);
    for (int i = 0; i < kWaiting; ++i)
        loomp_resume(&until[i]);
#pragma omp taskwait
    CHECK_EQ(woken, kWaiting);
}

int main(void) {
    keep_stderr();
    for (int round = 0; round < 4; ++round)
#pragma omp parallel num_threads(2)
    {
        if (omp_get_thread_num() == round % 2)
#pragma omp parallel num_threads(1)
            go_deeper(kDepth);
#pragma omp barrier
        if (omp_get_thread_num() != round % 2) {
            usleep(30000); // the other one sleeps
#pragma omp parallel num_threads(1)
            suspend_many();
        }
    }
    CHECK_EQ(count_warnings(), 0);
    return 0;
}
