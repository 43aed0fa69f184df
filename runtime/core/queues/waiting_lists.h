// Lists that any thread adds to and takes from: suspended tasks that may go on, and ready tasks
// that are in no thread's own queue. A lock of a few instructions guards each, and nobody takes the
// lock to find the list empty.
#pragma once

#include <cstddef>

#include "platform/atomic.h"
#include "platform/common.h"
#include "platform/spinlock.h"

namespace loomp::core {

struct Suspension;
struct Task;

/// First come, first served, but for suspended loops that look for work and have only let another
/// task go first. These come when there is nothing else, the one that was left last before the
/// rest: so a program's tree of tasks is walked depth first, and the stacks in use are as many as
/// its depth needs. Now and then one comes before the others, since these may do nothing but yield
/// to each other until it has gone on.
///
/// Thread safety: all methods from any thread.
template <class Item> class WaitingList {
  public:
    void push(Item &item);
    Item *pop() { return LOOMP_LIKELY(empty()) ? nullptr : pop_slow(); }
    /// Takes the first item, which goes on to count as being there: who sleeps if there is nothing
    /// does not sleep meanwhile. Followed by give_back() or keep_borrowed().
    Item *borrow();
    /// The borrowed item becomes the last one.
    void give_back(Item &item);
    /// The borrowed item does not come back.
    void keep_borrowed();
    bool empty() const { return count() == 0; }
    /// Out of date at once.
    std::size_t count() const { return count_.load(std::memory_order_relaxed); }
    /// Whether anything is there but loops that look for work.
    bool holds_work() const { return work_.load(std::memory_order_relaxed) != 0; }

    /// For fork().
    SpinLock &lock() { return lock_; }

  private:
    LOOMP_NOINLINE Item *pop_slow();
    void append(Item &item);
    SpinLock lock_; ///< guards the following; the counts are read without it
    Item *first_ = nullptr;
    Item *last_ = nullptr;
    Item *loops_ = nullptr; ///< the one that was left last first
    unsigned pops_ = 0;
    Atomic<std::size_t> count_{0};
    Atomic<std::size_t> work_{0}; ///< those that are no loops
};

/// Suspended tasks that may go on.
using ResumeList = WaitingList<Suspension>;
/// Ready tasks.
using SharedTaskList = WaitingList<Task>;

} // namespace loomp::core
