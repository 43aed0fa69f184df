/* A task for each way to wait in OpenMP, and one that runs: it starts when all others wait, and
 * prints a line. */
#include <loomp/loomp.h>
#include <omp.h>
#include <stdio.h>
#include <sys/prctl.h>

static loomp_suspension_t never[4];
static omp_lock_t lock;
volatile int stop;

static void wait_for_ever(int which) { loomp_suspend(&never[which]); } /* waits */

int main(void) {
    prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY, 0, 0, 0);
    omp_init_lock(&lock);
#pragma omp parallel num_threads(1)
#pragma omp single
    {
#pragma omp task
        wait_for_ever(0);
#pragma omp task
        {
            omp_set_lock(&lock);
            wait_for_ever(1);
        }
#pragma omp task
        omp_set_lock(&lock); /* the lock */
#pragma omp task             /* the taskgroup */
        {
#pragma omp taskgroup
            {
#pragma omp task
                wait_for_ever(2);
            }
        }
#pragma omp task
        {
#pragma omp task
            wait_for_ever(3);
#pragma omp taskwait
        }
#pragma omp task
        {
            puts("ready");
            fflush(stdout);
            while (!stop)
                ;
        }
    }
    return 0;
}
