// Work of the processors beside kernels: both begin at once, and are awaited together. With the
// arguments KERNELS and MILLISECONDS of work for each thread, it prints for how long that took.
#include "../../programs/check.h"
#include <omp.h>
#include <stdlib.h>
#include <time.h>

static double seconds(clockid_t clock) {
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

int main(int count, char **arguments) {
    const int kernels = count > 1 ? atoi(arguments[1]) : 4;
    const double work = count > 2 ? 1e-3 * atoi(arguments[2]) : 0.01;
    int cells[64] = {0}, rounds = 0;
#pragma omp target enter data map(to : cells)
    const double start = seconds(CLOCK_MONOTONIC), used = seconds(CLOCK_PROCESS_CPUTIME_ID);
#pragma omp parallel
#pragma omp single
    {
        for (int i = 0; i < kernels; ++i) {
            int *cell = &cells[i % 64];
#pragma omp target nowait map(present, tofrom : cell[0 : 1])
            *cell += 1;
        }
        for (int t = 0; t < omp_get_num_threads(); ++t) {
#pragma omp task shared(rounds)
            for (double begin = seconds(CLOCK_THREAD_CPUTIME_ID);
                 seconds(CLOCK_THREAD_CPUTIME_ID) - begin < work;)
#pragma omp atomic
                ++rounds;
        }
    }
    const double took = seconds(CLOCK_MONOTONIC) - start;
    const double processors = seconds(CLOCK_PROCESS_CPUTIME_ID) - used;
#pragma omp target exit data map(from : cells)
    int sum = 0;
    for (int i = 0; i < 64; ++i)
        sum += cells[i];
    CHECK(sum == kernels);
    if (count > 1)
        printf("%.0f ms, %.0f ms of processors\n", 1e3 * took, 1e3 * processors);
    return 0;
}
