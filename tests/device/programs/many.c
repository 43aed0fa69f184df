// Ten thousand deferred target regions at once, which add in any order; a taskwait and a taskgroup
// await them.
#include "../../programs/check.h"
#include <omp.h>

enum { kRegions = 5000, kCells = 16 };

int main(void) {
    int cells[kCells] = {0};
#pragma omp target data map(tofrom : cells)
    {
#pragma omp parallel
#pragma omp single
        {
            for (int i = 0; i < kRegions; ++i) {
                int *cell = &cells[i % kCells];
#pragma omp target nowait map(present, tofrom : cell[0 : 1]) firstprivate(i)
                __atomic_fetch_add(cell, i % 7, __ATOMIC_RELAXED);
            }
#pragma omp taskwait
#pragma omp taskgroup
            for (int i = 0; i < kRegions; ++i) {
                int *cell = &cells[i % kCells];
#pragma omp target nowait map(present, tofrom : cell[0 : 1]) firstprivate(i)
                __atomic_fetch_add(cell, 1, __ATOMIC_RELAXED);
            }
        }
    }
    int sum = 0, expected = 0;
    for (int i = 0; i < kCells; ++i)
        sum += cells[i];
    for (int i = 0; i < kRegions; ++i)
        expected += i % 7 + 1;
    CHECK(sum == expected);
    return 0;
}
