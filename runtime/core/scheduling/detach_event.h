// The event of a detach clause. Its handle stays valid for ever: the event is settled once, by
// omp_fulfill_event() or by the task's discarding, and later calls have no effect. A program cannot
// know that a task has been discarded, and may fulfil the event of a task that is long gone.
//
// A handle holds the event's address and the number of the event's use. The memory of an event is
// only ever an event.
#pragma once

#include <cstdint>

#include "runtime/core/task/task.h"

namespace loomp::core {

/// Makes the event of a task that has not been submitted.
EventHandle make_event(Task &task);
/// Settles the event; returns its task, or null if it has been settled. Any thread calls it.
Task *settle_event(EventHandle handle);

/// The event happened.
void fulfill_event(EventHandle handle);
/// The detachable task is discarded, or leaves its body for a cancellation. So its event need not
/// happen. The thread that runs the task calls it.
void discard_event(Task &task);

} // namespace loomp::core
