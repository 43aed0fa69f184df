// Lists that any thread adds to and takes from: suspended tasks that may continue, and ready tasks
// in no thread's own queue. A lock of a few instructions guards each; no thread takes the lock to
// find the list empty.
#pragma once

#include <cstddef>

#include "platform/atomic.h"
#include "platform/common.h"
#include "platform/spinlock.h"

namespace loomp::core {

struct Suspension;
struct Task;

/// First come, first served, except for suspended loops that look for work and only let another
/// task go first. These come when there is nothing else, the latest one first. So a program's tree
/// of tasks is walked depth first, and the stacks in use are as many as its depth needs.
/// Occasionally a loop comes before the others, because these may only yield to each other until it
/// has continued.
///
/// Thread safety: all methods from any thread.
template <class Item> class WaitingList {
  public:
    void push(Item &item);
    Item *pop() { return LOOMP_LIKELY(empty()) ? nullptr : pop_slow(); }
    /// Takes the first item, which still counts as present, so that no thread sleeps for lack of it
    /// meanwhile. The caller then calls give_back() or keep_borrowed().
    Item *borrow();
    /// The borrowed item becomes the last one.
    void give_back(Item &item);
    /// The borrowed item does not come back.
    void keep_borrowed();
    bool empty() const { return count() == 0; }
    /// May be outdated at once.
    std::size_t count() const { return count_.load(std::memory_order_relaxed); }
    /// Returns whether the list holds anything but loops that look for work.
    bool holds_work() const { return work_.load(std::memory_order_relaxed) != 0; }

    /// The handler of fork() takes it.
    SpinLock &lock() { return lock_; }

  private:
    LOOMP_NOINLINE Item *pop_slow();
    void append(Item &item);
    SpinLock lock_; ///< guards the following; the counts are read without it
    Item *first_ = nullptr;
    Item *last_ = nullptr;
    Item *loops_ = nullptr; ///< the latest one first
    unsigned pops_ = 0;
    Atomic<std::size_t> count_{0};
    Atomic<std::size_t> work_{0}; ///< those that are no loops
};

/// Suspended tasks that may continue.
using ResumeList = WaitingList<Suspension>;
/// Ready tasks.
using SharedTaskList = WaitingList<Task>;

} // namespace loomp::core
