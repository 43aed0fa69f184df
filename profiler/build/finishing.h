// From what threads have told, one after the other, to a trace: sorted, paired, and with what
// follows from it.
#pragma once

#include "profiler/build/draft.h"
#include "profiler/trace/trace.h"

namespace loomp::analysis {

Trace make_trace(Draft draft);

} // namespace loomp::analysis
