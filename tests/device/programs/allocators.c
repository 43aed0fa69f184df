// Memory of a pinned allocator is the driver's: no copy from or to it holds up a thread. Blocks of
// all sizes, zeroed, with another size, from tasks, and given back in any of them.
#include "../../programs/check.h"
#include <omp.h>
#include <stdint.h>
#include <string.h>

enum { kParts = 24, kLength = 20000 };

static void work_on(double *part, int c) {
#pragma omp target enter data map(to : part[0 : kLength]) nowait depend(inout : part[0])
#pragma omp target nowait depend(inout : part[0]) map(present, tofrom : part[0 : kLength])
    for (int i = 0; i < kLength; ++i)
        part[i] += i + c;
#pragma omp target exit data map(from : part[0 : kLength]) nowait depend(inout : part[0])
}

int main(void) {
    omp_alloctrait_t traits[] = {{omp_atk_pinned, omp_atv_true}, {omp_atk_alignment, 4096}};
    omp_allocator_handle_t pinned = omp_init_allocator(omp_default_mem_space, 2, traits);
    CHECK(pinned != omp_null_allocator);
    double *parts[kParts];
#pragma omp parallel
#pragma omp single
    {
        for (int c = 0; c < kParts; ++c) {
#pragma omp task depend(out : parts[c])
            {
                parts[c] = c % 2 == 0 ? omp_calloc(kLength, sizeof(double), pinned)
                                      : omp_alloc(sizeof(double) * kLength / 2, pinned);
                CHECK(parts[c] != NULL && (uintptr_t)parts[c] % 4096 == 0);
                if (c % 2 != 0) {
                    memset(parts[c], 0, sizeof(double) * kLength / 2);
                    parts[c] = omp_realloc(parts[c], sizeof(double) * kLength, pinned, pinned);
                    CHECK(parts[c] != NULL);
                    memset(parts[c] + kLength / 2, 0, sizeof(double) * (kLength - kLength / 2));
                }
            }
        }
#pragma omp taskwait
        for (int c = 0; c < kParts; ++c)
            work_on(parts[c], c);
#pragma omp taskwait
        for (int c = 0; c < kParts; ++c) {
#pragma omp task
            {
                for (int i = 0; i < kLength; ++i)
                    CHECK(parts[c][i] == i + c);
                omp_free(parts[c], c % 3 == 0 ? omp_null_allocator : pinned);
            }
        }
    }
    omp_destroy_allocator(pinned);
    return 0;
}
