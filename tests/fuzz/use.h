// What commands do with a trace, whatever it says.
#pragma once

#include "analysis/graph/critical_path.h"
#include "analysis/graph/graph.h"
#include "analysis/lint/lint.h"
#include "analysis/metrics/breakdown.h"
#include "analysis/metrics/communication.h"
#include "analysis/metrics/efficiency.h"
#include "analysis/metrics/tasks.h"
#include "analysis/simulation/program.h"
#include "analysis/simulation/simulation.h"
#include "analysis/trace/trace.h"

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
