// A symmetric positive definite matrix of any size whose elements are functions of their indices,
// in two layouts: tiles (each a contiguous column-major square, what the tasks work on), and one
// column-major array (what LAPACK's own factorisation works on). Only the lower triangle is used.
#pragma once

#include <cstddef>
#include <vector>

namespace cholesky {

// Element (i, j) of A: pseudo-random in [-0.5, 0.5), the same for (j, i); plus n on the diagonal,
// which dominates the row and so makes the matrix positive definite.
double element(int n, int i, int j);

class TiledMatrix {
  public:
    TiledMatrix(int n, int tile);

    int size() const { return n_; }
    int tiles() const { return tiles_; } // in each direction
    int tile_size() const { return tile_; }
    int rows(int i) const { return i + 1 < tiles_ ? tile_ : n_ - i * tile_; } // of tile row i

    // Tile (i, j), i >= j; its leading dimension is tile_size().
    double *tile(int i, int j) { return storage_.data() + offset(i, j); }
    const double *tile(int i, int j) const { return storage_.data() + offset(i, j); }

    void fill();
    // The lower triangle, with zeros above the diagonal, as one array with leading dimension n.
    std::vector<double> lower() const;

  private:
    std::size_t offset(int i, int j) const {
        const auto row = static_cast<std::size_t>(i);
        return (row * (row + 1) / 2 + static_cast<std::size_t>(j)) *
               static_cast<std::size_t>(tile_) * static_cast<std::size_t>(tile_);
    }

    int n_;
    int tile_;
    int tiles_;
    std::vector<double> storage_;
};

} // namespace cholesky
