/* Weak tasks only create tasks: their children wait, and later tasks wait for the children.
 *
 *     cc -fopenmp weak_tasks.c -o weak_tasks -lloomp
 *     loomp run ./weak_tasks
 *
 * Prints the last value of a block. Ordinary tasks would need a taskwait each. */
#include <loomp/experimental.h>
#include <stdio.h>

enum { BLOCKS = 16, STEPS = 100 };
typedef struct {
    unsigned left, right;
} Block;

/* The order of the steps matters. */
static void advance(unsigned *value, int step) { *value = 3 * *value + (unsigned)step; }

static void refine(Block *block, int step) {
#pragma omp task depend(inout : block->left)
    advance(&block->left, step);
#pragma omp task depend(inout : block->right)
    advance(&block->right, step);
}

int main(void) {
    Block block[BLOCKS] = {{0, 0}};
    unsigned seen[BLOCKS];

#pragma omp parallel
#pragma omp single
    {
        for (int step = 0; step < STEPS; step++)
            for (int b = 0; b < BLOCKS; b++) {
                /* The clause lists what the children's clauses list. */
                loomp_next_task(LOOMP_TASK_WEAK);
#pragma omp task depend(inout : block[b].left, block[b].right)
                refine(&block[b], step);
            }
        for (int b = 0; b < BLOCKS; b++) {
#pragma omp task depend(in : block[b].left, block[b].right) shared(seen)
            seen[b] = block[b].left + block[b].right;
        }
    }

    unsigned expected = 0;
    int wrong = 0;
    for (int step = 0; step < STEPS; step++)
        advance(&expected, step);
    for (int b = 0; b < BLOCKS; b++)
        wrong += seen[b] != 2 * expected;
    printf("weak_tasks: value %u, expected %u, %d of %d blocks are wrong\n", seen[BLOCKS - 1],
           2 * expected, wrong, BLOCKS);
    return wrong != 0;
}
