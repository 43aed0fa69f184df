// Writes a trace in other tools' formats.
#pragma once

#include <ostream>

#include "profiler/graph/graph.h"
#include "profiler/trace/trace.h"

namespace loomp::analysis {

/// The graph in Graphviz' language. Each rank is a cluster; nodes are code with its kind and
/// duration.
void write_dot(const Trace &trace, const Graph &graph, std::ostream &out);
/// The threads' time in the JSON of Perfetto and Chrome (the Trace Event Format). It has tasks, the
/// program's named regions, MPI calls, and arrows for messages and dependences. It also has the
/// states of each task, and each rank's count of ready, running and suspended tasks.
void write_perfetto(const Trace &trace, std::ostream &out);

} // namespace loomp::analysis
