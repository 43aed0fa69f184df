// No parallel region: deferred target tasks of the initial task, with dependences, awaited by a
// taskwait, a taskgroup, an undeferred region, and the program's end.
#include "../../programs/check.h"
#include <omp.h>

enum { kLength = 2200 };
static int x[kLength], y[kLength];
static int one; ///< lives longer than main()'s frame: so does the last task

__attribute__((destructor)) static void look_at_the_end(void) { CHECK(one == 2); }

int main(void) {
#pragma omp target enter data map(to : x, y)
    for (int round = 0; round < 10; ++round) {
#pragma omp target nowait depend(inout : x)
        for (int i = 0; i < kLength; ++i)
            x[i] += i;
#pragma omp target nowait depend(inout : y)
        for (int i = 0; i < kLength; ++i)
            y[i] += 1;
#pragma omp target nowait depend(in : x) depend(inout : y)
        for (int i = 0; i < kLength; ++i)
            y[i] += x[i];
#pragma omp target update from(y) nowait depend(in : y)
#pragma omp target depend(inout : x)
        x[0] += 1;
    }
#pragma omp taskwait
    int sum = 10;
    for (int k = 1; k <= 10; ++k)
        sum += k * 7;
    CHECK(y[7] == sum);
#pragma omp taskgroup
    {
#pragma omp target nowait map(tofrom : one)
        one += 1;
    }
    CHECK(one == 1);
#pragma omp target nowait map(tofrom : one)
    one += 1; // which nothing in main() waits for
#pragma omp target exit data map(from : x, y)
    CHECK(x[0] == 10 && x[3] == 30);
    return 0;
}
