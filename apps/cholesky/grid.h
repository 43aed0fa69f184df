// Maps tiles to ranks: ranks form a grid of P x Q, as square as their number allows. Tile (i, j)
// belongs to the rank in row i mod P and column j mod Q. So each rank has its share of every step's
// panel and of every step's trailing matrix.
#pragma once

#include <vector>

namespace cholesky {

class Grid {
  public:
    // Makes the grid of this program's ranks.
    Grid();

    int rank() const { return rank_; }
    int owner(int i, int j) const { return i % p_ * q_ + j % q_; }

    // The ranks, other than its owner, that read tile (i, k) in step k of a matrix of `tiles` x
    // `tiles`, ascending.
    std::vector<int> readers(int i, int k, int tiles) const;
    // Whether this rank is one of them.
    bool reads(int i, int k, int tiles) const;

    int rows() const { return p_; }
    int columns() const { return q_; }

  private:
    int rank_;
    int p_ = 1;
    int q_;
};

} // namespace cholesky
