// Data constructs: structured and not, deferred and not, with dependences among each other, with
// host tasks and with kernels.
#include "../../programs/check.h"
#include <omp.h>
#include <stdlib.h>

enum { kRounds = 30, kLength = 4000 };

int main(void) {
    int *x = malloc(sizeof(int) * kLength), *y = malloc(sizeof(int) * kLength);
    for (int round = 0; round < kRounds; ++round) {
        int total = 0;
#pragma omp parallel
#pragma omp single
        {
#pragma omp task depend(out : x[0])
            for (int i = 0; i < kLength; ++i)
                x[i] = i + round;
#pragma omp target enter data map(to : x[0 : kLength]) nowait depend(inout : x[0])
#pragma omp target enter data map(alloc : y[0 : kLength]) nowait depend(out : y[0])
#pragma omp target nowait depend(in : x[0]) depend(inout : y[0]) map(present, to : x[0 : kLength]) \
    map(present, from : y[0 : kLength])
            for (int i = 0; i < kLength; ++i)
                y[i] = 3 * x[i];
#pragma omp target exit data map(from : y[0 : kLength]) nowait depend(inout : y[0])
#pragma omp target exit data map(release : x[0 : kLength]) nowait depend(inout : x[0])
#pragma omp task depend(in : y[0]) shared(total)
            for (int i = 0; i < kLength; ++i)
                total += y[i];
#pragma omp taskwait depend(in : y[0])
#pragma omp taskwait
#pragma omp task shared(x, y)
            {
#pragma omp target data map(to : x[0 : kLength]) map(from : y[0 : kLength])
                {
#pragma omp target
                    for (int i = 0; i < kLength; ++i)
                        y[i] = x[i] + 1;
#pragma omp target update from(y[0 : kLength / 2])
                    CHECK(y[1] == x[1] + 1);
                    x[0] = 77;
#pragma omp target update to(x[0 : 1])
#pragma omp target
                    y[0] = x[0];
                }
            }
#pragma omp taskwait
        }
        int expected = 0;
        for (int i = 0; i < kLength; ++i)
            expected += 3 * (i + round);
        CHECK(total == expected);
        CHECK(y[0] == 77);
        CHECK(y[kLength - 1] == kLength + round);
        // Without devices 0 is the host, where everything is present.
        const int expected_present = omp_get_num_devices() == 0;
        CHECK(!omp_target_is_present(x, 0) == !expected_present);
        CHECK(!omp_target_is_present(y, 0) == !expected_present);
    }
    free(x);
    free(y);
    return 0;
}
