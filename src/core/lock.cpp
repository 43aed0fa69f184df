#include "core/lock.h"

#include <sched.h>

#include "core/futex.h"
#include "core/scheduler.h"
#include "core/suspend.h"
#include "core/worker.h"

namespace loomp::core {

void Mutex::lock_slow() {
    for (int spins = oversubscribed() ? 4 : 128; spins > 0; --spins) {
        if (word_.load(std::memory_order_relaxed) == kFree && try_lock())
            return;
        cpu_relax();
    }
    // Once contended, whoever takes it keeps the mark: others may sleep.
    while (word_.exchange(kContended, std::memory_order_acquire) != kFree) {
        Worker &worker = *Worker::current();
        if (LOOMP_UNLIKELY(worker.suspended_here.load(std::memory_order_relaxed) > 0)) {
            // The holder may be among them, or wait for a task that has not started.
            if (!taskyield())
                sched_yield();
            continue;
        }
        futex_wait(word_, kContended);
    }
}

void Mutex::wake_one() { futex_wake(word_, 1); }

const void *lock_owner() { return Worker::current()->task; }

void nest_lock(NestLock &lock) {
    const void *self = lock_owner();
    // relaxed: equal only if this task wrote it.
    if (lock.owner.load(std::memory_order_relaxed) != self) {
        lock.mutex.lock();
        lock.owner.store(self, std::memory_order_relaxed);
    }
    ++lock.depth;
}

int try_nest_lock(NestLock &lock) {
    const void *self = lock_owner();
    if (lock.owner.load(std::memory_order_relaxed) != self) {
        if (!lock.mutex.try_lock())
            return 0;
        lock.owner.store(self, std::memory_order_relaxed);
    }
    return ++lock.depth;
}

bool nest_unlock(NestLock &lock) {
    if (--lock.depth > 0)
        return false;
    lock.owner.store(nullptr, std::memory_order_relaxed);
    lock.mutex.unlock();
    return true;
}

} // namespace loomp::core
