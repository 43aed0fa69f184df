// Running a task's code, from its first instruction to its completion.
#pragma once

#include "runtime/core/task/task.h"
#include "runtime/core/task/tool.h"
#include "runtime/core/worker/worker.h"

namespace loomp::core {

/// Ties the frames of `task`, if it is tied, to the member whose worker begins it on the current
/// stack. Returns the tie of the frames below, which is set again when the task has ended.
LOOMP_INLINE Member *tie_frames(Worker &worker, const Task &task) {
    Member *below = worker.tie;
    if (below == nullptr && task.has(kTied))
        worker.tie = worker.member;
    return below;
}
/// Ties the running task until it ends, because it keeps something of the thread's.
LOOMP_INLINE void tie_running_task(Worker &worker) {
    worker.task->flags |= kTied;
    tie_frames(worker, *worker.task);
}

/// Runs `task` on top of the current frames.
LOOMP_MAY_SWITCH void execute(Task &task);
/// Runs `task` on top of the running task, whose exceptions are set aside meanwhile.
LOOMP_MAY_SWITCH LOOMP_COLD void execute_without_exceptions(Worker &worker, Task &task);
/// Runs `task` on top of any task that waits.
LOOMP_MAY_SWITCH LOOMP_INLINE void execute_on_top(Worker &worker, Task &task) {
    if (worker.exceptions->any())
        execute_without_exceptions(worker, task);
    else
        execute(task);
}

/// Runs a task at once on top of its creator, which waits for it (undeferred, final).
LOOMP_MAY_SWITCH void run_undeferred(Task &task);
/// Marks an unstarted task that is to be discarded: it counts as finished once it is begun, and its
/// code only cleans up (kCleanup).
LOOMP_COLD void discard(Task &task);
/// Undeferred code that the front end runs itself (if(0) without an outlined call): between
/// begin and end, `task` is the running task. `caller`: the frame of the program's function.
void begin_undeferred(Task &task, const void *caller);
LOOMP_MAY_SWITCH void end_undeferred(Task &task);

/// The status that tools are told of a task whose body has returned. Called once for each end.
LOOMP_COLD TaskStatus status_at_end(Task &task);

} // namespace loomp::core
