// How many edges the nodes of a graph have.
#pragma once

#include <cstddef>

#include "profiler/graph/graph.h"

namespace loomp::analysis {

struct Degree {
    std::size_t least = 0;
    double mean = 0;
    std::size_t median = 0; ///< the lower of the two in the middle
    std::size_t most = 0;
};

/// Of a graph without nodes, all are 0.
struct Degrees {
    std::size_t nodes = 0;
    std::size_t edges = 0;
    Degree in;  ///< edges that lead to a node
    Degree out; ///< edges that leave it
    Degree all; ///< both
};

Degrees degrees(const Graph &graph);

} // namespace loomp::analysis
