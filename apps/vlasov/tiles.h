// The tiles of a rank. Ranks are a grid, too, ranks_x times ranks_v of them; each has a block of
// neighbouring tiles, whose numbers differ by one at most in each direction.
#pragma once

#include "vlasov/tile.h"

#include <string>
#include <vector>

namespace vlasov {

struct Decomposition {
    int ranks_x = 1;
    int ranks_v = 1;

    int first_column(const Grid &grid, int rank_x) const;
    int first_row(const Grid &grid, int rank_v) const;
    int owner(const Grid &grid, int column, int row) const;
};

// A decomposition as near to a square of points per rank as `ranks` allows; of ranks_x columns
// unless that is 0. `why` is set if there is none: not enough tiles, or too many for the MPI
// library's tags.
Decomposition decompose(const Grid &grid, int ranks, int ranks_x, std::string &why);

class Tiles {
  public:
    // With `each_alone`, what arrives is marked message by message.
    Tiles(const Grid &grid, const Decomposition &decomposition, bool each_alone);

    int count() const { return static_cast<int>(tiles_.size()); }
    Tile &operator[](int index) { return *tiles_[static_cast<std::size_t>(index)]; }
    // Tiles next to each other along x: those of one row are [row * width, (row + 1) * width).
    int width() const { return width_; }

  private:
    void connect(const Grid &grid, const Decomposition &decomposition, bool each_alone);

    std::vector<std::unique_ptr<Tile>> tiles_;
    int width_;
};

} // namespace vlasov
