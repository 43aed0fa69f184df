#include "vlasov/moments.h"

#include "vlasov/exact_sum.h"

#include <algorithm>

namespace vlasov {

void sum_rows(const Grid &grid, Tile &tile) {
    double *sums[kSums];
    for (int sum = 0; sum < kSums; ++sum)
        sums[sum] = tile.sums(sum);
    std::fill_n(tile.sums(0), kSums * tile.edge, 0.0);
    for (int j = 0; j < tile.edge; ++j) {
        const double *f = tile.now() + j * tile.stride;
        const double v = grid.v(tile.first_v + j);
#pragma omp simd
        for (int i = 0; i < tile.edge; ++i) {
            add_exactly(f[i], sums[density_high][i], sums[density_low][i]);
            add_exactly(v * f[i], sums[current_high][i], sums[current_low][i]);
        }
    }
}

void add_sums(const Grid &grid, Tile &tile, std::vector<double> &all) {
    for (int sum = 0; sum < kSums; ++sum) {
        const double *from = tile.sums(sum);
        double *to = all.data() + std::ptrdiff_t{sum} * grid.nx + tile.first_x;
        for (int i = 0; i < tile.edge; ++i)
            to[i] += from[i];
    }
}

} // namespace vlasov
