// Throttling a task that creates tasks faster than they complete: it suspends, and continues when
// half of its children that were unfinished are left. It never runs another task on top of itself,
// so how far a program may create ahead does not depend on what those tasks do.
//
// A creator of tasks with dependences, which are never run where they are created, is throttled
// when tasks have taken their share of memory (runtime/core/memory/task_budget.h) and the creator
// has its part in that, or when it has LOOMP_MAX_TASKS of them. Creators of other tasks are
// throttled by memory, too, if producers come first (LOOMP_PRODUCERS_FIRST). Protocol, on the
// children word (runtime/core/task/task.h): the creator permits itself a number of children
// (PredecessorCount::permit_children()), and sets kWaitFewer with its suspension in place: in one
// step with its last look at how many are left, since it may continue, and end, as soon as others
// see the flag. The thread that brings the children to that number takes the flag back; the thread
// whose operation found it set resumes the creator. The creator may be resumed with more children
// left, by a thread that was late: it continues and is throttled again. Verified by
// tests/model/throttle.
#pragma once

#include <cstdint>

#include "platform/atomic.h"
#include "runtime/core/task/task.h"
#include "runtime/core/worker/worker.h"

namespace loomp::core {

/// Creators neither run new tasks nor wait until few are ready. Set once at start.
LOOMP_HIDDEN extern bool producers_first;

/// The running task is to stop creating for a while, if its own children take a fair part of the
/// memory.
LOOMP_MAY_SWITCH void throttle_by_memory(Worker &worker);
/// The running task is to stop creating for a while, if it has LOOMP_MAX_TASKS unfinished children.
LOOMP_MAY_SWITCH void throttle_by_number(Worker &worker);

/// The creator of tasks without dependences, whose member has a long queue, suspends until few of
/// them are left: take_creator() (runtime/core/scheduling/taking.h) continues it.
LOOMP_MAY_SWITCH void throttle_by_queue(Member &member);

/// Counts a task without unmet dependences and queues it for its creator's member. A creator of
/// many tasks with priorities is throttled.
LOOMP_MAY_SWITCH void queue(Worker &worker, Task &task);

/// Called by the thread of the worker that creates tasks, after one with dependences.
LOOMP_MAY_SWITCH LOOMP_INLINE void throttle_if_over_budget(Worker &worker) {
    if (LOOMP_UNLIKELY(worker.task_blocks.over_budget()))
        throttle_by_memory(worker);
}

} // namespace loomp::core
