// What waits for the last of a chain of kept tasks is found along the edges that their graph has
// planned, where no stack is left for the first one.
// env: LOOMP_MAX_STACKS=1 LOOMP_PERSISTENT=auto
#include "check.h"
#include "kept_stderr.h"

enum { kDepth = 3, kIterations = 12 };

static long iterate(int depth) {
    long sum = 0;
    for (int i = 0; i < kIterations; ++i) {
        long a = 0, b = 0, c = 0;
#pragma omp task shared(a) depend(out : a)
        {
#pragma omp taskyield
            a = depth > 0 && i % 4 == 3 ? iterate(depth - 1) : 1;
        }
#pragma omp task shared(a, b) depend(in : a) depend(out : b)
        b = a;
#pragma omp task shared(b, c) depend(in : b) depend(out : c)
        c = b;
#pragma omp taskwait depend(in : c)
        sum += c;
#pragma omp taskwait
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
