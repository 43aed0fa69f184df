/* LOOMP_QUEUE_ORDER: the order in which a thread looks into queues with names and for all other
   tasks. The order is seen in that in which one thread runs what waits everywhere.

   env: LOOMP_PRODUCERS_FIRST=true
   threads: 1 */
#define LOOMP_WEAK
#include <loomp/experimental.h>

#include "again_with.h"

static char ran[8];
static int runs;

/* Tasks in the queues `first` and `second` and in none, two of each; "ffttss", say, is how they
 * ran. */
static void see_order(const char *expected) {
#pragma omp parallel num_threads(1)
    {
        // A queue may be made after the order was read.
        const int first = loomp_queue("first", LOOMP_ANY_PLACE),
                  second = loomp_queue("second", LOOMP_ANY_PLACE);
        for (int i = 0; i < 2; i++) {
            loomp_next_task_queue(first);
#pragma omp task
            ran[runs++] = 'f';
            loomp_next_task_queue(second);
#pragma omp task
            ran[runs++] = 's';
#pragma omp task
            ran[runs++] = 't';
        }
#pragma omp taskwait
    }
    if (strcmp(ran, expected) != 0) {
        fprintf(stderr, "order %s\n", ran);
        _exit(1);
    }
}

int main(int count, char **arguments) {
    if (count > 1) {
        see_order(arguments[1]);
        return 0;
    }
    run_again_with("LOOMP_QUEUE_ORDER=first,tasks,second", "ffttss");
    run_again_with("LOOMP_QUEUE_ORDER=second,tasks,first", "ssttff");
    run_again_with("LOOMP_QUEUE_ORDER=tasks,second,first", "ttssff");
    run_again_with("LOOMP_QUEUE_ORDER=second\t,\tfirst,,\ttasks", "ssfftt");
    run_again_with("LOOMP_QUEUE_ORDER=second,first,tasks", "ssfftt");
    // What is left out: all other tasks come first, queues last. A name that no queue has means
    // nothing.
    run_again_with("LOOMP_QUEUE_ORDER=second,first", "ttssff");
    run_again_with("LOOMP_QUEUE_ORDER=nobody,second,tasks", "ssttff");
    return 0;
}
