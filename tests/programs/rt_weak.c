/* LOOMP_WEAK: a program that is not linked with loomp runs on its stock runtime, where loomp's
   functions are null, and on loomp, where it calls them. loomp_cuda.h's are null on both: their
   library is another one, with which the program is not linked.

   compilers: gcc
   sanitizers: no
   threads: 2 */
#include <omp.h>

#define LOOMP_WEAK
#include <loomp/experimental.h>
#include <loomp/loomp_cuda.h>

#include "again_with.h"

static void check_on(int is_loomp) {
    int ran = 0;
    CHECK_EQ(loomp_suspend != NULL, is_loomp);
    CHECK_EQ(loomp_queue != NULL, is_loomp);
    CHECK_EQ(loomp_dependences_create != NULL, is_loomp);
    CHECK_EQ(loomp_cuda_wait_stream != NULL, 0);
#pragma omp parallel
#pragma omp single
#pragma omp task shared(ran)
    {
        loomp_suspension_t resumed = LOOMP_SUSPENSION_INIT;
        if (loomp_suspend) {
            loomp_resume(&resumed);
            loomp_suspend(&resumed);
        }
        ran = 1;
    }
    CHECK_EQ(ran, 1);
}

/* The macros run the body each time, and each iteration waits for its tasks. */
static void check_persistent(void) {
    int steps = 0, waited = 0;
#pragma omp parallel
#pragma omp single
    {
        for (int step = 0; step < 5; step++) {
            LOOMP_PERSISTENT(0) {
#pragma omp task shared(steps) depend(inout : steps)
                {
                    usleep(1000);
                    steps++;
                }
            }
            waited += steps == step + 1;
        }
        for (int step = 0; step < 5; step++)
            LOOMP_PERSISTENT_AT("no barrier", LOOMP_PERSISTENT_NO_BARRIER) {
#pragma omp task shared(steps) depend(inout : steps)
                steps++;
            }
#pragma omp taskwait
    }
    CHECK_EQ(waited, 5);
    CHECK_EQ(steps, 10);
}

int main(int count, char **arguments) {
    (void)arguments;
    check_on(count == 1);
    check_persistent();
    if (count == 1)
        run_again_with("LD_LIBRARY_PATH LD_PRELOAD", "stock");
    return 0;
}
