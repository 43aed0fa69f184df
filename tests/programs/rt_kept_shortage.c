// A chain of kept tasks comes to an end at its producer's taskwait, where no stack is left for
// them. They have a priority, so that the producer does not take them from its thread's queue.
//
// env: LOOMP_MAX_STACKS=1 LOOMP_PERSISTENT=auto OMP_MAX_TASK_PRIORITY=1
#include "check.h"
#include "kept_stderr.h"

enum { kDepth = 3, kIterations = 12 };

static long iterate(int depth) {
    long sum = 0;
    for (int i = 0; i < kIterations; ++i) {
        long a = 0, b = 0, c = 0;
#pragma omp task priority(1) shared(a) depend(out : a)
        {
#pragma omp taskyield
            a = depth > 0 && i % 4 == 3 ? iterate(depth - 1) : 1;
        }
#pragma omp task priority(1) shared(a, b) depend(in : a) depend(out : b)
        b = a;
#pragma omp task priority(1) shared(b, c) depend(in : b) depend(out : c)
        c = b;
#pragma omp taskwait
        sum += c;
    }
    return sum;
}

static long expected(int depth) {
    const long inner = depth > 0 ? expected(depth - 1) : 1;
    return kIterations / 4 * (3 + inner);
}

int main(void) {
    keep_stderr();
    for (int threads = 1; threads <= 4; ++threads) {
        long sum = 0;
#pragma omp parallel num_threads(threads)
#pragma omp task shared(sum)
        {
            const long part = iterate(kDepth);
#pragma omp atomic
            sum += part;
        }
        CHECK_EQ(sum, threads * expected(kDepth));
    }
    CHECK_EQ(count_warnings(), 1);
    return 0;
}
