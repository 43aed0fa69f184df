// Requests of a program for the next task that the running one creates (experimental.h:
// loomp_next_task()).
//
// The running task is marked (kHasNextRequest) and its worker keeps the request, until the front
// end takes it while creating the task. The mark is tested together with what front ends test
// anyway.
#pragma once

#include <cstdint>

#include "runtime/core/task/task.h"
#include "runtime/core/worker/worker.h"

namespace loomp::core {

/// The request for the next task of the running one; the caller adds to it.
NextTaskRequest &ask_of_next_task();

/// Takes the request for the task that the worker's current one is creating.
LOOMP_MAY_SWITCH LOOMP_NOINLINE NextTaskRequest take_next_task(Worker &worker);

/// Takes the set of dependences that a task with kNamesSet was made with off the task. Its creator
/// calls it.
const DependenceSet &take_named_set(Task &task);

/// Gives the request to the task. Its creator calls it before the task is visible to others.
LOOMP_NOINLINE void apply_words(const NextTaskRequest &asked, Task &task);
inline void apply(const NextTaskRequest &asked, Task &task) {
    task.flags |= asked.flags;
    if (LOOMP_UNLIKELY((asked.flags & (kFusible | kPlaced | kNamesSet)) != 0))
        apply_words(asked, task);
}

} // namespace loomp::core
