/* Two threads run tasks that sleep:
 * four of 20 ms in a critical section, four of 10 ms that have a lock, and two of 10 ms that have a
 * nestable lock twice. Then two of 10 ms try a lock in vain, so that nothing excludes them. Prints
 * how many seconds they slept, which is more on a busy machine. */
#define _POSIX_C_SOURCE 200809L
#include <omp.h>
#include <stdio.h>
#include <time.h>

static double slept;

static void nap(long ms) {
    const struct timespec time = {0, ms * 1000000};
    double took = -omp_get_wtime();
    nanosleep(&time, NULL);
    took += omp_get_wtime();
#pragma omp atomic
    slept += took;
}

/* The second thread waits for the first one. */
static int in_order(void) {
#pragma omp parallel for ordered schedule(static, 1) num_threads(2)
    for (int i = 0; i < 2; i++) {
#pragma omp ordered
        nap(20);
    }
    return 0;
}

int main(int argc, char **argv) {
    (void)argv;
    if (argc > 1)
        return in_order();
    omp_lock_t lock;
    omp_nest_lock_t nestable;
    int taken = 0;
    omp_init_lock(&lock);
    omp_init_nest_lock(&nestable);
#pragma omp parallel num_threads(2)
#pragma omp single
    {
        for (int i = 0; i < 4; i++) {
#pragma omp task
            {
#pragma omp critical
                nap(20);
            }
        }
#pragma omp taskwait
        for (int i = 0; i < 4; i++) {
#pragma omp task
            {
                omp_set_lock(&lock);
                nap(10);
                omp_unset_lock(&lock);
            }
        }
#pragma omp taskwait
        for (int i = 0; i < 2; i++) {
#pragma omp task
            {
                omp_set_nest_lock(&nestable);
                omp_set_nest_lock(&nestable);
                nap(10);
                omp_unset_nest_lock(&nestable);
                omp_unset_nest_lock(&nestable);
            }
        }
#pragma omp taskwait
        omp_set_lock(&lock);
        for (int i = 0; i < 2; i++) {
#pragma omp task shared(taken)
            {
                if (omp_test_lock(&lock)) {
#pragma omp atomic
                    taken++;
                }
                nap(10);
            }
        }
#pragma omp taskwait
        omp_unset_lock(&lock);
    }
    omp_destroy_nest_lock(&nestable);
    omp_destroy_lock(&lock);
    printf("%f\n", slept);
    return taken;
}
