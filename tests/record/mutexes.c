/* Two threads run four tasks of 20 ms in a critical section, and then four tasks of 10 ms that have
 * a lock. */
#define _POSIX_C_SOURCE 200809L
#include <omp.h>
#include <time.h>

static void nap(long ms) {
    const struct timespec time = {0, ms * 1000000};
    nanosleep(&time, NULL);
}

int main(void) {
    omp_lock_t lock;
    omp_init_lock(&lock);
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
    }
    omp_destroy_lock(&lock);
    return 0;
}
