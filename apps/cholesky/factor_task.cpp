// A tile is named in a depend clause by its first element.
#include "cholesky/blas.h"
#include "cholesky/factor.h"
#include "common/omp_decls.h"

namespace cholesky {

namespace {

// Priorities of the four kernels in step k. The critical path is potrf, then the trsm and syrk that
// lead to the next one; early steps come before late ones. All the same when not asked for.
struct Priorities {
    bool on;
    int tiles;

    int of_potrf(int k) const { return on ? 3 * (tiles - k) : 0; }
    int of_trsm(int k, int i) const { return on ? (i == k + 1 ? of_potrf(k) - 1 : tiles - k) : 0; }
    int of_syrk(int k, int i) const { return on ? (i == k + 1 ? of_potrf(k) - 2 : tiles - k) : 0; }
    int of_gemm(int k, int j) const { return on ? (j == k + 1 ? tiles - k : 0) : 0; }
};

void create_all(TiledMatrix &matrix, const Priorities &priorities, int *failed, apps::Cost *cost) {
    const int tiles = matrix.tiles();
    const int ld = matrix.tile_size();
    for (int k = 0; k < tiles; ++k) {
        const int depth = matrix.rows(k);
        double *kk = matrix.tile(k, k);
#pragma omp task depend(inout : kk[0]) priority(priorities.of_potrf(k))                            \
    firstprivate(kk, depth, ld, k, failed)
        {
            int info = 0;
            potrf(depth, kk, ld, &info);
            if (info != 0)
                failed[k] = k * ld + info;
        }
        for (int i = k + 1; i < tiles; ++i) {
            double *ik = matrix.tile(i, k);
            const int rows = matrix.rows(i);
#pragma omp task depend(in : kk[0]) depend(inout : ik[0]) priority(priorities.of_trsm(k, i))       \
    firstprivate(kk, ik, rows, depth, ld)
            trsm(rows, depth, kk, ld, ik, ld);
        }
        for (int i = k + 1; i < tiles; ++i) {
            double *ik = matrix.tile(i, k);
            const int rows = matrix.rows(i);
            for (int j = k + 1; j < i; ++j) {
                double *jk = matrix.tile(j, k);
                double *ij = matrix.tile(i, j);
                const int columns = matrix.rows(j);
#pragma omp task depend(in : ik[0], jk[0]) depend(inout : ij[0])                                   \
    priority(priorities.of_gemm(k, j)) firstprivate(ik, jk, ij, rows, columns, depth, ld)
                gemm(rows, columns, depth, ik, ld, jk, ld, ij, ld);
            }
            double *ii = matrix.tile(i, i);
#pragma omp task depend(in : ik[0]) depend(inout : ii[0]) priority(priorities.of_syrk(k, i))       \
    firstprivate(ik, ii, rows, depth, ld)
            syrk(rows, depth, ik, ld, ii, ld);
        }
        const long below = tiles - k - 1;
        const long pairs = below * (below - 1) / 2;
        cost->tasks += 1 + 2 * below + pairs;
        cost->dependences += 1 + 2 * (2 * below) + 3 * pairs;
    }
}

} // namespace

Factorisation factor_task(TiledMatrix &matrix, bool priorities) {
    Factorisation result;
    // One place per step: tasks report what went wrong without sharing a variable.
    std::vector<int> failed(static_cast<std::size_t>(matrix.tiles()), 0);
    const double start = omp_get_wtime();
#pragma omp parallel
#pragma omp single
    {
        const double first = omp_get_wtime();
        create_all(matrix, Priorities{priorities, matrix.tiles()}, failed.data(), &result.cost);
        result.cost.discovery_seconds = omp_get_wtime() - first;
    }
    result.cost.seconds = omp_get_wtime() - start;
    result.cost.flops = flops(matrix.size());
    for (int info : failed)
        if (info != 0 && result.info == 0)
            result.info = info;
    return result;
}

} // namespace cholesky
