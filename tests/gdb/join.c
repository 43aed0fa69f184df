/* A thread that waits for another in the end of a region. */
#include <omp.h>
#include <sys/prctl.h>
#include <unistd.h>

int main(void) {
    prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY, 0, 0, 0);
#pragma omp parallel num_threads(2)
    if (omp_get_thread_num() == 1)
        pause();
    return 0;
}
