// mutexinoutset: tasks of one set may run in any order but not at the same time (OpenMP 5.2,
// 15.9.5). Each holds the set's locks from before it runs until it completes. A task has all its
// locks or none: one that cannot have them all is parked with a lock that was held.
//
// Protocol. `held` and the queue of parked tasks of a lock change only under its spin lock. A
// thread that looks at the locks of a task holds their spin locks, taken in the order of addresses,
// while it looks: so the task takes all locks, or is parked with one that is held at that moment. A
// thread that frees locks first frees them all, then serves each: it takes tasks out of the lock's
// queue, the oldest first, and has each take all its locks or be parked with another one, until the
// lock is held again or its queue is empty. A task served with success is made ready with its locks
// taken.
// Invariant: a lock that is free has parked tasks only while somebody is serving it. A task is
// parked with a lock that is held, and the thread that frees that serves it afterwards. So no
// wake-up is lost, freeing a lock makes at most one task ready, and each task becomes ready once.
// Locks are handed over to tasks that are ready, never to one that waits: a task that has a lock
// runs, or will without waiting for anybody. Verified by tests/model/exclusion.
#pragma once

#include "platform/atomic.h"

#include "platform/spinlock.h"
#include "runtime/core/task/task.h"

namespace loomp::core {

class Worker;

/// A lock. Owner: the table of dependences that its address is in, and each task that lists it.
class Exclusion {
  public:
    void retain() { references_.fetch_add(1, std::memory_order_relaxed); }
    /// Deletes the object with its last reference.
    void drop();
    /// Whether only the caller has a reference. Tasks get theirs from the thread that asks this.
    bool is_unshared() const {
        // acquire: what the others did with it came before.
        return references_.load(std::memory_order_acquire) == 1;
    }

  private:
    friend bool take_exclusions(Task &task);
    template <class F> friend void free_exclusions(Task &task, F ready);

    /// True if tasks are parked.
    bool release();
    /// The next task to be served, in no queue any more; null if the lock is held, or nobody waits.
    Task *next_to_serve();
    void park(Task &task);

    SpinLock lock_; ///< guards all but the references
    bool held_ = false;
    Task *first_parked_ = nullptr; ///< linked by `next`; the oldest
    Task *last_parked_ = nullptr;
    Atomic<int> references_{1};
};

/// Makes room for `count` exclusions in `task`; then each is added. The task's creator calls it.
void reserve_exclusions(Worker &worker, Task &task, std::size_t count);
void add_exclusion(Task &task, Exclusion &exclusion);

/// Whether `task` has all its locks: taken now, or handed over to it before. False if it was parked
/// instead, and then it must not be touched. The worker that is about to run it calls this.
bool take_exclusions(Task &task);

// ---------------------------------------------------------------------------------------------

/// The list in the task's first attached block.
struct ExclusionList {
    Exclusion **begin;
    std::uint32_t count;
};
/// In the block's count: the task has them.
inline constexpr std::uint32_t kExclusionsTaken = 1u << 31;

inline ExclusionList exclusions_of(Task &task) {
    return {static_cast<Exclusion **>(task.attached->contents()),
            task.attached->count & ~kExclusionsTaken};
}

/// Frees the task's locks and drops its references. `ready(Task&)` is called for each task that got
/// all of its locks by that.
template <class F> void free_exclusions(Task &task, F ready) {
    const auto [list, count] = exclusions_of(task);
    bool waited_for = false;
    for (std::uint32_t i = 0; i < count; ++i)
        waited_for |= list[i]->release();
    for (std::uint32_t i = 0; i < count; ++i) {
        if (waited_for) {
            while (Task *parked = list[i]->next_to_serve()) {
                if (take_exclusions(*parked)) {
                    ready(*parked);
                    break; // this lock is among what it has taken
                }
            }
        }
        list[i]->drop();
    }
    task.attached->count = 0;
}

} // namespace loomp::core
