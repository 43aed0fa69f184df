/* A kind of tasks: many small tasks run as one call of a batch body.
 *
 *     cc -fopenmp task_kinds.c -o task_kinds -lloomp
 *     loomp run ./task_kinds
 *
 * Prints how many calls ran the tasks of all cells, twice. */
#include <loomp/experimental.h> /* loomp_queue_put(); the rest is in loomp/loomp.h */
#include <stdatomic.h>
#include <stdio.h>

enum { CELLS = 4096, BATCH = 64 };
static atomic_int calls;

static void advance_all(void *const *cells, size_t count, void *context) {
    (void)context;
    atomic_fetch_add(&calls, 1);
    for (size_t i = 0; i < count; i++)
        *(int *)cells[i] += 1;
}

static void advance(int *cell) {
    atomic_fetch_add(&calls, 1);
    *cell += 1;
}

int main(void) {
    static int cell[CELLS];
    static void *pieces[CELLS];
    const int kind = loomp_task_kind("advance", advance_all, NULL, BATCH);
    for (int i = 0; i < CELLS; i++)
        pieces[i] = &cell[i];

#pragma omp parallel
#pragma omp single
    {
        /* A task for each cell: loomp gathers ready ones. Dependences would work, too. */
        for (int i = 0; i < CELLS; i++) {
            loomp_next_task_kind(kind, &cell[i]);
#pragma omp task
            advance(&cell[i]);
        }
#pragma omp taskwait
        /* A task for each batch only: cheaper to create, without dependences. */
        loomp_queue_put(LOOMP_OTHER_TASKS, kind, pieces, CELLS);
    }

    int wrong = 0;
    for (int i = 0; i < CELLS; i++)
        wrong += cell[i] != 2;
    printf("task_kinds: %d calls for 2 x %d cells, %d cells are wrong\n", calls, CELLS, wrong);
    return wrong != 0;
}
