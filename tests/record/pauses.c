/* The program stops and starts its recording: 100 tasks before, 100 unrecorded ones, one that runs
 * from before the start to after it, 100 after. Every task of a hundred comes after the one before.
 * Then nothing is recorded again, to the end. Needs 2 threads. */
#define _DEFAULT_SOURCE
#include <loomp/record.h>
#include <unistd.h>

static int running, go;

static void set(int *flag) { __atomic_store_n(flag, 1, __ATOMIC_RELEASE); }
static void wait_for(int *flag) {
    while (!__atomic_load_n(flag, __ATOMIC_ACQUIRE))
        usleep(10);
}

int main(void) {
    int done = 0;
#pragma omp parallel
#pragma omp single
    {
        for (int i = 0; i < 100; i++) {
#pragma omp task depend(inout : done) shared(done) /* before */
            done++;
        }
#pragma omp taskwait
        loomp_record_stop();
        usleep(100000);
        for (int i = 0; i < 100; i++) {
#pragma omp task depend(inout : done) shared(done) /* unseen */
            done++;
        }
#pragma omp taskwait
#pragma omp task /* astride */
        {
            set(&running);
            wait_for(&go);
        }
        wait_for(&running);
        loomp_record_start();
        loomp_record_start();
        set(&go);
        for (int i = 0; i < 100; i++) {
#pragma omp task depend(inout : done) shared(done) /* after */
            done++;
        }
#pragma omp taskwait
    }
    loomp_record_stop();
#pragma omp parallel
#pragma omp task shared(done) /* unseen either */
#pragma omp atomic
    done++;
    return done < 300;
}
