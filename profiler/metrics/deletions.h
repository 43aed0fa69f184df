// When the runtime gave the memory of tasks back: a task's deletion comes some time after its end,
// when no child and no successor refers to it any more. Tasks that are never deleted, in a program
// that goes on creating others, are a leak.
#pragma once

#include <cstddef>
#include <vector>

#include "profiler/trace/trace.h"

namespace loomp::analysis {

/// Of a rank's explicit tasks.
struct Deletions {
    std::size_t deleted = 0;
    std::size_t left = 0;    ///< created and not deleted
    std::size_t at_once = 0; ///< most that were created and not deleted at one time
    Time delay = 0;          ///< from ends to deletions, summed; of those that have both
    Time longest = 0;        ///< the longest of these
    std::size_t delayed = 0; ///< how many have both

    double mean() const; ///< nanoseconds; 0 of none
};

/// Of each rank; empty if the trace has no deletions.
std::vector<Deletions> deletions(const Trace &trace);

} // namespace loomp::analysis
