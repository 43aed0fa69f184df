// A chain of target tasks comes to its end while all threads are inside host tasks, which wait for
// that without a word to the runtime: a thread that has no task begins what those leave lying.
#include "../../programs/check.h"
#include <omp.h>
#include <stdint.h>
#include <stdlib.h>
#include <time.h>

enum { kChain = 40, kLength = 3000 };

static void chain(double *y, int *done) {
    // The device of these tests reaches the host's memory.
    const uintptr_t count = (uintptr_t)done;
    for (int k = 0; k < kChain; ++k) {
#pragma omp target update to(y[0 : kLength]) nowait depend(inout : y[0])
#pragma omp target nowait depend(inout : y[0]) map(present, tofrom : y[0 : kLength])
        for (int i = 0; i < kLength; ++i)
            y[i] += 1;
#pragma omp target update from(y[0 : kLength]) nowait depend(inout : y[0])
#pragma omp target nowait depend(inout : y[0])
        __atomic_fetch_add((int *)count, 1, __ATOMIC_RELEASE);
    }
}

int main(void) {
    int done = 0;
    double *y = calloc(kLength, sizeof(double));
#pragma omp target enter data map(alloc : y[0 : kLength])
#pragma omp parallel
#pragma omp single
    {
        const int threads = omp_get_num_threads();
        // Which constructs begin on a device is known by then.
        chain(y, &done);
#pragma omp taskwait
        CHECK(done == kChain);
        for (int round = 2; round <= 3; ++round) {
            chain(y, &done);
            for (int t = 0; t < threads; ++t)
#pragma omp task shared(done)
                while (__atomic_load_n(&done, __ATOMIC_ACQUIRE) < round * kChain) {
                    const struct timespec time = {0, 200000};
                    nanosleep(&time, NULL);
                }
#pragma omp taskwait
        }
    }
#pragma omp target exit data map(delete : y[0 : kLength])
    CHECK(done == 3 * kChain);
    for (int i = 0; i < kLength; ++i)
        CHECK(y[i] == 3 * kChain);
    free(y);
    return 0;
}
