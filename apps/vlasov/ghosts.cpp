#include "vlasov/ghosts.h"

#include <algorithm>
#include <utility>

namespace vlasov {

namespace {

std::pair<int, int> ring_along(int where, int edge, int ghosts) {
    if (where == 0)
        return {0, edge};
    return where < 0 ? std::pair(-ghosts, 0) : std::pair(edge, edge + ghosts);
}

std::pair<int, int> rim_along(int where, int edge, int ghosts) {
    if (where == 0)
        return {0, edge};
    return where < 0 ? std::pair(0, ghosts) : std::pair(edge - ghosts, edge);
}

Region region(std::pair<int, int> x, std::pair<int, int> v) {
    return {x.first, x.second, v.first, v.second};
}

double *row_of(Tile &tile, const Region &region, int v) {
    return tile.now() + v * tile.stride + region.first_x;
}

} // namespace

Region ring(Direction where, int edge, int ghosts) {
    return region(ring_along(where.x, edge, ghosts), ring_along(where.v, edge, ghosts));
}

Region rim(Direction where, int edge, int ghosts) {
    return region(rim_along(where.x, edge, ghosts), rim_along(where.v, edge, ghosts));
}

void copy_ghosts(Tile &tile) {
    for (const Direction where : kDirections) {
        Tile *from = tile.neighbours[static_cast<std::size_t>(where.index())];
        if (from == nullptr)
            continue;
        const Region target = ring(where, tile.edge, tile.ghosts);
        const Region source = rim(where.opposite(), tile.edge, tile.ghosts);
        for (int v = 0; v < target.last_v - target.first_v; ++v)
            std::copy_n(row_of(*from, source, source.first_v + v), target.last_x - target.first_x,
                        row_of(tile, target, target.first_v + v));
    }
}

void pack_ghosts(Tile &tile) {
    for (Link &link : tile.links) {
        const Region source = rim(link.where, tile.edge, tile.ghosts);
        double *out = link.outgoing.data();
        for (int v = source.first_v; v < source.last_v; ++v)
            out = std::copy_n(row_of(tile, source, v), source.last_x - source.first_x, out);
    }
}

void unpack_ghosts(Tile &tile) {
    for (Link &link : tile.links) {
        const Region target = ring(link.where, tile.edge, tile.ghosts);
        const int width = target.last_x - target.first_x;
        const double *in = link.incoming.data();
        for (int v = target.first_v; v < target.last_v; ++v, in += width)
            std::copy_n(in, width, row_of(tile, target, v));
    }
}

} // namespace vlasov
