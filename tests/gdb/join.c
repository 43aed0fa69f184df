/* A thread waits for another at the end of a region: the first, or with an argument the other. The
 * other one prints a line. */
#include <omp.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <unistd.h>

int main(int argc, char **argv) {
    (void)argv;
    prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY, 0, 0, 0);
#pragma omp parallel num_threads(2)
    if (omp_get_thread_num() == (argc == 1)) {
        puts("ready");
        fflush(stdout);
        pause();
    }
    return 0;
}
