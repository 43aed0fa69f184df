// A trace in the formats of others.
#pragma once

#include <ostream>

#include "profiler/graph/graph.h"
#include "profiler/trace/trace.h"

namespace loomp::analysis {

/// The graph in Graphviz' language: each rank a cluster, nodes of code with their kind and
/// duration.
void write_dot(const Trace &trace, const Graph &graph, std::ostream &out);
/// The threads' time in the JSON that Perfetto and Chrome open (the Trace Event Format): tasks,
/// regions that the program names and MPI calls in them, arrows for messages and dependences, of
/// each rank how many tasks are ready, running and suspended, and of each task when it was.
void write_perfetto(const Trace &trace, std::ostream &out);

} // namespace loomp::analysis
