// A worker's conduct when it leaves a waiting task and the pool has no stack for it to continue on.
//
// It continues on a small stack of its own (runtime/core/suspension/stack.h), on which no task
// runs. From there it continues suspended tasks that may go on, and polls. A ready task begins only
//   - on a pooled stack that has become free, or
//   - on top of a suspended task that waits for it: its parent at a taskwait, or the owner of a
//     taskgroup of its at the group's end, or
//   - if nothing in the team can continue, on top of its nearest ancestor that waits in one of
//     these ways. That one may need it as a predecessor, or to fulfil an event.
// So the rule of suspension holds: a task runs on top of another one only if that waits for it, or
// else nothing could run. A ready task for which nobody waits yet is put by (Team::unstarted) until
// somebody does, a stack is free, or a thread at a barrier, where every task of the team may run on
// top, takes it.
//
// Programs whose tasks wait only at taskwaits and ends of taskgroups come to an end, for this
// reason. Take one of all tasks that have begun and not completed, none of whose descendants has
// begun. If it neither runs nor may continue, it waits for tasks that have not begun; among these
// one is ready, since dependences have no cycles, and that one may run on top of it, or of an
// ancestor. Locks are held by tasks that have begun, or that are ready. A task that waits for
// dependences waits for some of its children only, and nothing runs on top of it: if no stack
// becomes free, the program ends with a diagnosis.
//
// Protocol. The thread that hands a task over takes the waiter out of its wait: it undoes, in the
// word of that wait, what the waiter did to be woken. This succeeds for one thread only, and not if
// the last of the awaited tasks has completed, whose thread wakes the waiter. The waiter runs the
// task handed over and then waits again, as if it had just begun to (suspend_awaiting() in
// runtime/core/scheduling/suspend.h).
#pragma once

namespace loomp::core {

struct Member;
struct Stack;
struct Suspension;
struct Task;

/// Keeps a ready task until somebody waits for it, or has a stack for it.
void defer_until_stack(Member &member, Task &task);

/// For a task that yields: has one of the tasks that were put by begin on top of a task that waits
/// for it, if there is such a pair. That task, if the calling worker is to continue it; or null.
Suspension *hand_over_deferred(Member &member);

/// One of the two is null.
struct ShortageEnd {
    Suspension *suspension; ///< can be continued
    Stack *stack;           ///< has become free: the worker schedules there
};
/// The loop on a worker's own stack, on which no task runs.
ShortageEnd schedule_in_shortage();

} // namespace loomp::core
