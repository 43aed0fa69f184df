/* taskloop near the ends of its variable's type: each iteration is executed once, and no other
   value is seen. The value after the last one fits into the type.

   threads: 2 */
#include "check.h"

#include <limits.h>
#include <string.h>

enum { MOST = 64 };

static int seen[MOST];

/* Counts value `first + i * step` as iteration i. */
#define COUNT(value, first, step)                                                                  \
    do {                                                                                           \
        const long long at = (long long)((unsigned long long)(value) - (first)) / (step);          \
        CHECK(at >= 0 && at < MOST);                                                               \
        _Pragma("omp atomic") seen[at]++;                                                          \
    } while (0)

static void expect_iterations(int count) {
    for (int i = 0; i < MOST; i++)
        CHECK_EQ(seen[i], i < count);
    memset(seen, 0, sizeof seen);
}

#define TASKLOOPS(TYPE, FIRST, CONDITION, STEP, COUNT_OF_THEM)                                     \
    do {                                                                                           \
        const TYPE first = FIRST;                                                                  \
        _Pragma("omp taskloop") for (TYPE i = FIRST; CONDITION; i += STEP) COUNT(i, first, STEP);  \
        expect_iterations(COUNT_OF_THEM);                                                          \
        _Pragma("omp taskloop grainsize(3)") for (TYPE i = FIRST; CONDITION; i += STEP)            \
            COUNT(i, first, STEP);                                                                 \
        expect_iterations(COUNT_OF_THEM);                                                          \
        _Pragma("omp taskloop num_tasks(5)") for (TYPE i = FIRST; CONDITION; i += STEP)            \
            COUNT(i, first, STEP);                                                                 \
        expect_iterations(COUNT_OF_THEM);                                                          \
    } while (0)

int main(void) {
#pragma omp parallel
#pragma omp single
    {
        TASKLOOPS(unsigned long, ULONG_MAX - 20, i < ULONG_MAX, 1, 20);
        TASKLOOPS(unsigned long, ULONG_MAX - 21, i < ULONG_MAX, 7, 3);
        TASKLOOPS(unsigned long, 0, i < 1, 1, 1);
        TASKLOOPS(unsigned long, LONG_MAX - 5ul, i < LONG_MAX + 6ul, 1, 11);
        TASKLOOPS(unsigned long long, ULLONG_MAX - 40, i <= ULLONG_MAX - 4, 4, 10);
        TASKLOOPS(unsigned long, 20, i > 0, -1, 20);
        TASKLOOPS(unsigned long, ULONG_MAX, i > ULONG_MAX - 21, -2, 11);
        TASKLOOPS(long, LONG_MAX - 20, i < LONG_MAX, 1, 20);
        TASKLOOPS(long, LONG_MIN, i < LONG_MIN + 13, 5, 3);
        TASKLOOPS(long, LONG_MIN + 21, i > LONG_MIN, -3, 7);
        TASKLOOPS(int, INT_MAX - 10, i < INT_MAX, 2, 5);
        TASKLOOPS(unsigned, UINT_MAX - 10, i < UINT_MAX, 2, 5);
    }
    return 0;
}
