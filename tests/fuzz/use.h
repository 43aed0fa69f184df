// Applies the commands' functions to any trace.
#pragma once

#include "profiler/graph/critical_path.h"
#include "profiler/graph/graph.h"
#include "profiler/lint/lint.h"
#include "profiler/metrics/breakdown.h"
#include "profiler/metrics/communication.h"
#include "profiler/metrics/efficiency.h"
#include "profiler/metrics/tasks.h"
#include "profiler/simulation/program.h"
#include "profiler/simulation/simulation.h"
#include "profiler/trace/trace.h"

namespace loomp::fuzz {

inline void use(const analysis::Trace &trace) {
    using namespace analysis;
    break_down(trace);
    efficiencies(trace);
    discovery(trace);
    critical_path(build_graph(trace));
    critical_path(build_graph(trace, {.waits = true}));
    function_table(trace);
    kind_table(trace);
    for (Index rank = 0; rank < std::min<Index>(trace.ranks, 4); ++rank) {
        overlap_of_rank(trace, rank, {}, Flights::all);
        ratios_of_rank(trace, rank);
    }
    lint(trace);
    simulate(trace, make_program(trace), {});
}

} // namespace loomp::fuzz
