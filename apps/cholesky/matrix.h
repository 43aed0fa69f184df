// A symmetric positive definite matrix of any size whose elements are functions of their indices,
// in two layouts: tiles (each a contiguous column-major square, what the tasks work on), and one
// column-major array (what LAPACK's own factorisation works on). Only the lower triangle is used.
// The tiles are dealt out to the ranks block-cyclically, in both directions (grid.h).
#pragma once

#include "cholesky/grid.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace cholesky {

// Element (i, j) of A: pseudo-random in [-0.5, 0.5), the same for (j, i); plus n on the diagonal,
// which dominates the row and so makes the matrix positive definite.
double element(int n, int i, int j);

class TiledMatrix {
  public:
    // `copies`: for how many steps k the tiles of column k that other ranks have can be here at the
    // same time.
    TiledMatrix(int n, int tile, int copies);

    int size() const { return n_; }
    int tiles() const { return tiles_; } // in each direction
    int tile_size() const { return tile_; }
    int rows(int i) const { return i + 1 < tiles_ ? tile_ : n_ - i * tile_; } // in tile row i

    const Grid &grid() const { return grid_; }
    bool owns(int i, int j) const { return grid_.owner(i, j) == grid_.rank(); }

    // Tile (i, j), i >= j, on its owner; its leading dimension is tile_size().
    double *tile(int i, int j) { return storage_.data() + place_[index(i, j)]; }
    const double *tile(int i, int j) const { return storage_.data() + place_[index(i, j)]; }

    // Tile (i, k) for reading in step k: the tile itself on its owner; elsewhere the place for a
    // copy of it, which tile (i, k + copies) takes later.
    double *panel(int i, int k) {
        return owns(i, k) ? tile(i, k)
                          : copies_.data() + copy_place_[static_cast<std::size_t>(i)] +
                                static_cast<std::size_t>(k % copies_per_row_) * values();
    }
    // The number of values to be sent: a tile with all its columns.
    std::int64_t panel_values(int k) const { return std::int64_t{tile_} * rows(k); }

    void fill();
    // Keeps what fill() has made, for restore() to bring back into a tile of this rank.
    void keep_original() { original_ = storage_; }
    void restore(int i, int j);
    // The lower triangle, with zeros above the diagonal, as one array with leading dimension n. All
    // ranks call it; the first one gets it, the others get nothing.
    std::vector<double> lower() const;

  private:
    std::size_t values() const {
        return static_cast<std::size_t>(tile_) * static_cast<std::size_t>(tile_);
    }
    static std::size_t index(int i, int j) {
        const auto row = static_cast<std::size_t>(i);
        return row * (row + 1) / 2 + static_cast<std::size_t>(j);
    }
    void add_to(std::vector<double> &whole, int i, int j, const double *values) const;

    int n_;
    int tile_;
    int tiles_;
    int copies_per_row_;
    Grid grid_;
    std::vector<std::size_t> place_;      // places of own tiles, in storage_; by index()
    std::vector<std::size_t> copy_place_; // places of the first copy in a tile row, in copies_
    std::vector<double> storage_;
    std::vector<double> original_; // empty, or like storage_
    std::vector<double> copies_;
};

} // namespace cholesky
