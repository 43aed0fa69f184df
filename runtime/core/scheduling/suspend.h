// Suspending a task: its worker leaves the stack as it is, takes another, and goes on scheduling
// there.
//
// Protocol. suspend() switches away first and only then, from the new stack, runs `arm`, which
// makes the suspension known to whoever will resume it. So nobody can resume a context that is not
// saved yet. If arm() finds the awaited condition true it returns false and the task goes on at
// once. Otherwise exactly one party calls make_resumable(), once.
#pragma once

#include "runtime/core/suspension/suspension.h"

namespace loomp::core {

struct Task;

using ArmFn = bool (*)(void *argument);

/// Suspends the running task until make_resumable(suspension). `suspension` and `argument` live in
/// the caller's frame. `first`: a task for the worker to run first.
LOOMP_MAY_SWITCH void suspend(Suspension &suspension, ArmFn arm, void *argument,
                              Task *first = nullptr);

/// Suspends with a function object, whose captures the caller's frame holds.
template <class Arm>
LOOMP_MAY_SWITCH LOOMP_INLINE void suspend_until(Suspension &suspension, Arm arm,
                                                 Task *first = nullptr) {
    suspend(suspension, [](void *self) { return (*static_cast<Arm *>(self))(); }, &arm, first);
}

/// Whether the running task's worker would find nothing to do if the task were suspended now, and
/// no poller anything to look for. Out of date at once. False where no task runs, and where threads
/// that have nothing to do are to sleep at once.
bool would_idle();

/// Suspends the running task until others have completed, as suspend(). What it is handed meanwhile
/// runs on top of it (runtime/core/scheduling/stack_shortage.h). `arm` may be called more than
/// once.
LOOMP_MAY_SWITCH void suspend_awaiting(Suspension &suspension, ArmFn arm, void *argument,
                                       Task *first = nullptr);
template <class Arm>
LOOMP_MAY_SWITCH LOOMP_INLINE void suspend_awaiting(Suspension &suspension, Arm arm,
                                                    Task *first = nullptr) {
    suspend_awaiting(
        suspension, [](void *self) { return (*static_cast<Arm *>(self))(); }, &arm, first);
}

/// Leaves the running task resumable; its worker goes on with `first`, or whatever it finds.
LOOMP_MAY_SWITCH void yield(Task *first);

} // namespace loomp::core
