// Ready tasks that need no worker: a target task begins an operation on a device, and its code has
// ended until that completes. The team's workers take them from here, first come, first served. If
// all of them are busy for long, another thread takes them (runtime/target/left_tasks.h).
//
// A task waits here while it is ready and needs_no_worker() holds.
//
// Invariant: a team is in the ring of the process only while its queue has tasks, so the ring
// contains no team that has ended.
//
// Thread safety: any thread. One lock guards the ring and all queues in it, because a device
// operation takes ten thousand times as long as a queue operation.
#pragma once

#include <cstdint>

#include "platform/atomic.h"
#include "platform/common.h"
#include "runtime/core/queues/ready_list.h"
#include "runtime/core/task/task.h"

namespace loomp::core {

/// Returns whether any thread may begin the task. False if the task has a place in another order
/// than first come, first served, or if its end concerns more than its successors and its parent.
LOOMP_INLINE bool needs_no_worker(const Task &task) {
    constexpr TaskFlags unfit = kUndeferred | kRunsChildrenInline | kPrioritized | kFusible |
                                kPlaced | kKept | kTransparent | kPropagates | kExclusive |
                                kExports | kCleanup | kRedirect | kNodeOnly;
    return (task.flags & (kTarget | unfit)) == kTarget && task.route.begins_on_device();
}

class TargetQueue {
  public:
    void push(Task &task);
    Task *pop() { return LOOMP_LIKELY(looks_empty()) ? nullptr : pop_slow(); }
    bool looks_empty() const { return tasks_.looks_empty(); }
    /// Returns whether there are so many that their creator shall begin some.
    bool holds_many() const { return tasks_.size() > kMany; }

    /// Takes a task of any team; null: there is none.
    static Task *pop_any();
    /// Returns since when (nanoseconds) tasks have waited without one being taken; 0: none waits.
    static std::int64_t left_since();
    /// Returns how many have been taken since the last call.
    static int taken();
    /// `listener` is called before each push from now on, by the thread that pushes.
    static void announce_to(void (*listener)());

  private:
    static constexpr std::uint32_t kMany = 64;

    LOOMP_NOINLINE Task *pop_slow();
    /// The caller holds the lock.
    Task *pop_first();

    ReadyList tasks_;
    TargetQueue *next_ = nullptr; ///< the next one in the ring
    TargetQueue *previous_ = nullptr;
};

} // namespace loomp::core
