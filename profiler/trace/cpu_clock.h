// Computes how long a thread had a processor, from readings of its CPU clock. In an oversubscribed
// run, this is the code's time without the other threads' share.
#pragma once

#include "profiler/trace/trace.h"

namespace loomp::analysis {

inline bool has_cpu_clocks(const Trace &trace) { return !trace.cpu_clocks.empty(); }

/// Between two readings the thread is assumed to have the processor evenly. Before the first
/// reading, after the last, and without CPU clocks, it is assumed to have it always.
Time cpu_time(const Trace &trace, Index thread, Interval interval);

} // namespace loomp::analysis
