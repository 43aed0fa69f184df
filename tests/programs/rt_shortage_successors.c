// If a task runs on top of its waiter, because no stack is left, its successors do not stay with
// the waiter's thread, which may run for long. Builds with assertions check the places where the
// waiter runs a task itself.
//
// env: LOOMP_MAX_STACKS=1
#define LOOMP_WEAK
#include "../../include/loomp/experimental.h"
#include "check.h"
#include "kept_stderr.h"

enum { kDepth = 6, kRounds = 20 };

static int chain(int depth) {
    int a = 0, b = 0, inner = 0;
    _Atomic int followed = 0, other = 0;
#pragma omp taskgroup
    {
#pragma omp task shared(a, b) depend(out : b)
        a = b = 1;
        // Its child follows the task before, and the taskwait does not wait for that.
        loomp_next_task(LOOMP_TASK_WEAK);
#pragma omp task shared(b, followed) depend(in : b)
        {
#pragma omp task shared(b, followed) depend(in : b)
            followed = b;
        }
        // This one's child is not awaited either, and is taken first: the parent has to suspend.
#pragma omp task shared(other) if (0)
        {
#pragma omp task shared(other)
            other = 1;
        }
#pragma omp taskwait
#pragma omp task shared(a) if (0)
        ++a;
        if (depth > 0) {
#pragma omp task shared(inner)
            inner = chain(depth - 1);
        }
    }
    return a + followed + other + inner;
}

int main(void) {
    keep_stderr();
    for (int round = 0; round < kRounds; ++round) {
        const int threads = 1 + round % 4;
        int run = 0;
#pragma omp parallel num_threads(threads)
#pragma omp task shared(run)
        {
            const int mine = chain(kDepth);
#pragma omp atomic
            run += mine;
        }
        CHECK_EQ(run, threads * 4 * (kDepth + 1));
    }
    CHECK(count_warnings() <= 1); // none if no task was stolen
    return 0;
}
