// Lists that any thread adds to and takes from: suspended tasks that may go on, and ready tasks
// that are in no thread's own queue. A lock of a few instructions guards each, and nobody takes the
// lock to find the list empty.
#pragma once

#include <atomic>
#include <cstddef>

#include "core/common.h"
#include "core/spinlock.h"

namespace loomp::core {

struct Suspension;
struct Task;

/// Suspended tasks that may go on. Those that waited for something come in the order in which it
/// happened. Loops that look for work and have only let another task go first come when there are
/// no others, the one that left off last before the rest: so a program's tree of tasks is walked
/// depth first, and the stacks in use are as many as its depth needs. Now and then one comes before
/// the others, since these may do nothing but yield to each other until it has gone on.
class ResumeList {
  public:
    void push(Suspension &suspension);
    Suspension *pop() { return LOOMP_LIKELY(empty()) ? nullptr : pop_slow(); }
    bool empty() const { return count_.load(std::memory_order_relaxed) == 0; }
    /// Whether anything is there but loops that look for work.
    bool holds_work() const { return work_.load(std::memory_order_relaxed) != 0; }

    /// For fork().
    SpinLock &lock() { return lock_; }

  private:
    LOOMP_NOINLINE Suspension *pop_slow();
    SpinLock lock_; ///< guards the following; the counts are read without it
    Suspension *first_ = nullptr;
    Suspension *last_ = nullptr;
    Suspension *loops_ = nullptr; ///< the last one to leave off first
    unsigned pops_ = 0;
    std::atomic<std::size_t> count_{0};
    std::atomic<std::size_t> work_{0}; ///< those that are no loops
};

/// First come, first served list of tasks.
class SharedTaskList {
  public:
    void push(Task &task);
    Task *pop() { return LOOMP_LIKELY(empty()) ? nullptr : pop_slow(); }
    bool empty() const { return count() == 0; }
    /// Out of date at once.
    std::size_t count() const { return count_.load(std::memory_order_relaxed); }

    /// For fork().
    SpinLock &lock() { return lock_; }

  private:
    LOOMP_NOINLINE Task *pop_slow();
    SpinLock lock_; ///< guards the following; the count is read without it
    Task *first_ = nullptr;
    Task *last_ = nullptr;
    std::atomic<std::size_t> count_{0};
};

} // namespace loomp::core
