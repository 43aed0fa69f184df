// Target regions without nowait, in explicit tasks and in all threads of a region: with data of
// their own, nested in tasks, and beside tasks that only compute.
#include "../../programs/check.h"
#include <omp.h>

enum { kTasks = 40, kLength = 2500 };

static long work(long n) {
    long sum = 0;
    for (long i = 0; i < n; ++i)
        sum += i ^ (sum >> 3);
    return sum;
}

int main(void) {
    static int values[kTasks][kLength];
    long results[kTasks];
    int by_thread[64] = {0};
#pragma omp parallel
    {
#pragma omp single nowait
        for (int t = 0; t < kTasks; ++t) {
            int *mine = values[t];
#pragma omp task firstprivate(mine, t)
            {
                for (int round = 0; round < 3; ++round) {
#pragma omp target map(tofrom : mine[0 : kLength])
                    for (int i = 0; i < kLength; ++i)
                        mine[i] += t + i;
                }
#pragma omp task shared(results) firstprivate(t)
                results[t] = work(1000 + t);
#pragma omp taskwait
            }
        }
        int mine = omp_get_thread_num();
#pragma omp target map(tofrom : mine)
        mine += 100;
        by_thread[omp_get_thread_num()] = mine;
    }
    for (int t = 0; t < kTasks; ++t) {
        CHECK(results[t] == work(1000 + t));
        for (int i = 0; i < kLength; ++i)
            CHECK(values[t][i] == 3 * (t + i));
    }
    for (int i = 0; i < omp_get_max_threads() && i < 64; ++i)
        CHECK(by_thread[i] == 100 + i);
    return 0;
}
