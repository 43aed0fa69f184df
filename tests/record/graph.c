/* A graph whose size is known: ITERATIONS times WIDTH tasks, each after its three neighbours of the
 * iteration before, then one that comes after them all: graph [SIGNAL [MICROSECONDS]]. It kills
 * itself in the middle by SIGNAL, unless that is 0. A task takes MICROSECONDS, 20 without it. */
#include <signal.h>
#include <stdlib.h>
#include <time.h>

enum { WIDTH = 16, ITERATIONS = 50 };

static long task_ns = 20000;

static void compute(void) {
    struct timespec begin, now;
    clock_gettime(CLOCK_MONOTONIC, &begin);
    do
        clock_gettime(CLOCK_MONOTONIC, &now);
    while ((now.tv_sec - begin.tv_sec) * 1000000000L + now.tv_nsec - begin.tv_nsec < task_ns);
}

int main(int argc, char **argv) {
    static char cells[2][WIDTH + 2];
    const int deadly = argc > 1 ? atoi(argv[1]) : 0;
    int ends = 0;
    if (argc > 2)
        task_ns = atol(argv[2]) * 1000;
#pragma omp parallel
#pragma omp single
    {
        for (int i = 0; i < ITERATIONS; i++)
            for (int j = 1; j <= WIDTH; j++) {
                char *from = cells[i % 2] + j;
                char *to = cells[(i + 1) % 2] + j;
#pragma omp task depend(in : from[-1], from[0], from[1]) depend(out : to[0]) /* stencil */
                compute();
                if (deadly != 0 && i == ITERATIONS / 2 && j == 1) {
#pragma omp taskwait
                    raise(deadly);
                }
            }
#pragma omp taskwait
#pragma omp task shared(ends) /* last */
        ends++;
    }
    return ends != 1;
}
