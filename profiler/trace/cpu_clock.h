// How long a thread had a processor, by readings of its CPU clock: of an oversubscribed run, what
// code took without the time in which others ran.
#pragma once

#include "profiler/trace/trace.h"

namespace loomp::analysis {

inline bool has_cpu_clocks(const Trace &trace) { return !trace.cpu_clocks.empty(); }

/// Between two readings the thread has a processor evenly; where there are none, before the first
/// and after the last, and in a trace without CPU clocks, always.
Time cpu_time(const Trace &trace, Index thread, Interval interval);

} // namespace loomp::analysis
