// The time that threads of a trace needed between one task and the next.
#pragma once

#include <vector>

#include "profiler/trace/trace.h"

namespace loomp::analysis {

struct Delays {
    /// For each of Trace::segments: the time to its begin from the later of its ready time and the
    /// end of the thread's previous task. If the thread created tasks meanwhile, the mean.
    std::vector<Time> of_segments;
    Time mean = 0;
};

Delays measure_delays(const Trace &trace);

} // namespace loomp::analysis
