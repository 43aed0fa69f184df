// The global task dependency graph: tasks of all ranks, cut at their MPI calls, with what must come
// before what in a rank and between ranks (thesis of R. Pereira, 4.1.3).
//
// Nodes. A task is a chain of code sections; between two of them stands a call that starts
// requests, completes some, or both. Each start and each completion is a node, of no duration. A
// thread's implicit task is in the graph if it makes such calls; what it does between them has no
// duration, since work is what explicit tasks do. Edges in a rank. A section comes before the next
// one, and before what the call after it starts. A completion comes before the section after its
// call, and after the start of its request. So code between a start and its completion is
// independent of both. Where one call both starts and completes a request, the way through that
// says that the two sections are in order. A dependence leads from the last section of a task to
// the first of its successor. Edges between ranks. The start of a send comes before the completion
// of its receive; if it is synchronous, the start of the receive also before the completion of the
// send. Each start of a collective comes before each of the other ranks' completions: by direct
// edges up to `direct_collective` ranks, and through one node of no duration from there on (2 p
// edges, not p^2). What has not completed in the trace, and what has no match in it, has no such
// edge.
//
// With `waits`, creations and waits (graph/synchronisations.h) cut tasks, too. The section before a
// creation comes before the new task. What a taskwait, the end of a taskgroup or a barrier waits
// for comes before the section after it. What a thread does in tasks of its own is one chain, of no
// duration. Without them, a task that creates others and waits for them seems to run beside them.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "profiler/trace/trace.h"

namespace loomp::analysis {

enum class NodeKind : std::uint8_t { code, start, completion, meeting };

struct Node {
    Time begin;    ///< when it began
    Time duration; ///< of code that explicit tasks ran; else 0
    Index rank;    ///< kNone: a meeting
    Index task;    ///< kNone: a meeting, or a thread's
    Index thread;  ///< where it began; kNone: not known
    Index detail;  ///< code: which section of its task; else the request (meeting: a request, or
                   ///< kNone)
    NodeKind kind;
};

enum class EdgeKind : std::uint8_t {
    order,      ///< of a task's code and calls
    request,    ///< from a start to its completion
    dependence, ///< of OpenMP
    message,
    synchronous, ///< of a receive's start before a synchronous send's completion
    collective,
    creation, ///< of a task, after what its creator did before
    wait,     ///< for a task, or for other threads
};

struct Edge {
    Index from;
    Index to;
    Time duration; ///< time in flight between ranks, else 0
    EdgeKind kind;
};

constexpr bool between_ranks(EdgeKind kind) {
    return kind >= EdgeKind::message && kind <= EdgeKind::collective;
}

struct Graph {
    std::vector<Node> nodes;       ///< a task's are together, in the order of its code
    std::vector<Edge> edges;       ///< by the node that they leave
    std::vector<Index> first_edge; ///< where each node's begin; one more than nodes

    std::span<const Edge> edges_of(Index node) const {
        return std::span(edges).subspan(first_edge[node], first_edge[node + 1] - first_edge[node]);
    }
    /// The nodes, each after all that come before it; nothing if the trace says that some come
    /// before themselves.
    std::optional<std::vector<Index>> topological_order() const;
};

struct GraphOptions {
    Index direct_collective = 4;
    bool waits = false; ///< with creations and waits
};

Graph build_graph(const Trace &trace, const GraphOptions &options = {});

} // namespace loomp::analysis
