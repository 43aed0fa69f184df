// The program's locks (OpenMP 5.2, 18.9) and the lock inside critical regions.
//
// A waiting thread spins, then sleeps. But the holder may need this very thread. It may be a task
// suspended here, or the creator of the waiting task, or it may wait for such a task. Then the
// waiting task is suspended until the lock is released (runtime/core/regions/lock_waiters.h), and
// the thread continues with other work. So a task that waits for a lock keeps its stack and gives
// up its thread. If only the task on top of a thread needs the thread, it simply sleeps.
//
// A release wakes one sleeping thread and resumes the first suspended task of each member; the
// fastest gets the lock.
#pragma once

#include <cstdint>

#include "platform/atomic.h"
#include "platform/common.h"

namespace loomp::core {

/// A mutual exclusion lock in 4 bytes, zero when free. It fits the smallest lock type of the ABIs
/// and a zero-initialised critical name.
class Mutex {
  public:
    LOOMP_MAY_SWITCH LOOMP_INLINE void lock() {
        std::uint32_t expected = kFree;
        // acquire: sees the previous holder's writes.
        if (LOOMP_UNLIKELY(!word_.compare_exchange_strong(
                expected, kHeld, std::memory_order_acquire, std::memory_order_relaxed)))
            lock_slow();
    }
    LOOMP_INLINE bool try_lock() {
        std::uint32_t expected = kFree;
        return word_.compare_exchange_strong(expected, kHeld, std::memory_order_acquire,
                                             std::memory_order_relaxed);
    }
    LOOMP_INLINE void unlock() {
        if (LOOMP_UNLIKELY(word_.exchange(kFree, std::memory_order_release) == kContended))
            wake_waiters();
    }

  private:
    static constexpr std::uint32_t kFree = 0;
    static constexpr std::uint32_t kHeld = 1;
    static constexpr std::uint32_t kContended = 2; ///< held, and tasks or threads may wait
    LOOMP_MAY_SWITCH LOOMP_NOINLINE void lock_slow();
    void sleep_while_contended();
    LOOMP_NOINLINE void wake_waiters();
    static bool take_or_mark(void *mutex);
    Atomic<std::uint32_t> word_{kFree};
};
static_assert(sizeof(Mutex) == 4);

/// A nestable lock; owned by a task.
struct NestLock {
    Mutex mutex;
    Atomic<const void *> owner{nullptr}; ///< the task that holds it
    int depth = 0;                       ///< only the owner uses it
};

/// Returns the running task's identity as owner of nestable locks.
const void *lock_owner();

LOOMP_MAY_SWITCH void nest_lock(NestLock &lock);
/// Returns the new nesting depth, 0 if another task holds it.
int try_nest_lock(NestLock &lock);
/// Returns true if the lock became free.
bool nest_unlock(NestLock &lock);

} // namespace loomp::core
