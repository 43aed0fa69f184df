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

#include "runtime/core/dependences/kept_dependences.h"
#include "runtime/core/memory/growing_array.h"

namespace loomp::core {

struct GraphEdge {
    std::uint32_t from;
    std::uint32_t to : 31;
    std::uint32_t crosses : 1; ///< from one iteration's `from` to the next one's `to`
};

struct GraphPlan {
    std::uint32_t tasks = 0; ///< nodes 0 .. tasks-1, in the order of creation
    std::uint32_t nodes = 0; ///< with the empty ones where sets of tasks meet
    GrowingArray<GraphEdge> edges;
};

/// The graph of tasks that name the dependences from first[i] to first[i + 1]. With `crossing`,
/// also the edges to the next iteration.
GraphPlan plan_graph(std::span<const std::uint32_t> first, const KeptDependences &dependences,
                     bool crossing);

} // namespace loomp::core
