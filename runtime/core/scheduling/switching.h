// From one stack to another: how a worker leaves a task and arrives at the next one.
//
// A worker leaves a stack in one of three ways: for a suspended task that may go on (yield_to(),
// leave_for()), for a stack where nothing runs yet (runtime/core/scheduling/suspend.h), or for the
// creator that waits below the task (release_creator()). Before, it notes in Worker::after what is
// left to do when nobody runs on the stack any more. The side that arrives does that first, in one
// function: arrive().
#pragma once

#include "runtime/core/scheduling/taking.h"
#include "runtime/core/suspension/suspension.h"
#include "runtime/core/team/team.h"
#include "runtime/core/worker/worker.h"

namespace loomp::core {

/// A creator whose new task is being run (runtime/core/scheduling/work_first.h). Lives in its
/// frame.
struct WorkFirstCall {
    void *continuation; ///< the creator's
    Task *creator;
    Member *creator_tie;
    Stack *creator_stack;
    Member *member; ///< the member of both
    FloatingPointModes creator_modes;
};

/// Called before a task waits: if it is implicit, new stacks of its thread are to have its modes.
LOOMP_INLINE void note_modes(Worker &worker) {
    if (worker.task->has(kImplicit))
        worker.member->modes.note();
}

/// Moves into `suspension` all by which the worker knows the running task, if there is one.
void save(Worker &worker, Suspension &suspension);
/// Back on the suspended stack, perhaps on another thread.
LOOMP_NOINLINE void restore(Suspension &suspension);

/// The arriving side gets this when nothing of the left stack is in use any more.
struct Arrival {
    Suspension *continues; ///< the task that left: what it waits for holds already; or null
    Task *first;           ///< the worker is to run it first; or null
};
/// Does what the last switch left to the arriving side: recycles the stack that nobody uses any
/// more, then arms the suspension. From then on another thread may resume the task that left.
Arrival arrive(Worker &worker);

/// Continues a suspended task; the stack left behind holds nothing and is recycled.
LOOMP_ABANDONS_STACK void leave_for(Suspension &suspension);
/// Leaves the worker's own stack for shortages, which is recycled, for `entry` on `stack`.
LOOMP_ABANDONS_STACK void leave_for_new(Stack &stack, void (*entry)(void *));

/// Leaves the running task resumable and continues `other`, taken from a list. A creator that waits
/// below the task (runtime/core/scheduling/work_first.h) goes on waiting: the task only lets
/// another one go first. `looks_for_work`: that is all the running task does.
LOOMP_MAY_SWITCH void yield_to(Suspension &other, bool looks_for_work = false);
/// Lets a suspended task of an enclosing region go first, if one is to
/// (runtime/core/scheduling/enclosing.h). False: there is none, or somebody else has taken it.
bool let_enclosing_go_first(Worker &worker, Member &member);

/// A task that waits, or creates others without an end, lets a suspended one that may go on here go
/// first: others wait for what that will do. `looks_for_work`: the caller waits, and has nothing
/// else to do. Whether one did.
LOOMP_MAY_SWITCH_IF_TRUE LOOMP_INLINE bool let_resumable_go_first(Member &member,
                                                                  bool looks_for_work) {
    if (LOOMP_UNLIKELY(anything_pending()))
        poll_between_tasks();
    // The running task yields to none that only looks for work.
    if (LOOMP_LIKELY(!member.resumable.holds_work() && !member.team->resumable.holds_work()))
        return false;
    Suspension *other = take_resumable(member);
    if (other != nullptr)
        yield_to(*other, looks_for_work);
    return other != nullptr;
}

/// The task on the current stack was started by run_work_first() and is about to wait: its creator
/// is to go on.
bool must_release_creator(const Worker &worker);
/// The creator goes on, and that is to be remembered of the worker's stack only. Returns the
/// argument of release_creator().
WorkFirstCall *part_from_creator(Worker &worker);
/// Makes the creator of the waiting task continue; the waiting task enters it on a fresh stack.
void release_creator(void *call);
/// How many creators wait below the stack, one on top of the other.
unsigned depth_of(const Stack *stack);

} // namespace loomp::core
