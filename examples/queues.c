/* A queue with a name: a producer fills it and continues, and other threads consume.
 *
 *     cc -fopenmp queues.c -o queues
 *     loomp run ./queues
 *
 * Prints how many items the producer consumed before it was done: none on loomp. */
#define LOOMP_WEAK /* other runtimes run the program, too, without the queue */
#include <loomp/experimental.h>
#include <omp.h>
#include <stdatomic.h>
#include <stdio.h>

enum { ITEMS = 10000 };
static atomic_int producing = 1;
static atomic_int early;
static atomic_llong sum;

static void consume(long long item, int producer) {
    if (atomic_load(&producing) && omp_get_thread_num() == producer)
        atomic_fetch_add(&early, 1);
    atomic_fetch_add(&sum, item);
}

int main(void) {
    const int queue = loomp_queue ? loomp_queue("items", LOOMP_ANY_PLACE) : 0;

#pragma omp parallel
#pragma omp single
    {
        const int producer = omp_get_thread_num();
        for (long long item = 1; item <= ITEMS; item++) {
            if (queue != 0)
                loomp_next_task_queue(queue);
#pragma omp task
            consume(item, producer);
        }
        atomic_store(&producing, 0);
    }

    const long long expected = ITEMS * (ITEMS + 1LL) / 2;
    printf("queues: sum %lld, expected %lld; the producer consumed %d items early\n", sum, expected,
           early);
    return sum != expected || (queue != 0 && early != 0);
}
