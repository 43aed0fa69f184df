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

struct alignas(kCacheLine) DetachEvent {
    /// The number of the use, times 2; 1 more while the event is not settled.
    Atomic<std::uint64_t> word{2};
    Task *task = nullptr; ///< constant until the event is settled, then the settling thread's
    DetachEvent *next = nullptr;
    DetachEvent *made_before = nullptr; ///< constant
};

/// The others follow by `made_before`. Debuggers read it, too.
LOOMP_HIDDEN extern DetachEvent *last_event_made;

/// Makes the event of a task that has not been submitted.
EventHandle make_event(Task &task);
/// Settles the event; returns its task, or null if it has been settled. Any thread calls it.
Task *settle_event(EventHandle handle);

/// The event happened.
void fulfill_event(EventHandle handle);
/// The detachable task is discarded, or leaves its body for a cancellation. So its event need not
/// happen. The thread that runs the task calls it.
void discard_event(Task &task);

/// A task whose code has ended, but whose event nobody has fulfilled.
struct LostEvent {
    const void *code; ///< the task's; null: unknown
    int successors;   ///< tasks that depend on it
    bool awaited;     ///< a taskwait, a taskgroup or a barrier waits for it
};
/// Stores at most `most` of them; returns their count. While no thread of OpenMP works: another one
/// may fulfil them meanwhile.
int lost_events(LostEvent *found, int most);

} // namespace loomp::core
