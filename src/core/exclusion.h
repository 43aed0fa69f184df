// mutexinoutset: tasks of one set may run in any order but not at the same time (OpenMP 5.2,
// 15.9.5). Each holds the set's locks while it runs. A task that cannot have them all takes none
// and is parked with the lock that was busy; whoever frees the lock makes its waiters ready again.
#pragma once

#include <atomic>

#include "core/spinlock.h"
#include "core/task.h"

namespace loomp::core {

class Worker;

class Exclusion {
  public:
    void retain() { references_.fetch_add(1, std::memory_order_relaxed); }
    /// Deletes the object with its last reference.
    void drop();
    bool try_take();
    /// True if the lock is held, and then `task` is parked until it is freed. False if it is free.
    bool park_if_held(Task &task);
    /// Frees the lock; the tasks parked meanwhile, linked by `next`, are the caller's to make
    /// ready.
    Task *free();

  private:
    SpinLock lock_; ///< guards held_ and parked_
    bool held_ = false;
    Task *parked_ = nullptr;
    std::atomic<int> references_{1};
};

/// The exclusion now current for an address; owned by the DependenceMap.
struct ExclusionEntry {
    const void *address;
    Exclusion *exclusion;
    ExclusionEntry *next;
};

/// Makes room for `count` exclusions in `task`; then each is added. By the creator.
void reserve_exclusions(Worker &worker, Task &task, std::size_t count);
void add_exclusion(Task &task, Exclusion &exclusion);

/// Takes all exclusions of `task`; false if it was parked instead, and then it must not be touched.
bool take_exclusions(Task &task);
/// Frees them all and drops the task's references; makes ready who waited.
void free_exclusions(Task &task);

} // namespace loomp::core
