// Statistics of the edges of a graph's nodes.
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

/// All values are 0 for a graph without nodes.
struct Degrees {
    std::size_t nodes = 0;
    std::size_t edges = 0;
    Degree in;  ///< edges that lead to a node
    Degree out; ///< edges that leave it
    Degree all; ///< both
};

Degrees degrees(const Graph &graph);

} // namespace loomp::analysis
