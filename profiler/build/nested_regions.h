// Finds whose work each task's code is (Task::owner).
//
// A parallel region that an explicit task meets is a part of that task's work, on all threads of
// its team. Its implicit tasks are like children of that task, which begin with the region, and for
// which it waits at the region's end.
#pragma once

#include "profiler/trace/trace.h"

namespace loomp::analysis {

/// Sets the owners of all tasks, and adds the waits for nested regions. The region of an implicit
/// task is known by its construct; without one, its code is no work. Segments are sorted.
void find_nested_regions(Trace &trace);

} // namespace loomp::analysis
