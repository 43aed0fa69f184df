#include "cholesky/blas.h"
#include "cholesky/factor.h"
#include "common/omp_decls.h"
#include "common/ranks.h"

#include <limits>
#include <utility>

namespace cholesky {

namespace ranks = apps::ranks;

namespace {

// The messages of a step's tiles (i, k) that this rank is to send or to receive, first <= i < last.
struct Traffic {
    std::vector<ranks::Message> outgoing;
    std::vector<ranks::Message> incoming;
};

Traffic traffic(TiledMatrix &matrix, int k, int first, int last) {
    Traffic result;
    const Grid &grid = matrix.grid();
    if (ranks::count() == 1)
        return result;
    for (int i = first; i < last; ++i) {
        const ranks::Message message = {matrix.panel(i, k), matrix.panel_values(k),
                                        grid.owner(i, k), tag(matrix, i, k)};
        if (!matrix.owns(i, k)) {
            if (grid.reads(i, k, matrix.tiles()))
                result.incoming.push_back(message);
            continue;
        }
        for (int reader : grid.readers(i, k, matrix.tiles())) {
            result.outgoing.push_back(message);
            result.outgoing.back().peer = reader;
        }
    }
    return result;
}

void exchange(TiledMatrix &matrix, int k, int first, int last) {
    const Traffic messages = traffic(matrix, k, first, last);
    ranks::exchange(messages.outgoing, messages.incoming);
}

// This rank's tiles of the panel of step k, and of the triangle behind it: each a loop whose tiles
// can be shared out evenly.
std::vector<int> own_panel(const TiledMatrix &matrix, int k) {
    std::vector<int> rows;
    for (int i = k + 1; i < matrix.tiles(); ++i)
        if (matrix.owns(i, k))
            rows.push_back(i);
    return rows;
}

std::vector<std::pair<int, int>> own_trailing(const TiledMatrix &matrix, int k) {
    std::vector<std::pair<int, int>> tiles;
    for (int i = k + 1; i < matrix.tiles(); ++i)
        for (int j = k + 1; j <= i; ++j)
            if (matrix.owns(i, j))
                tiles.emplace_back(i, j);
    return tiles;
}

void restore_all(TiledMatrix &matrix) {
    const std::vector<std::pair<int, int>> own = own_trailing(matrix, -1);
#pragma omp parallel for schedule(dynamic, 1)
    for (std::size_t at = 0; at < own.size(); ++at)
        matrix.restore(own[at].first, own[at].second);
}

void factor_once(TiledMatrix &matrix, std::vector<int> &failed) {
    const int tiles = matrix.tiles();
    const int ld = matrix.tile_size();
    for (int k = 0; k < tiles; ++k) {
        const int depth = matrix.rows(k);
        if (matrix.owns(k, k)) {
            int info = 0;
            potrf(depth, matrix.tile(k, k), ld, &info);
            if (info != 0)
                failed[static_cast<std::size_t>(k)] = k * ld + info;
        }
        exchange(matrix, k, k, k + 1);

        const double *diagonal = matrix.panel(k, k);
        const std::vector<int> panel = own_panel(matrix, k);
#pragma omp parallel for schedule(dynamic, 1)
        for (std::size_t at = 0; at < panel.size(); ++at)
            trsm(matrix.rows(panel[at]), depth, diagonal, ld, matrix.tile(panel[at], k), ld);
        exchange(matrix, k, k + 1, tiles);

        const std::vector<std::pair<int, int>> trailing = own_trailing(matrix, k);
#pragma omp parallel for schedule(dynamic, 1)
        for (std::size_t at = 0; at < trailing.size(); ++at) {
            const int i = trailing[at].first;
            const int j = trailing[at].second;
            if (i == j)
                syrk(matrix.rows(i), depth, matrix.panel(i, k), ld, matrix.tile(i, i), ld);
            else
                gemm(matrix.rows(i), matrix.rows(j), depth, matrix.panel(i, k), ld,
                     matrix.panel(j, k), ld, matrix.tile(i, j), ld);
        }
    }
}

} // namespace

double flops(int n) {
    const double size = n;
    return size * size * size / 3 + size * size / 2 + size / 6;
}

int tag(const TiledMatrix &matrix, int i, int k) { return k * matrix.tiles() + i; }

int first_failure(const std::vector<int> &failed) {
    constexpr int none = std::numeric_limits<int>::max();
    int first = none;
    for (int info : failed)
        if (info != 0 && info < first)
            first = info;
    const int of_all = static_cast<int>(ranks::least(first));
    return of_all == none ? 0 : of_all;
}

Factorisation factor_for(TiledMatrix &matrix, const Repetitions &repetitions) {
    Factorisation result;
    std::vector<int> failed(static_cast<std::size_t>(matrix.tiles()), 0);
    ranks::barrier();
    const double start = omp_get_wtime();
    for (int repetition = 0; repetition < repetitions.count; ++repetition) {
        if (repetitions.count > 1)
            restore_all(matrix);
        factor_once(matrix, failed);
    }
    ranks::barrier();
    result.cost.seconds = omp_get_wtime() - start;
    result.cost.flops = repetitions.count * flops(matrix.size());
    result.info = first_failure(failed);
    return result;
}

} // namespace cholesky
