// How loops are cut into tasks: consecutive elements, or nodes, are a tile; and which tiles touch
// which. Computed once, each tile named once, before the first step.
#pragma once

#include "lulesh/domain.h"

#include <cstdint>
#include <vector>

namespace lulesh {

struct ElementTile {
    Range elements;
    std::vector<Range> parts; // by region: its elements in the tile, as places in the region's list
    std::vector<int> nodes;   // node tiles that its elements' corners lie in
    std::vector<int> neighbours; // element tiles of its elements and of those next to them
};

struct NodeTile {
    Range nodes;
    Range held[3];             // those on the symmetry planes, as places in their lists
    std::vector<int> elements; // element tiles with corners in it
};

struct Tiles {
    std::vector<ElementTile> elements; // none of them empty, so there may be fewer than asked for
    std::vector<NodeTile> nodes;
    std::int64_t looked_at = 0; // corners and neighbours: the dependences without filtering
    std::int64_t kept = 0;
};

// `element_tiles` and `node_tiles` are at most as many as there are elements and nodes.
Tiles cut(const Domain &domain, int element_tiles, int node_tiles);

} // namespace lulesh
