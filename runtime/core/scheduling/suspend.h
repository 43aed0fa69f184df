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
struct Member;

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

/// Lets a suspended task go on. Called exactly once per armed suspension, from any thread; the
/// suspension must not be touched afterwards.
void make_resumable(Suspension &suspension);

/// Leaves the worker's own stack for shortages: the worker continues on `stack`.
LOOMP_ABANDONS_STACK void go_on_with(Stack &stack);

/// Leaves the running task resumable; its worker goes on with `first`, or whatever it finds.
LOOMP_MAY_SWITCH void yield(Task *first);
/// Leaves the running task resumable and continues `other`, taken from a list. A creator that waits
/// below the task (runtime/core/scheduling/work_first.h) goes on waiting: the task only lets
/// another one go first. `looks_for_work`: that is all the running task does.
LOOMP_MAY_SWITCH void yield_to(Suspension &other, bool looks_for_work = false);
/// Yields for a thread that looks for work, whether or not on top of a task: it continues `other`
/// as `outer`, its member in an enclosing team, and is continued by that as what it is now.
LOOMP_STAYS void yield_to_enclosing(Suspension &other, Member &outer);

} // namespace loomp::core
