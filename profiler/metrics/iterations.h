// Which iteration of its program's loop a task belongs to: a guess, since traces do not say.
#pragma once

#include <vector>

#include "profiler/trace/trace.h"

namespace loomp::analysis {

/// Of each task, counted from 0 on each rank; kNone of implicit ones.
///
/// A rank's tasks in the order of their creation are runs of tasks of one kind. As many iterations
/// are taken as most of those kinds have runs that have two or more (of several such numbers, the
/// fewest); each begins with a run of the first of these kinds. Where no kind has two runs, a
/// task's iteration is how many tasks come before it on the longest chain of dependences.
std::vector<Index> iterations_of(const Trace &trace);

} // namespace loomp::analysis
