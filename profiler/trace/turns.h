// The order in which tasks that exclude each other ran.
#pragma once

#include <vector>

#include "profiler/trace/trace.h"

namespace loomp::analysis {

/// The successive tasks of each mutex in the trace, by their begins. Tasks that did not run, and
/// those whose times contradict the exclusion, are left out.
std::vector<Dependence> turns_of(const Trace &trace);

} // namespace loomp::analysis
