// Locks of the simulated machine.
#pragma once

#include <atomic>
#include <mutex>
#include <new>

#include "platform/clock.h"
#include "tests/simulated/machine.h"

namespace loomp {

class SystemMutex {
  public:
    constexpr SystemMutex() = default;
    SystemMutex(const SystemMutex &) = delete;
    SystemMutex &operator=(const SystemMutex &) = delete;
    void lock() {
        simulated::step();
        while (held_.exchange(true, std::memory_order_acquire))
            simulated::sleep_on(this, true, ~0u, 0);
    }
    bool try_lock() {
        simulated::step();
        return !held_.exchange(true, std::memory_order_acquire);
    }
    void unlock() {
        held_.store(false, std::memory_order_release);
        simulated::wake(this, 1, ~0u);
        simulated::step();
    }

  private:
    std::atomic<bool> held_{false}; // ThreadSanitizer sees the order
};

class RecursiveSystemMutex {
  public:
    constexpr RecursiveSystemMutex() = default;
    void lock() {
        if (depth_ == 0 || owner_ != simulated::own_number())
            mutex_.lock();
        owner_ = simulated::own_number();
        ++depth_;
    }
    void unlock() {
        if (--depth_ == 0)
            mutex_.unlock();
    }

  private:
    SystemMutex mutex_;
    int owner_ = 0;
    int depth_ = 0;
};

/// The child of a fork begins again if another thread was in the function, as glibc's
/// pthread_once() does.
class OnceFlag {
  public:
    RecursiveSystemMutex mutex;
    bool done = false;
    unsigned forks = 0; ///< when the mutex was made
};
template <class Function> void call_once(OnceFlag &flag, Function function) {
    if (flag.done)
        return;
    if (flag.forks != simulated::forks()) {
        new (&flag.mutex) RecursiveSystemMutex;
        flag.forks = simulated::forks();
    }
    const std::lock_guard<RecursiveSystemMutex> guard(flag.mutex);
    if (!flag.done) {
        function();
        flag.done = true;
    }
}

class ConditionVariable {
  public:
    void wait(std::unique_lock<SystemMutex> &lock) { wait_until(lock, 0); }
    void wait_until(std::unique_lock<SystemMutex> &lock, std::int64_t time) {
        const unsigned seen = notified_;
        lock.unlock();
        simulated::sleep_on(this, notified_ == seen, ~0u, time);
        lock.lock();
    }
    void notify_one() {
        notified_ = notified_ + 1;
        simulated::wake(this, 1, ~0u);
    }
    void notify_all() {
        notified_ = notified_ + 1;
        simulated::wake(this, 0x7fffffff, ~0u);
    }

  private:
    volatile unsigned notified_ = 0;
};

} // namespace loomp
