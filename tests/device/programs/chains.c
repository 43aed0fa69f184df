// Chains of device tasks (upload, kernel, download), beside host tasks that continue each.
#include "../../programs/check.h"
#include <omp.h>
#include <stdlib.h>

enum { kChains = 64, kLength = 3000 };

int main(void) {
    double *y = malloc(sizeof(double) * kChains * kLength);
    double sums[kChains];
    for (int i = 0; i < kChains * kLength; ++i)
        y[i] = i;
#pragma omp target enter data map(alloc : y[0 : kChains * kLength])
#pragma omp parallel
#pragma omp single
    for (int c = 0; c < kChains; ++c) {
        double *part = y + c * kLength;
#pragma omp target update to(part[0 : kLength]) nowait depend(inout : part[0])
#pragma omp target nowait depend(inout : part[0]) map(present, tofrom : part[0 : kLength])
        for (int i = 0; i < kLength; ++i)
            part[i] = 2 * part[i] + 1;
#pragma omp target update from(part[0 : kLength]) nowait depend(inout : part[0])
#pragma omp task depend(in : part[0]) shared(sums)
        {
            sums[c] = 0;
            for (int i = 0; i < kLength; ++i)
                sums[c] += part[i];
        }
    }
#pragma omp target exit data map(delete : y[0 : kChains * kLength])
    for (int c = 0; c < kChains; ++c) {
        double expected = 0;
        for (int i = 0; i < kLength; ++i)
            expected += 2.0 * (c * kLength + i) + 1;
        CHECK(sums[c] == expected);
    }
    free(y);
    return 0;
}
