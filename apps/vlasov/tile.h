// A tile: the values of f at its points for two time steps, each within a ring of ghosts that
// neighbours' values come into, and the sums over its rows. Rows are those of constant v; the
// points of a row lie next to each other.
//
// Owned by Tiles. `marks` name what tasks depend on; nobody reads or writes them.
#pragma once

#include "common/ranks.h"
#include "vlasov/grid.h"

#include <array>
#include <cstddef>
#include <memory>
#include <vector>

namespace vlasov {

// The direction of a neighbour, or of a part of the ring: -1, 0 or 1 along x and v.
struct Direction {
    int x;
    int v;

    Direction opposite() const { return {-x, -v}; }
    int index() const { return 3 * (v + 1) + x + 1; }
};

constexpr std::array<Direction, 8> kDirections = {
    {{-1, -1}, {0, -1}, {1, -1}, {-1, 0}, {1, 0}, {-1, 1}, {0, 1}, {1, 1}}};

// Points first <= (i, j) < last of a tile, counted from its own first point: ghosts are negative,
// or beyond the edge.
struct Region {
    int first_x, last_x;
    int first_v, last_v;

    std::int64_t points() const { return std::int64_t{last_x - first_x} * (last_v - first_v); }
};

// A part of the ring that another rank's tile fills, and the part of this tile that is that one's
// ghosts.
struct Link {
    Direction where;
    int peer;
    int tag_out;
    int tag_in;
    std::vector<double> outgoing;
    std::vector<double> incoming;
    apps::ranks::Request send;
    apps::ranks::Request receive;
};

// The sums over v for each x: density and current, a high and a low part of each.
enum Sum { density_high, density_low, current_high, current_low, kSums };

struct Tile {
    Tile(const Grid &grid, int column, int row);

    double *now() { return values(current); }
    double *next() { return values(1 - current); }
    // The value at the tile's first point.
    double *values(int which) { return storage[which].get() + origin; }
    double *sums(int sum) { return all_sums.get() + std::ptrdiff_t{sum} * edge; }

    int edge;
    int ghosts;
    int column, row; // in the grid of all tiles
    int first_x, first_v;
    std::ptrdiff_t stride; // between rows
    std::ptrdiff_t origin; // the first point's place in the storage
    int current = 0;       // which values are those of the step that is known
    std::unique_ptr<double[]> storage[2];
    std::unique_ptr<double[]> all_sums;
    // Points that have been advanced, in the centre and in the border, in all steps.
    std::int64_t advanced_centre = 0;
    std::int64_t advanced_border = 0;
    std::array<Tile *, 9> neighbours{}; // by Direction::index(); null: another rank's
    std::vector<Link> links;

    struct Marks {
        char now;    // the values that are known, the sums
        char next;   // those to come
        char ring;   // the ghosts that come from this rank's tiles
        char packed; // what is sent
    } marks{};
    std::vector<char *> arrived; // what is received, by message or all at once
    std::vector<char *> around;  // `now` of the neighbours on this rank, each once
    std::vector<char> arrived_marks;
};

} // namespace vlasov
