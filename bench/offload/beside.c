/* CPU work beside kernels of long duration: beside KERNELS TASKS TASK_MS
   A chain of kernels, each with a copy before and after, and independent host tasks that compute.
   Prints the time of both together and the processor time of the process, in seconds. The kernels'
   duration is the device's (FAKE_CUDA_KERNEL_US in tests/device/fake_cuda). */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { kLength = 4096 };

static double seconds_of(clockid_t clock) {
    struct timespec time;
    clock_gettime(clock, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* Computes for a time on the thread's own clock, whatever else runs. */
static void compute(double milliseconds) {
    const double end = seconds_of(CLOCK_THREAD_CPUTIME_ID) + 1e-3 * milliseconds;
    while (seconds_of(CLOCK_THREAD_CPUTIME_ID) < end) {
    }
}

static void run(int kernels, int tasks, double milliseconds, double *y) {
#pragma omp parallel
#pragma omp single
    {
        for (int k = 0; k < kernels; ++k) {
#pragma omp target update to(y[0 : kLength]) nowait depend(inout : y[0])
#pragma omp target nowait depend(inout : y[0]) map(present, tofrom : y[0 : kLength])
            for (int i = 0; i < kLength; ++i)
                y[i] += 1;
#pragma omp target update from(y[0 : kLength]) nowait depend(inout : y[0])
        }
        for (int t = 0; t < tasks; ++t)
#pragma omp task
            compute(milliseconds);
#pragma omp taskwait
    }
}

int main(int argc, char **argv) {
    if (argc != 4) {
        fprintf(stderr, "usage: beside KERNELS TASKS TASK_MS\n");
        return 2;
    }
    const int kernels = atoi(argv[1]), tasks = atoi(argv[2]);
    double *y = calloc(kLength, sizeof(double));
#pragma omp target enter data map(to : y[0 : kLength])
    run(1, 0, 0, y); /* devices and threads exist from here on */
    const double begin = seconds_of(CLOCK_MONOTONIC);
    const double cpu = seconds_of(CLOCK_PROCESS_CPUTIME_ID);
    run(kernels, tasks, atof(argv[3]), y);
    printf("%.3f %.3f\n", seconds_of(CLOCK_MONOTONIC) - begin,
           seconds_of(CLOCK_PROCESS_CPUTIME_ID) - cpu);
#pragma omp target exit data map(delete : y[0 : kLength])
    for (int i = 0; i < kLength; ++i)
        if (y[i] != kernels + 1) {
            fprintf(stderr, "beside: wrong values\n");
            return 1;
        }
    free(y);
    return 0;
}
