// Makes a trace of another number of ranks, if the structure of the program allows it.
//
// New ranks copy recorded ones that lie at corresponding places of a line, a grid or a cube
// (profiler/simulation/rank_grid.h), with neighbours at equal distances. Traces of several sizes
// confirm this if their ranks have equally many tasks of each kind and equally large messages. A
// task's time is fitted as a power of the number of ranks: an exponent near 0 is weak scaling, near
// -1 strong. Only ranks in corners are compared, because others may have more neighbours in a
// larger grid.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "profiler/simulation/program.h"
#include "profiler/simulation/rank_grid.h"
#include "profiler/trace/trace.h"

namespace loomp::analysis {

struct Resized {
    std::optional<Trace> trace; ///< nothing: `reason` explains
    std::string reason;
    Sides recorded{}; ///< the grid of the trace's ranks; a line if it has none
    Sides made{};
};

/// The trace with another number of ranks, in a grid with the proportions of the trace's.
Resized with_ranks(const Trace &trace, Index ranks);
/// The trace with its ranks in a grid with these sides.
Resized with_ranks(const Trace &trace, const Sides &sides);

/// The exponent of each kind's code time over the number of ranks.
struct Scaling {
    std::vector<double> exponents; ///< one per kind; empty: `reason` explains
    std::string reason;

    bool holds() const { return reason.empty(); }
};

/// `traces` are two or three with different numbers of ranks, in ascending order; the kinds are
/// those of the last one.
Scaling learn_scaling(std::span<const Trace *const> traces);

/// One exponent for every kind of `trace`: 0 is weak scaling, -1 strong.
Scaling told_scaling(const Trace &trace, double exponent);

/// The program of `resized`, which with_ranks() has made from `trace`. A task's code takes
/// (quotient of the numbers of ranks)^exponent times its time. A message takes the time of its size
/// in the trace. A collective takes the time of its fastest part, scaled by the levels of a tree
/// over its ranks.
Program make_resized_program(const Trace &trace, const Trace &resized, const Scaling &scaling);

} // namespace loomp::analysis
