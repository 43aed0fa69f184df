// What a task makes ready that ran on top of its waiter, for lack of a stack, does not stay with
// the waiter's thread: the waiter may run for long. Builds with assertions look where the waiter
// runs a task itself.
//
// env: LOOMP_MAX_STACKS=1
#include "check.h"
#include "kept_stderr.h"

enum { kDepth = 6, kRounds = 20 };

static int chain(int depth) {
    int a = 0, b = 0, inner = 0;
    _Atomic int followed = 0;
#pragma omp task shared(a, b) depend(out : a, b)
    a = b = 1;
#pragma omp task shared(b, followed) depend(in : b)
    followed = b;
#pragma omp taskwait depend(in : a)
#pragma omp task shared(a) if (0)
    ++a;
    if (depth > 0) {
#pragma omp task shared(inner)
        inner = chain(depth - 1);
    }
#pragma omp taskwait
    return a + followed + inner;
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
        CHECK_EQ(run, threads * 3 * (kDepth + 1));
    }
    CHECK(count_warnings() <= 1); // none if no task was stolen
    return 0;
}
