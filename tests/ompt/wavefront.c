/* A dependent-task program for race detection: a matrix is swept in tiles, each after its upper and
 * left neighbour, while other tasks count and a reduction adds up. Correct as it stands; one of
 * these definitions plants a race:
 *   RACE_DEPENDENCE   a tile does not wait for its left neighbour
 *   RACE_TASKWAIT     the result is read while tasks run
 *   RACE_CRITICAL     a counter is not protected */
#include <stdio.h>
#include <unistd.h>

enum { kTiles = 6, kSize = 8, kSweeps = 4, kSide = kTiles * kSize };

static double grid[kSide + 1][kSide + 1];
static char tile[kTiles + 1][kTiles + 1];
static long visited;

static void visit(int row, int column) {
    usleep(200); /* lets tasks overlap, on two processors as well */
    for (int i = row * kSize + 1; i <= (row + 1) * kSize; ++i)
        for (int j = column * kSize + 1; j <= (column + 1) * kSize; ++j)
            grid[i][j] = 0.5 * (grid[i - 1][j] + grid[i][j - 1]);
#ifndef RACE_CRITICAL
#pragma omp critical
#endif
    ++visited;
}

static void sweep(void) {
    for (int i = 0; i < kTiles; ++i)
        for (int j = 0; j < kTiles; ++j) {
#ifdef RACE_DEPENDENCE
#pragma omp task depend(in : tile[i][j + 1]) depend(out : tile[i + 1][j + 1])
#else
#pragma omp task depend(in : tile[i][j + 1], tile[i + 1][j]) depend(out : tile[i + 1][j + 1])
#endif
            visit(i, j);
        }
#ifndef RACE_TASKWAIT
#pragma omp taskwait
#endif
}

int main(void) {
    for (int i = 0; i <= kSide; ++i)
        grid[i][0] = grid[0][i] = 1;
    double corner = 0, sum = 0;
#pragma omp parallel num_threads(4)
    {
#pragma omp single
        for (int s = 0; s < kSweeps; ++s) {
            sweep();
            usleep(5000); /* without the taskwait: other threads start on the tiles */
            corner += grid[kSize][kSize];
        }
#pragma omp for reduction(+ : sum) schedule(dynamic)
        for (int i = 1; i <= kSide; ++i)
            for (int j = 1; j <= kSide; ++j)
                sum += grid[i][j];
#pragma omp single nowait
#pragma omp taskgroup
        for (int i = 0; i < 16; ++i) {
#pragma omp task firstprivate(i)
#pragma omp atomic
            visited += i;
        }
    }
    printf("%ld tiles, corner %g, sum %g\n", visited - 120, corner, sum);
    return 0;
}
