#include "cholesky/blas.h"
#include "cholesky/factor.h"
#include "common/omp_decls.h"

namespace cholesky {

double flops(int n) {
    const double size = n;
    return size * size * size / 3 + size * size / 2 + size / 6;
}

Factorisation factor_for(TiledMatrix &matrix) {
    Factorisation result;
    const int tiles = matrix.tiles();
    const int ld = matrix.tile_size();
    const double start = omp_get_wtime();
    for (int k = 0; k < tiles && result.info == 0; ++k) {
        const int depth = matrix.rows(k);
        double *diagonal = matrix.tile(k, k);
        int info = 0;
        potrf(depth, diagonal, ld, &info);
        if (info != 0)
            result.info = k * ld + info;

#pragma omp parallel for schedule(dynamic, 1)
        for (int i = k + 1; i < tiles; ++i)
            trsm(matrix.rows(i), depth, diagonal, ld, matrix.tile(i, k), ld);

        // The trailing triangle as one loop, so that its tiles can be shared out evenly.
        const int side = tiles - k - 1;
        const int updates = side * (side + 1) / 2;
#pragma omp parallel for schedule(dynamic, 1)
        for (int update = 0; update < updates; ++update) {
            int row = 0;
            int first = 0;
            while (first + row + 1 <= update)
                first += ++row;
            const int i = k + 1 + row;
            const int j = k + 1 + update - first;
            if (i == j)
                syrk(matrix.rows(i), depth, matrix.tile(i, k), ld, matrix.tile(i, i), ld);
            else
                gemm(matrix.rows(i), matrix.rows(j), depth, matrix.tile(i, k), ld,
                     matrix.tile(j, k), ld, matrix.tile(i, j), ld);
        }
    }
    result.cost.seconds = omp_get_wtime() - start;
    result.cost.flops = flops(matrix.size());
    return result;
}

} // namespace cholesky
