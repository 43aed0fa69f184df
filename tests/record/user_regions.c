/* Regions that the program names: in tasks that are suspended in them and may continue elsewhere,
 * nested, and outside of tasks; with an argument, also wrong ones. Silent. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <loomp/record.h>
#include <unistd.h>

enum { TASKS = 40 };

static void work(void) {
    for (volatile int i = 0; i < 20000; i = i + 1)
        ;
}

int main(int argc, char **argv) {
    int done = 0;
    (void)argv;
    loomp_region_begin("program"); /* before OpenMP has begun */
    usleep(20000);
    for (int step = 0; step < 3; ++step) {
        loomp_region_begin("step");
#pragma omp parallel
#pragma omp single
        for (int i = 0; i < TASKS; ++i) {
#pragma omp task shared(done)
            {
                loomp_region_begin("outer");
                work();
                loomp_region_begin("inner");
#pragma omp task shared(done)
                {
                    work();
#pragma omp atomic
                    ++done;
                }
#pragma omp taskwait
                loomp_region_begin("crossing");
                loomp_region_end("inner");
                work();
                loomp_region_end(NULL);
                loomp_region_end("outer");
            }
        }
        loomp_region_end("step");
    }
    loomp_region_end("program");
    if (argc > 1) {
#pragma omp parallel
#pragma omp single
        for (int i = 0; i < 5; ++i) {
#pragma omp task
            loomp_region_begin("forgotten");
#pragma omp task
            loomp_region_end("never begun");
        }
    }
    return done != 3 * TASKS;
}
