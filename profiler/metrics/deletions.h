// When the runtime freed the memory of tasks. A task's deletion comes some time after its end, when
// no child and no successor refers to it any more. A program that continues to create tasks and
// never deletes some has a leak.
#pragma once

#include <cstddef>
#include <vector>

#include "profiler/trace/trace.h"

namespace loomp::analysis {

/// The explicit tasks of one rank.
struct Deletions {
    std::size_t deleted = 0;
    std::size_t left = 0;    ///< created and not deleted
    std::size_t at_once = 0; ///< greatest count of created and not deleted tasks at one time
    Time delay = 0;          ///< from ends to deletions, summed over tasks that have both
    Time longest = 0;        ///< the longest of these
    std::size_t delayed = 0; ///< count of tasks that have both

    double mean() const; ///< nanoseconds; 0 without any
};

/// One per rank; empty if the trace has no deletions.
std::vector<Deletions> deletions(const Trace &trace);

} // namespace loomp::analysis
