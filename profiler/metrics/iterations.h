// Guesses which iteration of its program's loop a task belongs to, because traces do not record it.
#pragma once

#include <vector>

#include "profiler/trace/trace.h"

namespace loomp::analysis {

/// The iteration of each task, from 0 on each rank; kNone for implicit ones.
///
/// A rank's tasks in order of creation form runs of tasks of one kind. The count of iterations is
/// the most frequent count of runs among kinds with two or more (the lowest, if several). Each
/// iteration begins with a run of the first kind with that count. If no kind has two runs, a task's
/// iteration is its depth in the longest chain of dependences.
std::vector<Index> iterations_of(const Trace &trace);

} // namespace loomp::analysis
