// Dependences between sibling tasks: from what a task says it reads and writes to edges of the
// task graph (OpenMP 5.2, 15.9.5).
//
// Rules for edges: none to a completed predecessor; a second edge between the same two
// tasks is seen in O(1); a set of many predecessors that several tasks wait for is collapsed into
// one empty redirect node; an address given twice by one task counts once, with the strongest
// access. The rule of what an access orders is in runtime/core/dependences/access_rule.h.
#pragma once

#include <cstddef>
#include <cstdint>

#include "runtime/core/dependences/dependence_map.h"
#include "runtime/core/task/task.h"

namespace loomp::core {

class Worker;

/// Links `task`, not yet visible to others, after the siblings that its dependences name. Returns
/// true if nothing is left to wait for, i.e. the caller is the one who makes it ready.
/// Called by the thread that runs the parent.
bool link_dependences(Task &task, const Dependence *dependences, std::size_t count);

/// Enters what `task`, which has its edges already, accesses: later siblings come after it.
void enter_accesses(Task &task, const Dependence *dependences, std::size_t count);
/// Enters an undeferred task that completes with its event, perhaps after its creator has
/// continued: later siblings come after it. It has waited for these dependences.
void enter_begun(Task &task, const Dependence *dependences, std::size_t count);
/// Links `task`, not yet visible to others, after one predecessor only; as link_dependences().
bool link_after(Task &task, const TaskRef &predecessor);

/// Deletes a tool's view of `task`, which has completed, when the tool has been told of all edges
/// that lead from it.
void delete_tool_view(Task &task);

// --- For tasks that are not linked in one go (runtime/core/scheduling/transparent.h)
// -------------------

/// Enters `task` with an access to `entry` of its parent `parent`'s map and makes no edges: what it
/// would wait for is added to `predecessors`.
void enter_access(DependenceMap::Entry &entry, Access access, Task &task, Task &parent,
                  TaskSet &predecessors);
/// Enters an access of `task` to omp_all_memory.
void enter_all_memory(DependenceMap &map, Task &task, Task &parent, TaskSet &predecessors);
/// Replaces the tasks of `set` by one empty node, a child of `parent`, that waits for them all. The
/// thread that runs `parent` calls it.
void collapse(TaskSet &set, Task &parent, Worker &worker);
/// Makes `task` wait for `predecessors`; returns the number of edges, to be added to
/// `task.predecessors`. Once per task.
std::int32_t make_edges(Task &task, const TaskSet &predecessors, Worker &worker);

} // namespace loomp::core
