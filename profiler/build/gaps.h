// Unrecorded times, while a trace is put in order.
#pragma once

#include "profiler/trace/trace.h"

namespace loomp::analysis {

/// The next time at or after `time` when recording of the thread ends. All gaps must be known and
/// in order.
Time next_gap(const Trace &trace, Index thread, Time time);

} // namespace loomp::analysis
