// Makes a trace of the threads' events: sorts and pairs them, and derives the rest.
#pragma once

#include "profiler/build/draft.h"
#include "profiler/trace/trace.h"

namespace loomp::analysis {

Trace make_trace(Draft draft);

} // namespace loomp::analysis
