#include "cholesky/grid.h"

#include "common/ranks.h"

#include <algorithm>

namespace cholesky {

Grid::Grid() : rank_(apps::ranks::rank()), q_(apps::ranks::count()) {
    const int count = q_;
    for (int p = 2; p * p <= count; ++p)
        if (count % p == 0)
            p_ = p;
    q_ = count / p_;
}

std::vector<int> Grid::readers(int i, int k, int tiles) const {
    std::vector<int> found;
    const auto add = [&](int row, int column) { found.push_back(owner(row, column)); };
    if (i == k) {
        // The solves of the panel below it.
        for (int row = k + 1; row < tiles && row <= k + p_; ++row)
            add(row, k);
    } else {
        // The updates in its row, and, transposed, in its column.
        for (int column = k + 1; column <= i && column <= k + q_; ++column)
            add(i, column);
        for (int row = i; row < tiles && row < i + p_; ++row)
            add(row, i);
    }
    std::sort(found.begin(), found.end());
    found.erase(std::unique(found.begin(), found.end()), found.end());
    found.erase(std::remove(found.begin(), found.end(), owner(i, k)), found.end());
    return found;
}

bool Grid::reads(int i, int k, int tiles) const {
    const std::vector<int> all = readers(i, k, tiles);
    return std::binary_search(all.begin(), all.end(), rank_);
}

} // namespace cholesky
