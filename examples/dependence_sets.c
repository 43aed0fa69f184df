/* Dependence sets: a sparse matrix's tasks depend on blocks that column indices select, once.
 *
 *     cc -fopenmp dependence_sets.c -o dependence_sets -lloomp
 *     loomp run ./dependence_sets
 *
 * Prints how many entries of the vector are wrong. */
#include <loomp/loomp.h>
#include <stdio.h>

enum { ROWS = 1024, PER_ROW = 4, BLOCK = 64, BLOCKS = ROWS / BLOCK, STEPS = 50 };
static int32_t column[ROWS][PER_ROW];

static void multiply(const unsigned *x, unsigned *y, int block) {
    for (int row = block * BLOCK; row < (block + 1) * BLOCK; row++) {
        y[row] = 1;
        for (int k = 0; k < PER_ROW; k++)
            y[row] += x[column[row][k]];
    }
}

int main(void) {
    static unsigned vector[2][ROWS], expected[2][ROWS];
    for (int row = 0; row < ROWS; row++)
        for (int k = 0; k < PER_ROW; k++)
            column[row][k] = (row * 7 + k * k * 100) % ROWS;

    loomp_dependences_t *set[2][BLOCKS]; /* for even and odd steps */
    for (int from = 0; from < 2; from++)
        for (int b = 0; b < BLOCKS; b++) {
            loomp_dependences_t *one = set[from][b] = loomp_dependences_create();
            loomp_dependences_add_tiles32(one, LOOMP_DEPEND_IN, vector[from], sizeof(unsigned),
                                          BLOCK, column[b * BLOCK], BLOCK * PER_ROW);
            loomp_dependences_add(one, LOOMP_DEPEND_OUT, &vector[1 - from][b * BLOCK]);
        }

#pragma omp parallel
#pragma omp single
    for (int step = 0; step < STEPS; step++)
        for (int b = 0; b < BLOCKS; b++) {
            const int from = step % 2;
            loomp_next_task_depends(set[from][b]);
#pragma omp task
            multiply(vector[from], vector[1 - from], b);
        }

    int wrong = 0;
    for (int step = 0; step < STEPS; step++)
        for (int b = 0; b < BLOCKS; b++)
            multiply(expected[step % 2], expected[1 - step % 2], b);
    for (int row = 0; row < ROWS; row++)
        wrong += vector[STEPS % 2][row] != expected[STEPS % 2][row];
    for (int b = 0; b < BLOCKS; b++) {
        loomp_dependences_free(set[0][b]);
        loomp_dependences_free(set[1][b]);
    }
    printf("dependence_sets: %d steps, %d of %d entries are wrong\n", STEPS, wrong, ROWS);
    return wrong != 0;
}
