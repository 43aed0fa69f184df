// A trace of another number of ranks, where the structure of the program allows it.
//
// Ranks are taken to be alike in a line: the first one, the last one, and those between, each of
// which talks to neighbours at the same distances (a ring is a line whose ends are neighbours). New
// ranks between are copies of those between. The traces of several sizes say whether that holds:
// each kind of task has as many tasks a rank in all of them, and messages are as large. How long a
// task takes is a power of the number of ranks, by the traces: about 0 is weak scaling, about -1
// strong.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "profiler/simulation/program.h"
#include "profiler/trace/trace.h"

namespace loomp::analysis {

struct Resized {
    std::optional<Trace> trace; ///< nothing: `reason` says why
    std::string reason;
};

/// The trace, which has three ranks or more if it has messages, with others as many.
Resized with_ranks(const Trace &trace, Index ranks);

/// How the code of a task of each kind of a trace changes with the number of ranks.
struct Scaling {
    std::vector<double> exponents; ///< of each kind; empty: `reason` says why there are none
    std::string reason;

    bool holds() const { return reason.empty(); }
};

/// `traces`: two or three, by their numbers of ranks, which differ; the kinds are those of the last
/// one.
Scaling learn_scaling(std::span<const Trace *const> traces);

/// Every kind of `trace` alike: 0 is weak scaling, -1 strong.
Scaling told_scaling(const Trace &trace, double exponent);

/// The program of `resized`, which with_ranks() has made of `trace`. The code of a task takes
/// (quotient of the numbers of ranks)^exponent times as long, a message as long as those of its
/// size do, and a collective as long as the fastest of its parts did, by the levels of a tree over
/// its ranks.
Program make_resized_program(const Trace &trace, const Trace &resized, const Scaling &scaling);

} // namespace loomp::analysis
