#include "cholesky/matrix.h"

#include <algorithm>
#include <cstdint>

namespace cholesky {

double element(int n, int i, int j) {
    // A 64-bit mix (the finaliser of splitmix64) of the ordered pair.
    const auto low = static_cast<std::uint64_t>(std::min(i, j));
    const auto high = static_cast<std::uint64_t>(std::max(i, j));
    std::uint64_t bits = (high << 32 | low) + 0x9e3779b97f4a7c15u;
    bits = (bits ^ bits >> 30) * 0xbf58476d1ce4e5b9u;
    bits = (bits ^ bits >> 27) * 0x94d049bb133111ebu;
    bits ^= bits >> 31;
    const double random = static_cast<double>(bits >> 11) * 0x1p-53 - 0.5;
    return i == j ? random + n : random;
}

TiledMatrix::TiledMatrix(int n, int tile) : n_(n), tile_(tile), tiles_((n - 1) / tile + 1) {
    storage_.resize(offset(tiles_, 0));
}

void TiledMatrix::fill() {
    for (int i = 0; i < tiles_; ++i) {
        for (int j = 0; j <= i; ++j) {
            double *values = tile(i, j);
            for (int column = 0; column < rows(j); ++column)
                for (int row = 0; row < rows(i); ++row)
                    values[static_cast<std::size_t>(column) * tile_ + row] =
                        element(n_, i * tile_ + row, j * tile_ + column);
        }
    }
}

std::vector<double> TiledMatrix::lower() const {
    const auto n = static_cast<std::size_t>(n_);
    std::vector<double> result(n * n, 0.0);
    for (int i = 0; i < tiles_; ++i) {
        for (int j = 0; j <= i; ++j) {
            const double *values = tile(i, j);
            for (int column = 0; column < rows(j); ++column)
                for (int row = i == j ? column : 0; row < rows(i); ++row)
                    result[(static_cast<std::size_t>(j) * tile_ + column) * n +
                           static_cast<std::size_t>(i) * tile_ + row] =
                        values[static_cast<std::size_t>(column) * tile_ + row];
        }
    }
    return result;
}

} // namespace cholesky
