// Computes since when each segment of a task could have run.
#pragma once

#include "profiler/build/draft.h"

namespace loomp::analysis {

/// Sets Segment::ready. Everything else must be in the trace, and in order.
void set_ready_times(Draft &draft);

} // namespace loomp::analysis
