// A new task's ways: it is run at once, queued, or linked to its predecessors.
#pragma once

#include <cstddef>
#include <cstdint>

#include "runtime/core/dependences/dependence.h"
#include "runtime/core/scheduling/work_first.h"
#include "runtime/core/task/task.h"
#include "runtime/core/task/tool.h"
#include "runtime/core/team/team.h"
#include "runtime/core/worker/worker.h"

namespace loomp::core {

/// The part of spawn() for creators that may have to queue.
LOOMP_MAY_SWITCH void spawn_queued(Worker &worker, Task &task);
/// Hands a task without unmet dependences to the scheduler: runs it at once, or queues it.
LOOMP_MAY_SWITCH LOOMP_INLINE void spawn(Worker &worker, Task &task) {
    Member &member = *worker.member;
    if (member.inline_budget.take())
        run_or_queue(worker, task);
    else
        spawn_queued(worker, task);
}
/// Spawns the first of a series, by run_series() if it is as that wants it.
LOOMP_MAY_SWITCH LOOMP_INLINE void spawn_series(Worker &worker, Task &task, TaskSeries &series) {
    constexpr TaskFlags plain = kTied | kMergeable;
    if (worker.member->inline_budget.allows_more() && (task.flags & ~plain) == 0 && !tool_enabled)
        run_series(worker, task, series);
    else
        spawn(worker, task);
}
/// Spawns the task after linking `count` dependences; it may wait for predecessors.
LOOMP_MAY_SWITCH void spawn(Task &task, const Dependence *dependences, std::size_t count);
/// For a team of one thread, where tasks mostly have completed when the next one is created: runs
/// the task at once without entering its dependences anywhere, if all before it have completed.
/// Returns false if it must be linked. Those that wait for something are in the map, and so are all
/// that come after them until they have completed.
LOOMP_MAY_SWITCH_IF_TRUE LOOMP_NOINLINE bool
spawn_alone(Worker &worker, Task &task, const Dependence *dependences, std::size_t count);
/// spawn() for a transparent task with dependences.
LOOMP_MAY_SWITCH void spawn_transparent(Task &task, const Dependence *dependences,
                                        std::size_t count);
/// spawn() for a fusible task without dependences.
LOOMP_MAY_SWITCH void spawn_fusible(Worker &worker, Task &task);
/// spawn() for a task without dependences that is kPlaced, or whose creator has kPlacesNew.
LOOMP_MAY_SWITCH void spawn_placed(Worker &worker, Task &task);

} // namespace loomp::core
