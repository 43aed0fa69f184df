/* Names for the profiler: regions, and labels of tasks. It needs no library and no loomp.
 *
 *     cc -fopenmp regions.c -o regions
 *     loomp trace -o trace ./regions && loomp report trace
 *
 * Prints the sum. The report shows the regions "assembly" and "solve", and the tasks "row". */
#include <loomp/record.h>
#include <stdio.h>

enum { ROWS = 64, COLUMNS = 10000, STEPS = 10 };
static double matrix[ROWS][COLUMNS];
static double sums[ROWS];

static void assemble(int row) {
    for (int column = 0; column < COLUMNS; column++)
        matrix[row][column] = row;
}

static void add_up(int row) {
    for (int column = 0; column < COLUMNS; column++)
        sums[row] += matrix[row][column];
}

int main(void) {
#pragma omp parallel
#pragma omp single
    {
        loomp_region_begin("assembly");
        for (int row = 0; row < ROWS; row++)
            assemble(row);
        loomp_region_end("assembly");

        for (int step = 0; step < STEPS; step++) {
            loomp_region_begin("solve");
            for (int row = 0; row < ROWS; row++) {
                loomp_task_label("row");
#pragma omp task
                add_up(row);
            }
#pragma omp taskwait
            loomp_region_end("solve");
        }
    }

    double sum = 0;
    for (int row = 0; row < ROWS; row++)
        sum += sums[row];
    const double expected = (double)STEPS * COLUMNS * ROWS * (ROWS - 1) / 2;
    printf("regions: sum %.0f, expected %.0f\n", sum, expected);
    return sum != expected;
}
