// What it took threads of a trace to go from one task to the next.
#pragma once

#include <vector>

#include "profiler/trace/trace.h"

namespace loomp::analysis {

struct Delays {
    /// Of each of Trace::segments: the time from when the thread's task before had ended and this
    /// one was ready to its begin; the mean where the thread created tasks meanwhile.
    std::vector<Time> of_segments;
    Time mean = 0;
};

Delays measure_delays(const Trace &trace);

} // namespace loomp::analysis
