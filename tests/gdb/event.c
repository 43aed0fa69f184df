/* A task whose code has ended, but whose event nobody fulfils; another one depends on it. */
#include <omp.h>
#include <stdio.h>
#include <sys/prctl.h>

int main(void) {
    int value = 0;
    prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY, 0, 0, 0);
#pragma omp parallel num_threads(1)
#pragma omp single
    {
        omp_event_handle_t event, fulfilled;
#pragma omp task detach(fulfilled) depend(out : value)
        omp_fulfill_event(fulfilled);
#pragma omp task detach(event) depend(inout : value) /* loses it */
        {
            puts("ready");
            fflush(stdout);
        }
#pragma omp task depend(in : value)
        value = 1;
    }
    return 0;
}
