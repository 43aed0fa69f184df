// A device that has no memory for a routine: that says so by its result, and the program goes on.
#include "../../programs/check.h"
#include <omp.h>

enum { kMore = 20000 };

int main(void) {
    const int refuses = getenv("FAKE_CUDA_FAIL") != NULL;
    int value = 1;
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < 5; ++i) {
#pragma omp task
        {
            void *block = omp_target_alloc(kMore, 0);
            CHECK((block == NULL) == refuses);
            omp_target_free(block, 0);
        }
#pragma omp target nowait depend(inout : value) map(tofrom : value)
        value *= 2;
    }
    CHECK(value == 32);
    return 0;
}
