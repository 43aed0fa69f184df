// Waiting inside a task for tasks that it created: what its worker does meanwhile on the same
// stack.
#pragma once

#include "core/scheduler.h"
#include "core/suspend.h"

namespace loomp::core {

/// `node` stands for a wait for dependences, one of which has not completed, since the caller holds
/// a task on the way there. Takes the waiter out of its wait, if it is in it; one of those who try
/// succeeds.
bool take_out_of_wait(Task &node);

/// A task that waits, or creates others without an end, lets a suspended one that may go on here go
/// first: others wait for what that will do. `looks_for_work`: the caller waits, and has nothing
/// else to do. Whether one did; then the caller may be on another thread.
LOOMP_INLINE bool let_resumable_go_first(Member &member, bool looks_for_work) {
    if (LOOMP_UNLIKELY(anything_pending()))
        poll_between_tasks();
    // Not for one that only looks for work.
    if (LOOMP_LIKELY(!member.resumable.holds_work() && !member.team->resumable.holds_work()))
        return false;
    Suspension *other = take_resumable(member);
    if (other != nullptr)
        yield_to(*other, looks_for_work);
    return other != nullptr;
}

/// Runs tasks of the worker's own queue on top of the running task, which waits for those that are
/// `awaited`, and no others. True: done() said so after one of them. False: there are no more; what
/// was taken and is not awaited is in `other`. The caller may be on another thread afterwards.
template <class Awaited, class Done>
LOOMP_INLINE bool run_awaited(Awaited awaited, Done done, Task *&other) {
    Worker *worker = Worker::current();
    note_modes(*worker);
    const KeepsError keeps(*worker);
    for (;; worker = Worker::current()) {
        // One at a time: two that wait could let each other go first for ever.
        if (LOOMP_UNLIKELY(let_resumable_go_first(*worker->member, true)))
            worker = Worker::current();
        Task *next = take_own_task(*worker->member);
        if (next == nullptr || !awaited(*next)) {
            other = next;
            return false;
        }
        execute_on_top(*worker, *next);
        if (done())
            return true;
    }
}

} // namespace loomp::core
