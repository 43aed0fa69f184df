// Taking the next task, or a suspended one that may go on, for a worker that has none.
#pragma once

#include "runtime/core/progress/poller.h"
#include "runtime/core/scheduling/queueing.h"
#include "runtime/core/task/task.h"
#include "runtime/core/team/team.h"

namespace loomp::core {

/// The next task for this member, or null, by the table of runtime/core/scheduling/sources.h.
Task *take_task(Worker &worker, Member &member);
/// Takes a task, but none that was deferred for lack of a stack.
Task *take_fresh_task(Worker &worker, Member &member);
/// Called by a worker that took `task` and may not run it, since it need not be in the region any
/// more. Gives it to the team, and what a theft may have brought into the member's queue besides.
/// Nobody looks there if the next region is without the member.
LOOMP_COLD void give_back(Member &member, Task &task);
/// Returns whether a look for work would be worth it. Exact enough to decide on sleeping. Each of
/// these is for the member's own thread.
bool work_visible(const Member &member);
/// Returns whether one of the team's queues has tasks for several threads.
bool much_work_visible(const Member &member);
/// Returns whether a suspended task may continue.
bool resumable_visible(const Member &member);
/// Returns whether work is visible besides suspended tasks that can continue.
bool tasks_visible(const Member &member);
/// Returns whether work is visible besides suspended tasks that can continue and tasks that were
/// deferred for lack of a stack.
bool fresh_tasks_visible(const Member &member);

/// A creator with a long queue that cannot run tasks at once is throttled until this few are left.
inline constexpr std::int64_t kFewReady = 64;

/// A throttled creator that may go on, or null.
LOOMP_NOINLINE Suspension *take_creator(Member &member);

/// Alternates between tied and untied ones: tied tasks that yield to each other would keep an
/// untied one away for ever, which may be what they wait for.
LOOMP_NOINLINE Suspension *take_resumable_in_turn(Member &member);

/// A suspended task that may go on here, or null. A throttled creator comes first: those who
/// only yield would keep it away for ever, and may be waiting for what it has yet to create.
inline Suspension *take_resumable(Member &member) {
    if (LOOMP_UNLIKELY(member.throttled != nullptr))
        if (Suspension *creator = take_creator(member))
            return creator;
    if (LOOMP_LIKELY(member.resumable.empty()))
        return member.team->resumable.pop();
    return take_resumable_in_turn(member);
}

/// For a worker that runs no task: polls, and takes a suspended task for it to continue; returns
/// null if none may continue.
LOOMP_INLINE Suspension *take_to_continue(Member &member) {
    if (LOOMP_UNLIKELY(anything_pending()))
        poll_between_tasks();
    return take_resumable(member);
}

} // namespace loomp::core
