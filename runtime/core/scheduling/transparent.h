// Dependences across generations: tasks created in a *transparent* task depend on what its depend
// clause names as if they had been created in its place (the OpenMP 6.0 transparent clause, and
// weak dependences as in OmpSs-2).
//
// Two halves, for each location that the task P names:
// - Import. A weak P does not wait for its predecessors. They are entered in P's own map, in which
//   its children look for theirs. (A strong P has waited for them: nothing to import.)
// - Export. In P's place the map of P's parent names a *proxy*, an empty node of the graph. It
//   completes when P has and then the last accesses to the location by P's children have. So later
//   siblings of P wait for exactly those, not for P's whole subtree.
// Both work on any level, since a proxy is a predecessor like any other.
//
// Owner: the import and the proxies are made by the creator, before P is visible to others; the
// proxies are linked by the thread that completes P, whose map nobody else can touch then. A proxy
// is a child of P, counted from P's completion on: only a wait for descendants waits for it. Locks
// of mutexinoutset are not handed down: such an item of P orders like inout.
#pragma once

#include "runtime/core/dependences/dependence.h"
#include "runtime/core/dependences/task_set.h"
#include "runtime/core/task/task.h"

namespace loomp::core {

class Worker;

/// Enters proxies in the place of `task`. Adds to `predecessors` what it is to wait for itself.
void enter_transparent(Worker &worker, Task &task, const Dependence *dependences, std::size_t count,
                       TaskSet &predecessors);
/// Called before its creator runs a transparent task, having waited for its dependences. Or it is
/// called when the task has begun to run where it was created, all earlier siblings having
/// completed, and is not complete when its creator continues.
void enter_begun_transparent(Task &task, const Dependence *dependences, std::size_t count);

/// Part of completing a task that has proxies: calls `complete` for each that waits for nothing.
LOOMP_COLD void export_accesses(Worker &worker, Task &task, void (*complete)(Task &));

/// Whether children of `task` may depend on tasks that are not its children.
inline bool imports_accesses(const Task &task) {
    return (task.flags & (kWeak | kExports)) == (kWeak | kExports);
}

} // namespace loomp::core
