/* A tiled LU factorisation with pivots within the diagonal tiles, by a library's dgemm and dtrsm.
 * Tiles are converted from single precision by tasks of their own. With MISSING the update lacks
 * the item for the tile to its left. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { kTiles = 4, kEdge = 24, kOrder = kTiles * kEdge };

void dgemm_(const char *, const char *, const int *, const int *, const int *, const double *,
            const double *, const int *, const double *, const int *, const double *, double *,
            const int *);
void dtrsm_(const char *, const char *, const char *, const char *, const int *, const int *,
            const double *, const double *, const int *, double *, const int *);

static float *given;
static double *tiles[kTiles][kTiles];
static int pivots[kTiles][kEdge];
static const int edge = kEdge;
static const double one = 1, minus = -1;

static void convert(int row, int column) {
    for (int j = 0; j < kEdge; ++j)
        for (int i = 0; i < kEdge; ++i)
            tiles[row][column][j * kEdge + i] =
                given[(size_t)(column * kEdge + j) * kOrder + (size_t)(row * kEdge + i)];
}
static void swap_rows(double *tile, const int *pivot) {
    for (int i = 0; i < kEdge; ++i)
        for (int j = 0; pivot[i] != i && j < kEdge; ++j) {
            const double kept = tile[j * kEdge + i];
            tile[j * kEdge + i] = tile[j * kEdge + pivot[i]];
            tile[j * kEdge + pivot[i]] = kept;
        }
}
static void factor(double *tile, int *pivot) {
    for (int k = 0; k < kEdge; ++k) {
        pivot[k] = k;
        for (int i = k + 1; i < kEdge; ++i)
            if (fabs(tile[k * kEdge + i]) > fabs(tile[k * kEdge + pivot[k]]))
                pivot[k] = i;
        for (int j = 0; pivot[k] != k && j < kEdge; ++j) {
            const double kept = tile[j * kEdge + k];
            tile[j * kEdge + k] = tile[j * kEdge + pivot[k]];
            tile[j * kEdge + pivot[k]] = kept;
        }
        for (int i = k + 1; i < kEdge; ++i)
            tile[k * kEdge + i] /= tile[k * kEdge + k];
        for (int j = k + 1; j < kEdge; ++j)
            for (int i = k + 1; i < kEdge; ++i)
                tile[j * kEdge + i] -= tile[k * kEdge + i] * tile[j * kEdge + k];
    }
}

int main(void) {
    given = malloc(sizeof(float) * kOrder * kOrder);
    for (int i = 0; i < kOrder * kOrder; ++i)
        given[i] = (float)((i * 7919) % 1000) / 1000 + (i % (kOrder + 1) == 0 ? 60 : 0);
    for (int i = 0; i < kTiles; ++i)
        for (int j = 0; j < kTiles; ++j)
            tiles[i][j] = malloc(sizeof(double) * kEdge * kEdge);
#pragma omp parallel
#pragma omp single
    {
        for (int i = 0; i < kTiles; ++i)
            for (int j = 0; j < kTiles; ++j)
#pragma omp task depend(out : tiles[i][j][0]) firstprivate(i, j)
                convert(i, j);
        for (int k = 0; k < kTiles; ++k) {
#pragma omp task depend(inout : tiles[k][k][0]) depend(out : pivots[k]) firstprivate(k)
            factor(tiles[k][k], pivots[k]);
            for (int j = k + 1; j < kTiles; ++j)
#pragma omp task depend(in : tiles[k][k][0], pivots[k]) depend(inout : tiles[k][j][0])             \
    firstprivate(k, j)
            {
                swap_rows(tiles[k][j], pivots[k]);
                dtrsm_("L", "L", "N", "U", &edge, &edge, &one, tiles[k][k], &edge, tiles[k][j],
                       &edge);
            }
            for (int i = k + 1; i < kTiles; ++i)
#pragma omp task depend(in : tiles[k][k][0]) depend(inout : tiles[i][k][0]) firstprivate(k, i)
                dtrsm_("R", "U", "N", "N", &edge, &edge, &one, tiles[k][k], &edge, tiles[i][k],
                       &edge);
            for (int i = k + 1; i < kTiles; ++i)
                for (int j = k + 1; j < kTiles; ++j)
#ifdef MISSING
#pragma omp task depend(in : tiles[k][j][0]) depend(inout : tiles[i][j][0]) firstprivate(i, j, k)
#else
#pragma omp task depend(in : tiles[i][k][0], tiles[k][j][0]) depend(inout : tiles[i][j][0])        \
    firstprivate(i, j, k)
#endif
                    dgemm_("N", "N", &edge, &edge, &edge, &minus, tiles[i][k], &edge, tiles[k][j],
                           &edge, &one, tiles[i][j], &edge);
        }
    }
    double sum = 0;
    for (int k = 0; k < kTiles; ++k)
        for (int i = 0; i < kEdge; ++i)
            sum += log(fabs(tiles[k][k][i * kEdge + i]));
    printf("%.6f\n", sum);
    return 0;
}
