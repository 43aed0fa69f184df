// The global task dependency graph: tasks of all ranks, cut at their MPI calls, with their order in
// a rank and between ranks (thesis of R. Pereira, 4.1.3).
//
// Nodes. A task is a chain of code sections; a call between two of them starts requests, completes
// some, or both. Each start and each completion is a node without duration. A thread's implicit
// task is in the graph if it makes such calls; the code between them has no duration, because only
// explicit tasks count as work. Edges in a rank. A section comes before the next one, and before
// the starts in the call after it. A completion comes before the section after its call, and after
// the start of its request. So code between a start and its completion is independent of both. If
// one call both starts and completes a request, the path through the request orders the two
// sections. A dependence leads from the last section of a task to the first of its successor. So
// does an edge between two tasks that exclude each other, in the order of the trace. Edges
// between ranks. The start of a send comes before the completion of its receive; if it is
// synchronous, the start of the receive also before the completion of the send. Each start of a
// collective comes before each of the other ranks' completions: direct edges up to
// `direct_collective` ranks, and one node without duration above it (2 p edges, not p^2). Requests
// without completion or match in the trace have no such edge.
//
// With `waits`, creations and waits (graph/synchronisations.h) cut tasks, too. The section before a
// creation comes before the new task. The tasks that a taskwait, the end of a taskgroup or a
// barrier waits for come before the section after it. A thread's implicit tasks are one chain
// without duration. Without `waits`, a task that creates others and waits for them seems to run in
// parallel with them.
#pragma once

#include <algorithm>
#include <optional>
#include <vector>

#include "profiler/graph/edges.h"
#include "profiler/trace/trace.h"

namespace loomp::analysis {

enum class NodeKind : std::uint8_t { code, start, completion, meeting };

struct Node {
    Time begin;    ///< when the node began
    Time duration; ///< duration of code in explicit tasks; else 0
    Index rank;    ///< kNone: a meeting
    Index task;    ///< kNone: a meeting, or a thread's
    Index thread;  ///< on which it began; kNone: unknown
    Index detail;  ///< code: which section of its task; else the request (meeting: a request, or
                   ///< kNone)
    NodeKind kind;
};

constexpr bool between_ranks(EdgeKind kind) {
    return kind >= EdgeKind::message && kind <= EdgeKind::collective;
}

struct Graph {
    std::vector<Node> nodes; ///< grouped by task, in the order of its code
    Edges edges;

    Edges::Range edges_of(Index node) const { return edges.of(node); }
    /// The time in flight between ranks, else 0.
    Time duration_of(const Edge &edge) const {
        const Time flight = nodes[edge.to].begin - nodes[edge.from].begin;
        return between_ranks(edge.kind) ? std::max<Time>(flight, 0) : 0;
    }
    /// The nodes in an order in which every predecessor comes first. Nothing if the graph has a
    /// cycle.
    std::optional<std::vector<Index>> topological_order() const;
};

struct GraphOptions {
    Index direct_collective = 4;
    bool waits = false; ///< with creations and waits
};

Graph build_graph(const Trace &trace, const GraphOptions &options = {});

} // namespace loomp::analysis
