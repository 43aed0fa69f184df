// Tasks that are suspended until a lock is free (runtime/core/regions/lock.h), found by the lock's
// address, because a lock has space for one word only.
//
// Tasks that wait for one lock and can continue in the same place form a queue, first come, first
// served. The place is one member or, for untied tasks, any member of one team. A release resumes
// the first waiter of every queue, because a single one's thread may be busy for long. Another
// thread may meanwhile have no work but tasks that wait for the free lock. They try again, and
// those that come too late become the first of their queue again. So a release costs as much as
// there are threads, not tasks.
//
// Invariant: while a queue is not empty, the lock is marked as contended, or a resumed task of the
// queue marks it when it tries. A task is entered, under the bucket's lock, in one step with its
// last try, which marks the lock. The thread that releases a marked lock locks the bucket after
// that. tests/model/lock verifies this.
#pragma once

#include "platform/common.h"

namespace loomp::core {

/// Takes the lock, or marks it as contended; returns whether it was free. acq_rel.
using TakeOrMark = bool (*)(void *lock);

/// Suspends the running task until the lock has been released, unless it is free. Returns whether
/// the caller has the lock. `again`: it has waited before, and comes first.
LOOMP_MAY_SWITCH bool suspend_until_released(void *lock, TakeOrMark take_or_mark, bool again);

/// Stores the code of at most `most` tasks that wait for locks, suspended or with their threads;
/// null: it is unknown. Returns their count. While no thread of OpenMP works.
int list_lock_waiters(const void **codes, int most);

/// A marked lock has been released, with an acquiring operation. It may no longer exist.
void resume_lock_waiters(const void *lock);

} // namespace loomp::core
