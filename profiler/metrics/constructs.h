// The table of parallel regions, worksharing constructs and barriers, by their places in the
// source.
#pragma once

#include <optional>
#include <vector>

#include "profiler/trace/trace.h"

namespace loomp::analysis {

/// The constructs of one place. A thread works in a construct unless it waits in a barrier without
/// running tasks or is in an MPI call.
struct ConstructRow {
    Index kind = kNone;
    bool barrier = false;    ///< a place where threads wait, and nothing else
    std::size_t count = 0;   ///< how many times a team executed it
    std::size_t threads = 0; ///< the threads of the largest team
    Time time = 0;           ///< from the first member's beginning to the last one's end, summed;
                             ///< of a barrier: the waiting of a thread, on average
    Time work = 0;           ///< summed over all threads
    Time waiting = 0;        ///< in barriers, summed over all threads
    Time imbalance = 0;      ///< excess of the longest work over the average, summed

    /// The share of the construct's working time that perfect balance would save.
    double imbalance_share() const;
    Time longest = 0; ///< work, summed over the executions
};

/// Sorted by time, longest first. A window selects the constructs that began in it.
std::vector<ConstructRow> construct_table(const Trace &trace, std::optional<Interval> window = {});

} // namespace loomp::analysis
