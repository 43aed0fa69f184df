// An untied task creates the tasks of a persistent graph, and then a transparent taskloop. The
// runtime waits for the graph meanwhile, so the task continues on another thread.
#define LOOMP_WEAK
#include <omp.h>
#include <stdio.h>
#include <unistd.h>

#include "check.h"
#include "loomp/experimental.h"
#include "loomp/loomp.h"

enum { kRounds = 20, kIterations = 3, kParts = 4 };

static int ran, parts;
static int begun; // 1: the creator; then its tasks

static void set_begun(int value) {
#pragma omp atomic write
    begun = value;
}

static void wait_until_begun(int value) {
    for (int now = 0; now < value; usleep(100)) {
#pragma omp atomic read
        now = begun;
    }
}

static void creator(void) {
    int x = 0;
    (void)x;
    set_begun(1);
    for (int i = 0; i < kIterations; ++i) {
        LOOMP_PERSISTENT(LOOMP_PERSISTENT_NO_BARRIER) {
#pragma omp task depend(inout : x) firstprivate(i)
            {
                set_begun(i + 2);
                usleep(2000);
#pragma omp atomic
                ++ran;
            }
        }
    }
    // The other thread runs the last task, and this one has nothing to do then.
    wait_until_begun(kIterations + 1);
    loomp_next_task(LOOMP_TASK_TRANSPARENT);
#pragma omp taskloop num_tasks(kParts)
    for (int i = 0; i < kParts; ++i) {
#pragma omp atomic
        ++parts;
    }
}

int main(void) {
    // One warning: such iterations are not kept.
    const int errors = dup(2);
    CHECK(freopen("/dev/null", "w", stderr) != NULL);
    for (int i = 0; i < kRounds; ++i) {
        set_begun(0);
#pragma omp parallel num_threads(2)
        if (omp_get_thread_num() == 0) {
            int done = 0;
            (void)done;
#pragma omp task untied depend(out : done)
            creator();
            // Suspends, so the creator has a stack of its own.
#pragma omp taskwait depend(in : done)
        } else {
            wait_until_begun(1);
        }
    }
    dup2(errors, 2);
    CHECK_EQ(ran, kRounds * kIterations);
    CHECK_EQ(parts, kRounds * kParts);
    return 0;
}
