// What commands do with a trace, whatever it says.
#pragma once

#include "analysis/breakdown.h"
#include "analysis/communication.h"
#include "analysis/critical_path.h"
#include "analysis/efficiency.h"
#include "analysis/graph.h"
#include "analysis/lint.h"
#include "analysis/program.h"
#include "analysis/simulation.h"
#include "analysis/tasks.h"
#include "analysis/trace.h"

namespace loomp::fuzz {

inline void use(const analysis::Trace &trace) {
    using namespace analysis;
    break_down(trace);
    efficiencies(trace);
    discovery(trace);
    critical_path(build_graph(trace));
    function_table(trace);
    kind_table(trace);
    for (Index rank = 0; rank < std::min<Index>(trace.ranks, 4); ++rank) {
        overlap_of_rank(trace, rank);
        ratios_of_rank(trace, rank);
    }
    lint(trace);
    simulate(trace, make_program(trace), {});
}

} // namespace loomp::fuzz
