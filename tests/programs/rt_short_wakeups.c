// A task that is set aside for lack of a stack is run by a thread that sleeps in the barrier and
// needs no stack, though other sleepers, who can do nothing with it, may be woken for it. env:
// LOOMP_MAX_STACKS=1 OMP_WAIT_POLICY=passive
#include "check.h"
#include "omp_decls.h"
#include <stdatomic.h>
#include <unistd.h>

enum { kThreads = 5, kRounds = 1500 };

static atomic_int over, first_runs, second_runs, is_short;

/* A thread that waits for its own task without a stack to continue on: others run that task. */
static void be_short(atomic_int *runs) {
    int item = 0;
#pragma omp task depend(out : item) shared(item)
    {
        item = 1;
        atomic_store(runs, 1);
        while (!atomic_load(&over))
            usleep(5000);
    }
    if (runs == &second_runs) {
        WAIT_UNTIL(atomic_load(runs));
        atomic_store(&is_short, 1);
    }
#pragma omp taskwait depend(in : item)
}

static int create_tasks(void) {
    int item = 0;
    for (int round = 0; round < kRounds; ++round) {
#pragma omp task depend(out : item) shared(item)
        ++item;
#pragma omp taskwait depend(in : item)
    }
    return item;
}

int main(void) {
    int ran = 0;
#pragma omp parallel num_threads(kThreads)
    {
        const int self = omp_get_thread_num();
        if (self == 3) {
            be_short(&first_runs);
        } else if (self == 2) {
            WAIT_UNTIL(atomic_load(&first_runs));
            be_short(&second_runs);
        } else if (self == 1) {
            WAIT_UNTIL(atomic_load(&is_short));
            usleep(20000);
            ran = create_tasks();
            atomic_store(&over, 1);
        }
    }
    CHECK_EQ(ran, kRounds);
    return 0;
}
