#include "cholesky/matrix.h"

#include "common/ranks.h"

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

TiledMatrix::TiledMatrix(int n, int tile, int copies)
    : n_(n), tile_(tile), tiles_((n - 1) / tile + 1), copies_per_row_(std::min(copies, tiles_)) {
    std::size_t own = 0;
    std::size_t copied = 0;
    for (int i = 0; i < tiles_; ++i) {
        bool reads = false;
        for (int j = 0; j <= i; ++j) {
            place_.push_back(own);
            if (owns(i, j))
                own += values();
            else
                reads = reads || grid_.reads(i, j, tiles_);
        }
        copy_place_.push_back(copied);
        if (reads)
            copied += static_cast<std::size_t>(copies_per_row_) * values();
    }
    storage_.resize(own);
    copies_.resize(copied);
}

void TiledMatrix::fill() {
    for (int i = 0; i < tiles_; ++i) {
        for (int j = 0; j <= i; ++j) {
            if (!owns(i, j))
                continue;
            double *values = tile(i, j);
            for (int column = 0; column < rows(j); ++column)
                for (int row = 0; row < rows(i); ++row)
                    values[static_cast<std::size_t>(column) * tile_ + row] =
                        element(n_, i * tile_ + row, j * tile_ + column);
        }
    }
}

void TiledMatrix::restore(int i, int j) {
    const double *from = original_.data() + place_[index(i, j)];
    std::copy(from, from + values(), tile(i, j));
}

void TiledMatrix::add_to(std::vector<double> &whole, int i, int j, const double *values) const {
    for (int column = 0; column < rows(j); ++column)
        for (int row = i == j ? column : 0; row < rows(i); ++row)
            whole[(static_cast<std::size_t>(j) * tile_ + column) * static_cast<std::size_t>(n_) +
                  static_cast<std::size_t>(i) * tile_ + row] =
                values[static_cast<std::size_t>(column) * tile_ + row];
}

std::vector<double> TiledMatrix::lower() const {
    namespace ranks = apps::ranks;
    std::vector<double> result;
    std::vector<double> received;
    if (ranks::first()) {
        result.assign(static_cast<std::size_t>(n_) * static_cast<std::size_t>(n_), 0.0);
        received.resize(values());
    }
    for (int i = 0; i < tiles_; ++i) {
        for (int j = 0; j <= i; ++j) {
            const int owner = grid_.owner(i, j);
            if (owner == grid_.rank()) {
                if (ranks::first())
                    add_to(result, i, j, tile(i, j));
                else
                    ranks::send(tile(i, j), panel_values(j), 0, 0);
            } else if (ranks::first()) {
                ranks::receive(received.data(), panel_values(j), owner, 0);
                add_to(result, i, j, received.data());
            }
        }
    }
    return result;
}

} // namespace cholesky
