// How loops are cut into tasks: consecutive elements, or nodes, are a tile; and which tiles touch
// which. Computed once, each tile named once, before the first step.
#pragma once

#include "lulesh/domain.h"

#include <cstdint>
#include <vector>

namespace lulesh {

struct ElementTile {
    Range elements;
    std::vector<int> nodes;     // node tiles that its elements' corners lie in
    std::vector<int> materials; // Eos::loop: the material tiles of its elements
};

// How the loops by regions are cut.
enum class Eos {
    tile, // where element tiles end: a material tile has an element tile's parts of all regions
    loop  // each region's list: a material tile has consecutive places of one region
};

// The elements of a task on materials.
struct MaterialTile {
    struct Part {
        int region;
        Range places; // in the lists of regions; not empty
    };
    std::vector<Part> parts;
    std::vector<int> elements;   // element tiles of its elements
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
    Eos eos = Eos::tile;
    std::vector<MaterialTile> materials;
    std::vector<Range> of_region; // Eos::loop: by region, its material tiles
    std::int64_t looked_at = 0;   // corners and neighbours: the dependences without filtering
    std::int64_t kept = 0;
};

// `element_tiles` and `node_tiles` are at most as many as there are elements and nodes. Eos::loop:
// a region has its share of `element_tiles`, and at least one.
Tiles cut(const Domain &domain, int element_tiles, int node_tiles, Eos eos);

} // namespace lulesh
