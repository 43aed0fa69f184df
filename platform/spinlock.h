// A test-and-set lock for critical sections of a few instructions inside the runtime. A waiting
// thread yields to the operating system if the holder may have been preempted (oversubscribed
// machines). Holders never suspend, never run user code, and take no other of these locks.
// platform/locks_at_fork.h knows those that the whole process shares.
#pragma once

#include "platform/atomic.h"
#include "platform/common.h"
#include "platform/threads.h"

namespace loomp::core {

class SpinLock {
  public:
    void lock() {
        // acquire: this thread sees the previous holder's writes.
        while (LOOMP_UNLIKELY(held_.exchange(true, std::memory_order_acquire)))
            wait();
    }
    void unlock() { held_.store(false, std::memory_order_release); }

  private:
    LOOMP_NOINLINE void wait() {
        for (int spins = 0; held_.load(std::memory_order_relaxed); ++spins) {
            if (spins < 64)
                cpu_relax();
            else
                offer_processor();
        }
    }
    Atomic<bool> held_{false};
};

class SpinGuard {
  public:
    explicit SpinGuard(SpinLock &lock) : lock_(lock) { lock_.lock(); }
    ~SpinGuard() { lock_.unlock(); }
    SpinGuard(const SpinGuard &) = delete;
    SpinGuard &operator=(const SpinGuard &) = delete;

  private:
    SpinLock &lock_;
};

} // namespace loomp::core
