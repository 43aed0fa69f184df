// Suspended tasks that may continue: a list that any thread adds to and takes from. A lock of a few
// instructions guards it; no thread takes the lock to find the list empty.
#pragma once

#include <cstddef>

#include "platform/atomic.h"
#include "platform/common.h"
#include "platform/spinlock.h"

namespace loomp::core {

struct Suspension;

/// First come, first served, except for suspended loops that look for work and only let another
/// task go first. These come when there is nothing else, the latest one first. So a program's tree
/// of tasks is walked depth first, and the stacks in use are as many as its depth needs.
/// Occasionally a loop comes before the others, because these may only yield to each other until it
/// has continued.
///
/// Thread safety: all methods from any thread.
class ResumeList {
  public:
    void push(Suspension &suspension);
    Suspension *pop() { return LOOMP_LIKELY(empty()) ? nullptr : pop_slow(); }
    /// May be outdated at once, like the following.
    bool empty() const { return count_.load(std::memory_order_relaxed) == 0; }
    /// Returns whether the list holds anything but loops that look for work.
    bool holds_work() const { return work_.load(std::memory_order_relaxed) != 0; }

    /// The handler of fork() takes it.
    SpinLock &lock() { return lock_; }

  private:
    LOOMP_NOINLINE Suspension *pop_slow();
    SpinLock lock_; ///< guards the following; the counts are read without it
    Suspension *first_ = nullptr;
    Suspension *last_ = nullptr;
    Suspension *loops_ = nullptr; ///< the latest one first
    unsigned pops_ = 0;
    Atomic<std::size_t> count_{0};
    Atomic<std::size_t> work_{0}; ///< those that are no loops
};

} // namespace loomp::core
