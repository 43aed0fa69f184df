// Everything that moves lies in pinned memory: no thread that runs tasks is to be held up by the
// driver.
#include "../../programs/check.h"
#include <omp.h>
#include <stddef.h>

void *llvm_omp_target_alloc_host(size_t size, int device);
void llvm_omp_target_free_host(void *block, int device);

enum { kChains = 48, kLength = 4096 };

int main(void) {
    const size_t size = sizeof(double) * kChains * kLength;
    double *y = llvm_omp_target_alloc_host(size, 0);
    CHECK(y != NULL);
    for (int i = 0; i < kChains * kLength; ++i)
        y[i] = i;
#pragma omp parallel
#pragma omp single
    {
#pragma omp target enter data map(alloc : y[0 : kChains * kLength])
        for (int round = 0; round < 3; ++round)
            for (int c = 0; c < kChains; ++c) {
                double *part = y + c * kLength;
#pragma omp target update to(part[0 : kLength]) nowait depend(inout : part[0])
#pragma omp target nowait depend(inout : part[0]) map(present, tofrom : part[0 : kLength])
                for (int i = 0; i < kLength; ++i)
                    part[i] += i;
#pragma omp target update from(part[0 : kLength]) nowait depend(inout : part[0])
            }
#pragma omp taskwait
#pragma omp target exit data map(delete : y[0 : kChains * kLength])
    }
    for (int c = 0; c < kChains; ++c)
        for (int i = 0; i < kLength; ++i)
            CHECK(y[c * kLength + i] == c * kLength + i + 3.0 * i);
    llvm_omp_target_free_host(y, 0);
    return 0;
}
