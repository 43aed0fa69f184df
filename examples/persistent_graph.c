/* A persistent graph: the tasks and edges of the first step serve all later steps.
 *
 *     cc -fopenmp persistent_graph.c -o persistent_graph -lloomp
 *     loomp run ./persistent_graph
 *
 * Prints the last cell. LOOMP_STATS=1 prints how many tasks were kept. */
#include <loomp/loomp.h>
#include <stdio.h>

enum { CELLS = 100, STEPS = 1000 };

static void fill(unsigned *cell) {
    for (int i = 0; i < CELLS; i++)
        cell[i] = 1;
}

int main(void) {
    unsigned cell[CELLS], expected[CELLS];

    fill(cell);
#pragma omp parallel
#pragma omp single
    for (int step = 0; step < STEPS; step++)
        LOOMP_PERSISTENT(0) {
            for (int i = 1; i < CELLS; i++) {
#pragma omp task depend(in : cell[i - 1]) depend(inout : cell[i])
                cell[i] += cell[i - 1] + (unsigned)step; /* each step has its own i and step */
            }
        }

    fill(expected);
    for (int step = 0; step < STEPS; step++)
        for (int i = 1; i < CELLS; i++)
            expected[i] += expected[i - 1] + (unsigned)step;
    const unsigned last = cell[CELLS - 1], right = expected[CELLS - 1];
    printf("persistent_graph: the last cell is %u, expected %u\n", last, right);
    return last != right;
}
