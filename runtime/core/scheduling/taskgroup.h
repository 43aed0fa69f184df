// taskgroup regions (OpenMP 5.2, 15.4): wait for all descendants created in the region, cancel
// them, or reduce over them.
//
// Owner: the task that opened it. A group lives in its owner's frame of the construct, from
// begin_taskgroup() to end_taskgroup() (runtime/core/scheduling/waiting.h); the tasks in it
// complete before that.
#pragma once

#include <cstdint>

#include "platform/atomic.h"
#include "runtime/core/task/task.h"
#include "runtime/core/team/team.h"

namespace loomp::core {

struct Suspension;
class Speculation;

struct TaskGroup {
    TaskGroup *outer = nullptr;
    Task *owner = nullptr;
    std::uint64_t created = 0; ///< by the owner, not yet in `outstanding`; owner only
    Atomic<bool> cancelled{false};
    Suspension *waiter = nullptr;
    void *reductions = nullptr; ///< belongs to the front end; searched outwards through `outer`
    std::uint32_t size_class = 0;
    int iteration = -1; ///< the iteration of `speculation`
    Speculation *speculation =
        nullptr; ///< the group is an iteration (runtime/core/scheduling/speculation.h)
    bool is_worksharing = false; ///< stands for a worksharing region's task reductions only

    /// A task is created in the group by `creator`. A creator other than the owner is itself an
    /// outstanding task of the group, so the count cannot reach zero meanwhile.
    LOOMP_INLINE void count_one(const Task &creator) {
        if (LOOMP_LIKELY(&creator == owner))
            ++created;
        else
            outstanding_.fetch_add(1, std::memory_order_relaxed);
    }
    /// A task of the group completed. The group may be gone afterwards.
    LOOMP_INLINE void complete_one() {
        // acq_rel: our effects to the owner; the last one passes on everybody's.
        if (LOOMP_UNLIKELY(outstanding_.fetch_sub(1, std::memory_order_acq_rel) == 1))
            signal();
    }
    /// Owner: no more tasks by the owner; true if none is outstanding.
    bool fold() {
        LOOMP_ASSERT(outstanding_.load(std::memory_order_relaxed) >=
                     kOpen - static_cast<std::int64_t>(created));
        const auto delta = static_cast<std::int64_t>(created) - kOpen + kGuard;
        created = 0;
        return outstanding_.fetch_add(delta, std::memory_order_acq_rel) + delta == kGuard;
    }
    /// After fold(): whether only the guard is left.
    bool empty_but_guard() const { return outstanding_.load(std::memory_order_acquire) == kGuard; }
    /// After fold(), by any thread: whether all tasks have completed, with the guard or without.
    bool completed() const {
        const std::int64_t left = outstanding_.load(std::memory_order_acquire);
        return left == 0 || left == kGuard;
    }
    /// Owner, with `waiter` set: drops the guard; true if none is outstanding.
    bool drop_guard() {
        return outstanding_.fetch_sub(kGuard, std::memory_order_acq_rel) == kGuard;
    }
    /// Takes the owner out of its wait, if it is in it. The caller holds a task of the group that
    /// has not begun. One of the callers succeeds.
    bool raise_guard() {
        std::int64_t left = outstanding_.load(std::memory_order_relaxed);
        while (left > 0 && left < kGuard)
            // acquire: `waiter`, stored before the guard was dropped.
            if (outstanding_.compare_exchange_weak(left, left + kGuard, std::memory_order_acquire,
                                                   std::memory_order_relaxed))
                return true;
        return false;
    }

  private:
    LOOMP_NOINLINE void signal();

    /// Tasks not yet completed, plus kOpen while the owner may still create some, plus kGuard
    /// between fold() and drop_guard(). Zero is reached once, and means: resume the owner.
    static constexpr std::int64_t kOpen = std::int64_t{1} << 48;
    static constexpr std::int64_t kGuard = std::int64_t{1} << 47;
    Atomic<std::int64_t> outstanding_{kOpen};
};

/// Opens a taskgroup region of the running task.
TaskGroup &begin_taskgroup();

/// cancel taskgroup: tasks of the innermost group that have not started are discarded.
/// False if there is no group.
bool cancel_taskgroup(Task &task);
/// Whether the innermost group of `task`, or one around it, is cancelled.
bool taskgroup_cancelled(const Task &task);

/// The team's region, or a taskgroup of its tasks, is cancelled: told before its own flag is set,
/// and again when it has ended. Groups reach no further than their team: tasks of nested regions
/// are in none of them. Cancellations that a region leaves are forgotten at its end.
void begin_cancellation(Team &team);
void end_cancellation(Team &team);

/// Whether a task of the team may have to be discarded.
LOOMP_INLINE bool anything_cancelled(const Team &team) {
    // relaxed: a thread that is to see a cancellation is ordered behind the task that cancelled.
    return LOOMP_UNLIKELY(team.unusual.load(std::memory_order_relaxed) >= Team::kCancellation);
}
/// Whether an unstarted task is to be discarded instead of run.
bool discards_slow(const Task &task);
LOOMP_INLINE bool discards(const Task &task) {
    return anything_cancelled(*task.team) && discards_slow(task);
}

} // namespace loomp::core
