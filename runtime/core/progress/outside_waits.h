// Finds out whether tasks may wait for more than OpenMP's tasks: messages, devices, other threads
// of the program, a variable in a loop with taskyield, an event, a lock. Such a wait
// may be for something that the task's creator does later, so the creator must be able to go on
// meanwhile. A task's other waits are for its descendants.
#pragma once

#include "platform/atomic.h"
#include "platform/common.h"
#include "runtime/core/worker/worker.h"

namespace loomp::core {

/// True as soon as anything shows it.
LOOMP_HIDDEN extern Relaxed<bool> tasks_wait_outside;
/// Something shows it. Any thread may call it.
LOOMP_INLINE void expect_outside_waits() {
    if (!tasks_wait_outside)
        tasks_wait_outside = true;
}
/// Sets it at start: whether an object of the program imports a function that waits so. True where
/// objects cannot be searched (platform/loader.h).
void look_for_outside_waits();

/// Makes the object that contains `code` the worker's first. Searches it, unless the worker
/// remembers that.
LOOMP_NOINLINE void search_object_of(Worker &worker, const void *code);
/// A region begins at `code`, perhaps in a library that came after the start. Objects may take
/// turns: a nested region that ends its caller seems to begin in this library.
LOOMP_INLINE void meet_code(Worker &worker, const void *code) {
    if (LOOMP_UNLIKELY(!worker.searched.front().contains(code)))
        search_object_of(worker, code);
}

} // namespace loomp::core
