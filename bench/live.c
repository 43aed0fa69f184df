// Measures the memory of live tasks: N tasks depend on a first one, which runs until they are
// created (after the thesis of R. Pereira, listing 8.2). It prints the growth of the resident set
// in bytes per task. If N = 0, it creates tasks for SECONDS, and prints their count and the largest
// resident set in MiB.
//
// libgomp creates at most 64 tasks per thread ahead of running ones: it hangs with too few threads.
// bench/memory runs it on all runtimes. usage: live N [SECONDS]
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

#include "bench.h"

const char bench_subject[] = "live";

static double resident_bytes(void) {
    long pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (file == NULL || fscanf(file, "%*d %ld", &pages) != 1)
        pages = 0;
    if (file != NULL)
        fclose(file);
    return (double)pages * (double)sysconf(_SC_PAGESIZE);
}

static void create_for_ever(double seconds) {
    const double end = bench_now() + seconds * 1e9;
    long created = 0;
    int x = 0;
    (void)x; // only its address is used
#pragma omp parallel
#pragma omp single
    {
#pragma omp task depend(out : x)
        {
            while (bench_now() < end)
                usleep(1000);
            struct rusage use;
            getrusage(RUSAGE_SELF, &use);
            printf("%ld tasks, %ld MiB resident at most\n", created, use.ru_maxrss >> 10);
            fflush(stdout);
            _exit(0);
        }
        for (;;) {
#pragma omp task depend(in : x)
            bench_touch(0);
            __atomic_fetch_add(&created, 1, __ATOMIC_RELAXED);
        }
    }
}

int main(int argc, char **argv) {
    const long tasks = argc > 1 ? atol(argv[1]) : 1000000;
    if (tasks == 0) {
        create_for_ever(argc > 2 ? atof(argv[2]) : 60);
        return 0;
    }
    double grown = 0;
    int open = 0, x = 0;
    (void)x;
#pragma omp parallel
#pragma omp single
    {
        const double before = resident_bytes();
#pragma omp task depend(out : x) shared(open)
        while (!__atomic_load_n(&open, __ATOMIC_ACQUIRE))
            usleep(100);
        for (long i = 0; i < tasks; i++) {
#pragma omp task depend(in : x) firstprivate(i)
            bench_touch(i);
        }
        grown = resident_bytes() - before;
        __atomic_store_n(&open, 1, __ATOMIC_RELEASE);
    }
    printf("%.0f\n", grown / (double)tasks);
    return 0;
}
