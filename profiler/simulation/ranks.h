// Makes a trace of another number of ranks, if the structure of the program allows it.
//
// Ranks are taken to be alike in a line: the first one, the last one, and those between, which
// exchange messages with neighbours at equal distances. (A ring is a line whose ends are
// neighbours.) New ranks copy those between. Traces of several sizes confirm this if their ranks
// have equally many tasks of each kind and equally large messages. A task's time is fitted as a
// power of the number of ranks: an exponent near 0 is weak scaling, near -1 strong.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "profiler/simulation/program.h"
#include "profiler/trace/trace.h"

namespace loomp::analysis {

struct Resized {
    std::optional<Trace> trace; ///< nothing: `reason` explains
    std::string reason;
};

/// The trace with another number of ranks. Both need three ranks or more if there are messages.
Resized with_ranks(const Trace &trace, Index ranks);

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
