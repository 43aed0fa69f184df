#include "runtime/core/scheduling/running.h"

#include <utility>

#include "platform/atomic.h"
#include "platform/threads.h"
#include "runtime/core/dependences/exclusion.h"
#include "runtime/core/scheduling/completion.h"
#include "runtime/core/scheduling/detach_event.h"
#include "runtime/core/scheduling/taskgroup.h"

namespace loomp::core {

namespace {

/// An untied task that the front end runs in parts asked for another.
LOOMP_MAY_SWITCH void next_part(Task &task) {
    task.flags &= ~kRequeue;
    task.invoke(task);
}

/// Returns whether all parts run one after the other: the creator waits for them, or the task was
/// tied meanwhile.
bool keeps_parts_together(const Task &task) {
    return (task.flags & (kUndeferred | kTied)) != 0 && !task.has(kTellsReturn);
}

LOOMP_MAY_SWITCH LOOMP_INLINE void run(Task &task, Completion how) {
    if (LOOMP_UNLIKELY(task.has(kExclusive)) && !take_exclusions(task))
        return;
    transition(task, how == Completion::uncounted ? TaskPhase::created : TaskPhase::ready,
               TaskPhase::running);
    LOOMP_ASSERT((task.children.load(std::memory_order_relaxed) & children::kFlags) == 0);
    LOOMP_ASSERT(task.has(kKept) || task.predecessors.unmet(std::memory_order_relaxed) == 0);
    LOOMP_ASSERT((task.flags & (kRequeue | kNamesSet | kRedirect | kNodeOnly | kPlaced)) == 0);
    Worker *worker = Worker::current();
    // Nobody else sees that one, and `task` may wait for it.
    LOOMP_ASSERT(worker->member->successor_slot == nullptr);
    if (worker->completing_parent != task.parent)
        flush_completions(*worker);
    Task *below = worker->task;
    Member *tie = tie_frames(*worker, task);
    worker->task = &task;
    LOOMP_TOOL(task_begin, below, task, __builtin_frame_address(0));
    const bool cancelled = LOOMP_UNLIKELY(discards(task)) && !task.has(kStarted);
    if (LOOMP_UNLIKELY(cancelled))
        discard(task);
    if (LOOMP_LIKELY(!cancelled || task.has(kCleanup))) {
        task.flags |= kStarted;
        task.invoke(task);
        while (LOOMP_UNLIKELY(task.has(kRequeue)) && keeps_parts_together(task))
            next_part(task);
        worker = Worker::current();
        LOOMP_ASSERT(worker->task == &task);
    }
    LOOMP_TOOL(task_end, task, status_at_end(task), below);
    worker->task = below;
    worker->tie = tie;
    completion::finish(*worker, task, how);
}

/// Whether the event, or what holds the task, is still to come. For the event that is decided here,
/// against fulfill(), and not by `detach`, which the body's thread changes after its report.
bool ends_before_event(Task &task) {
    ToolTask &tool = *task.tool;
    tool.ends_on = Worker::current();
    // release: a thread that comes second reads the worker.
    const bool first = !tool.settled.exchange(true, std::memory_order_acq_rel);
    // The thread that fulfils the event reports it first.
    while (!first && (task.detach.load(std::memory_order_relaxed) & detach::kEventHappened) == 0)
        offer_processor();
    return task.detach.load(std::memory_order_relaxed) != detach::kEventHappened;
}

} // namespace

TaskStatus status_at_end(Task &task) {
    if (task.tool == nullptr)
        return TaskStatus::complete; // nobody gets it
    if (task.tool->cancelled)
        return TaskStatus::cancel;
    if (task.has(kRequeue))
        return TaskStatus::switched;
    return task.has(kDetachable) && ends_before_event(task) ? TaskStatus::detach
                                                            : TaskStatus::complete;
}

void discard(Task &task) {
    LOOMP_ASSERT((task.flags & (kStarted | kCancelled)) == 0);
    task.flags |= kCancelled;
    LOOMP_TOOL(cancel, task,
               (taskgroup_cancelled(task) ? kCancelTaskgroup : kCancelParallel) | kCancelDiscarded);
    if (task.has(kDetachable))
        discard_event(task);
}

void execute(Task &task) { run(task, Completion::and_next_task); }

void execute_without_exceptions(Worker &worker, Task &task) {
    const Exceptions mine = std::exchange(*worker.exceptions, {});
    execute(task);
    put_back(mine);
}

void run_undeferred(Task &task) {
    LOOMP_ASSERT(task.parent == Worker::current()->task);
    task.flags |= kUndeferred;
    run(task, Completion::uncounted);
}

namespace {

LOOMP_COLD void report_begin_in_place(Task &task, const void *caller) {
    tool_hooks.task_begin(task.below, task, caller);
    tool_hooks.called_by_creator(task, caller);
}

} // namespace

void begin_undeferred(Task &task, const void *caller) {
    Worker &worker = *Worker::current();
    transition(task, TaskPhase::created, TaskPhase::running);
    LOOMP_ASSERT(task.parent == worker.task && task.has(kUndeferred));
    task.below = worker.task;
    task.flags |= kStarted;
    if (LOOMP_UNLIKELY(tie_frames(worker, task) == nullptr))
        task.flags |= kOnUntied;
    worker.task = &task;
    if (LOOMP_UNLIKELY(tool_enabled))
        report_begin_in_place(task, caller);
}

void end_undeferred(Task &task) {
    if (LOOMP_UNLIKELY((task.flags & (kRequeue | kOnUntied)) != 0)) {
        while (task.has(kRequeue))
            next_part(task);
        if (task.has(kOnUntied))
            Worker::current()->tie = nullptr;
    }
    Worker &worker = *Worker::current();
    LOOMP_ASSERT(worker.task == &task);
    LOOMP_TOOL(task_end, task, status_at_end(task), task.below);
    worker.task = task.below;
    completion::finish(worker, task, Completion::uncounted);
}

} // namespace loomp::core
