// Whether tasks may wait for what OpenMP does not know: messages, devices, other threads of the
// program, a variable in a loop with taskyield, an event. Such a wait may be for something that the
// task's creator does later, so the creator must be able to go on meanwhile. A task's other waits
// are for its descendants, or for a lock (Worker::locks_held).
#pragma once

#include "platform/atomic.h"
#include "platform/common.h"

namespace loomp::core {

/// True as soon as anything shows it.
LOOMP_HIDDEN extern Relaxed<bool> tasks_wait_outside;
/// Something shows it. From any thread.
LOOMP_INLINE void expect_outside_waits() {
    if (!tasks_wait_outside)
        tasks_wait_outside = true;
}
/// Sets it at start: whether an object of the program imports a function that waits so.
void look_for_outside_waits();

} // namespace loomp::core
