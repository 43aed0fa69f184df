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

} // namespace

Tiles cut(const Domain &domain, int element_tiles, int node_tiles) {
    Tiles tiles;
    const std::vector<Range> elements = ranges(domain.elements, element_tiles);
    const std::vector<Range> nodes = ranges(domain.nodes, node_tiles);
    const int element_size = elements.front().size();
    const int node_size = nodes.front().size();

    Names of_nodes(nodes.size());
    Names of_elements(elements.size());
    for (std::size_t t = 0; t < elements.size(); ++t) {
        ElementTile tile;
        tile.elements = elements[t];
        of_nodes.begin(int(t));
        of_elements.begin(int(t));
        for (int e = tile.elements.first; e < tile.elements.last; ++e) {
            for (int c = 0; c < 8; ++c)
                of_nodes.add(domain.nodes_of(e)[c] / node_size);
            of_elements.add(e / element_size);
            for (const Direction *direction : {&domain.xi, &domain.eta, &domain.zeta})
                for (const int other : {direction->before[e], direction->after[e]})
                    if (other < domain.elements)
                        of_elements.add(other / element_size);
        }
        tile.nodes = of_nodes.end();
        tile.neighbours = of_elements.end();
        for (std::size_t r = 0; r + 1 < domain.region_start.size(); ++r) {
            const int base = domain.region_start[r];
            const int *list = domain.region_element.get();
            tile.parts.push_back(
                places_in(list + base, list + domain.region_start[r + 1], base, tile.elements));
        }
        tiles.kept += std::int64_t(tile.nodes.size() + tile.neighbours.size());
        tiles.elements.push_back(std::move(tile));
    }

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
    tiles.looked_at = of_nodes.looked_at() + of_elements.looked_at() + of_corners.looked_at();
    return tiles;
}

} // namespace lulesh
