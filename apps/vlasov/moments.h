// The integrals over v at each x: density and current, of a tile, exact sums (exact_sum.h).
#pragma once

#include "vlasov/tile.h"

#include <vector>

namespace vlasov {

// Sums the rows of `now` into the tile's sums. Thread safety: on different tiles, any number of
// threads.
void sum_rows(const Grid &grid, Tile &tile);
// Adds a tile's sums to those of the whole box: kSums arrays of nx. One thread at a time.
void add_sums(const Grid &grid, Tile &tile, std::vector<double> &all);

} // namespace vlasov
