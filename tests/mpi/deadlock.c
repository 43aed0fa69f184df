/* The program of the thesis (Pereira 2023, annex 8.4), which deadlocks where a yielding task is put
 * beneath another: T1 waits for T2 to start and T2 for T1 to end, both by taskyield, in one thread.
 */
#include <omp.h>

static volatile int t1_completed, t2_started;

static void t1(void) {
    while (!t2_started) {
#pragma omp taskyield
    }
    t1_completed = 1;
}

static void t2(void) {
    t2_started = 1;
    while (!t1_completed) {
#pragma omp taskyield
    }
}

int main(void) {
#pragma omp parallel
    {
        /* The other threads stay away, so that both tasks are thread 0's. */
        while (!t1_completed && omp_get_thread_num() != 0)
            ;
#pragma omp single
        {
#pragma omp task untied
            t2();
#pragma omp task untied
            t1();
        }
    }
    return 0;
}
