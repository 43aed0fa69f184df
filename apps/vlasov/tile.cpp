#include "vlasov/tile.h"

namespace vlasov {

Tile::Tile(const Grid &grid, int column, int row)
    : edge(grid.tile), ghosts(grid.ghosts), column(column), row(row), first_x(column * grid.tile),
      first_v(row * grid.tile), stride(grid.tile + 2 * grid.ghosts),
      origin(stride * grid.ghosts + grid.ghosts) {
    for (auto &values : storage)
        values = std::make_unique<double[]>(static_cast<std::size_t>(stride * stride));
    all_sums = std::make_unique<double[]>(static_cast<std::size_t>(kSums) *
                                          static_cast<std::size_t>(edge));
}

} // namespace vlasov
