#include "lulesh/tiles.h"

#include <algorithm>

namespace lulesh {

namespace {

std::vector<Range> ranges(int all, int tiles) {
    const int size = (all + tiles - 1) / tiles;
    std::vector<Range> cut;
    for (int first = 0; first < all; first += size)
        cut.push_back({first, std::min(all, first + size)});
    return cut;
}

// A set of tiles, made by naming them any number of times: a tile that has been named carries the
// set's stamp, so that costs one look.
class Names {
  public:
    explicit Names(std::size_t tiles) : stamps_(tiles, -1) {}

    void begin(int stamp) {
        stamp_ = stamp;
        found_.clear();
    }
    void add(int tile) {
        ++looked_at_;
        if (stamps_[std::size_t(tile)] == stamp_)
            return;
        stamps_[std::size_t(tile)] = stamp_;
        found_.push_back(tile);
    }
    std::vector<int> end() {
        std::sort(found_.begin(), found_.end());
        return found_;
    }
    std::int64_t looked_at() const { return looked_at_; }

  private:
    std::vector<int> stamps_;
    std::vector<int> found_;
    int stamp_ = 0;
    std::int64_t looked_at_ = 0;
};

// Which of `list`, ascending, lie in the range, as places in it from `base` on.
Range places_in(const int *begin, const int *end, int base, Range range) {
    const auto first = std::lower_bound(begin, end, range.first);
    const auto last = std::lower_bound(first, end, range.last);
    return {base + int(first - begin), base + int(last - begin)};
}

// The elements of an element tile, by region.
MaterialTile of_element_tile(const Domain &domain, Range elements) {
    MaterialTile tile;
    for (std::size_t r = 0; r + 1 < domain.region_start.size(); ++r) {
        const int base = domain.region_start[r];
        const int *list = domain.region_element.get();
        const Range places =
            places_in(list + base, list + domain.region_start[r + 1], base, elements);
        if (places.size() > 0)
            tile.parts.push_back({int(r), places});
    }
    return tile;
}

void cut_by_tiles(const Domain &domain, Tiles &tiles) {
    for (const ElementTile &tile : tiles.elements)
        tiles.materials.push_back(of_element_tile(domain, tile.elements));
}

void cut_by_regions(const Domain &domain, int element_tiles, Tiles &tiles) {
    for (int r = 0; r < domain.setup.regions; ++r) {
        const int base = domain.region_start[std::size_t(r)];
        const int size = domain.region_start[std::size_t(r) + 1] - base;
        const auto share =
            int((std::int64_t{size} * element_tiles + domain.elements / 2) / domain.elements);
        const int first = int(tiles.materials.size());
        for (const Range &range : ranges(size, std::max(share, 1))) {
            MaterialTile &tile = tiles.materials.emplace_back();
            tile.parts.push_back({r, {base + range.first, base + range.last}});
        }
        tiles.of_region.push_back({first, int(tiles.materials.size())});
    }
}

// Fills what material tiles have to do with element tiles.
void relate(const Domain &domain, int element_size, Tiles &tiles) {
    Names own(tiles.elements.size());
    Names near(tiles.elements.size());
    for (std::size_t t = 0; t < tiles.materials.size(); ++t) {
        MaterialTile &tile = tiles.materials[t];
        own.begin(int(t));
        near.begin(int(t));
        for (const MaterialTile::Part &part : tile.parts)
            for (int at = part.places.first; at < part.places.last; ++at) {
                const int e = domain.region_element[at];
                own.add(e / element_size);
                near.add(e / element_size);
                for (const Direction *direction : {&domain.xi, &domain.eta, &domain.zeta})
                    for (const int other : {direction->before[e], direction->after[e]})
                        if (other < domain.elements)
                            near.add(other / element_size);
            }
        tile.elements = own.end();
        tile.neighbours = near.end();
        tiles.kept += std::int64_t(tile.neighbours.size());
        if (tiles.eos == Eos::loop)
            for (const int element_tile : tile.elements)
                tiles.elements[std::size_t(element_tile)].materials.push_back(int(t));
    }
    tiles.looked_at += near.looked_at();
}

} // namespace

Tiles cut(const Domain &domain, int element_tiles, int node_tiles, Eos eos) {
    Tiles tiles;
    tiles.eos = eos;
    const std::vector<Range> elements = ranges(domain.elements, element_tiles);
    const std::vector<Range> nodes = ranges(domain.nodes, node_tiles);
    const int element_size = elements.front().size();
    const int node_size = nodes.front().size();

    Names of_nodes(nodes.size());
    for (std::size_t t = 0; t < elements.size(); ++t) {
        ElementTile tile;
        tile.elements = elements[t];
        of_nodes.begin(int(t));
        for (int e = tile.elements.first; e < tile.elements.last; ++e)
            for (int c = 0; c < 8; ++c)
                of_nodes.add(domain.nodes_of(e)[c] / node_size);
        tile.nodes = of_nodes.end();
        tiles.kept += std::int64_t(tile.nodes.size());
        tiles.elements.push_back(std::move(tile));
    }
    if (eos == Eos::loop)
        cut_by_regions(domain, element_tiles, tiles);
    else
        cut_by_tiles(domain, tiles);
    relate(domain, element_size, tiles);

    Names of_corners(elements.size());
    for (std::size_t t = 0; t < nodes.size(); ++t) {
        NodeTile tile;
        tile.nodes = nodes[t];
        of_corners.begin(int(t));
        for (int at = domain.node_start[tile.nodes.first]; at < domain.node_start[tile.nodes.last];
             ++at)
            of_corners.add(domain.node_corner[at] / 8 / element_size);
        tile.elements = of_corners.end();
        for (int axis = 0; axis < 3; ++axis) {
            const std::vector<int> &list = domain.symmetry_nodes[axis];
            tile.held[axis] = places_in(list.data(), list.data() + list.size(), 0, tile.nodes);
        }
        tiles.kept += std::int64_t(tile.elements.size());
        tiles.nodes.push_back(std::move(tile));
    }
    tiles.looked_at += of_nodes.looked_at() + of_corners.looked_at();
    return tiles;
}

} // namespace lulesh
