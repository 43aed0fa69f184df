// From the dependences of the tasks of one iteration to the complete graph of an iteration that is
// repeated: every edge, none pruned, and the edges from one iteration to the next.
//
// A pure function of the recorded tasks and dependences: it looks at no task, so it may work while
// the recorded iteration still runs. Owner: the thread that makes a persistent graph
// (runtime/core/persistent/persistent_graph.h).
//
// How edges between iterations are found: the recorded accesses are applied to the table of
// addresses a second time, and the edges from the first pass to the second are kept.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "runtime/core/dependences/dependence.h"

namespace loomp::core {

struct GraphEdge {
    std::uint32_t from;
    std::uint32_t to;
    bool crosses; ///< from one iteration's `from` to the next one's `to`
};

struct GraphPlan {
    std::uint32_t tasks = 0; ///< nodes 0 .. tasks-1, in the order of creation
    std::uint32_t nodes = 0; ///< with the empty ones where sets of tasks meet
    std::vector<GraphEdge> edges;
};

/// One task of the iteration, and its slice of the dependences.
struct GraphTask {
    std::uint32_t first;
    std::uint32_t count;
};

/// The graph of `tasks`. With `crossing`, also the edges to the next iteration.
GraphPlan plan_graph(std::span<const GraphTask> tasks, std::span<const Dependence> dependences,
                     bool crossing);

} // namespace loomp::core
