// Times of which nothing was recorded, while a trace is put in order.
#pragma once

#include "profiler/trace/trace.h"

namespace loomp::analysis {

/// When recording of the thread ends next, from `time` on. All gaps are known, and in order.
Time next_gap(const Trace &trace, Index thread, Time time);

} // namespace loomp::analysis
