// Tasks that are suspended until a lock is free (runtime/core/regions/lock.h), found by the lock's
// address: a lock itself has room for one word only.
//
// Those that wait for one lock and can go on in the same place, on one member or, untied, on any
// member of one team, stand in a queue, first come first served. A release lets the first of each
// queue go on, and not one alone: that one's thread may be busy for long, beside another thread
// that has nothing to do but what waits for the free lock. They try again, and who comes too late
// is the first of its queue again. So a release costs as much as there are threads, not tasks.
//
// Invariant: while a queue is not empty, the lock is marked as contended, or a task that stood in
// the queue has been let go on, and marks it again when it tries. A task is entered, under the
// bucket's lock, in one step with its last try, which marks the lock; and who releases a marked
// lock comes to the bucket after that. Verified by tests/model/lock.
#pragma once

#include "platform/common.h"

namespace loomp::core {

/// Takes the lock, or marks it as contended; whether it was free. acq_rel.
using TakeOrMark = bool (*)(void *lock);

/// Suspends the running task until the lock has been released, unless it is free. Whether the
/// caller has it. `again`: it has waited before, and comes first.
LOOMP_MAY_SWITCH bool suspend_until_released(void *lock, TakeOrMark take_or_mark, bool again);

/// A lock that was marked has been released, with an acquiring operation. It may be gone.
void resume_lock_waiters(const void *lock);

} // namespace loomp::core
