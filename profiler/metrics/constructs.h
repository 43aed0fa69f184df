// The table of parallel regions, worksharing constructs and barriers, by their places in the
// source.
#pragma once

#include <optional>
#include <vector>

#include "profiler/trace/trace.h"

namespace loomp::analysis {

/// The constructs of one place. A thread works in a construct where it neither waits in a barrier
/// without running tasks nor is in an MPI call.
struct ConstructRow {
    Index kind = kNone;
    bool barrier = false;    ///< a place where threads wait, and nothing else
    std::size_t count = 0;   ///< how often a team came to it
    std::size_t threads = 0; ///< of the largest team
    Time time = 0;           ///< from the first member's beginning to the last one's end, summed
    Time work = 0;           ///< of all threads, summed
    Time waiting = 0;        ///< in barriers, likewise
    Time imbalance = 0;      ///< by how much the longest work is above the average, summed

    /// Of the time in which somebody works: what perfect balance would save.
    double imbalance_share() const;
    Time longest = 0; ///< work, summed over the times that a team came to it
};

/// Most time first. With a window, of the constructs that began in it.
std::vector<ConstructRow> construct_table(const Trace &trace, std::optional<Interval> window = {});

} // namespace loomp::analysis
