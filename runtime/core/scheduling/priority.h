// Ready tasks that carry a priority: highest first, equal priorities first come, first served.
// Exact in every queue under any number of distinct values.
//
// Each member has a queue of its own, made when it first queues such a task; so queueing contends
// with nobody unless thieves come. A member takes from the queue whose first task has the highest
// priority, its own where they are equal: it looks at what the queues show of their first tasks,
// all of them in a small team, some in a large one.
// If priorities are propagated (runtime/core/scheduling/priority_graph.h), the team has one queue
// instead. Thread safety: any thread; a lock for each queue, O(log n) work under it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "platform/atomic.h"
#include "platform/spinlock.h"
#include "runtime/core/task/task.h"
#include "runtime/core/team/team.h"

namespace loomp::core {

class Worker;

/// A heap of tasks. Four children to a node: they share a cache line.
class PriorityHeap {
  public:
    void push(std::int32_t priority, Task &task);
    /// Returns null if the heap is empty.
    Task *pop();
    std::size_t size() const { return items_.size(); }
    bool empty() const { return items_.empty(); }
    /// The heap must not be empty.
    std::int32_t top_priority() const { return static_cast<std::int32_t>(items_[0].key >> 32); }

  private:
    struct Item {
        std::uint64_t key; ///< the priority, then how early it came
        Task *task;
    };
    LOOMP_COLD void renumber();
    std::vector<Item> items_;
    std::uint32_t next_order_ = 0xffffffff; ///< counts down; fresh whenever the heap was empty
};

class alignas(kFalseSharing) PriorityQueue {
  public:
    static constexpr std::int32_t kNone = -1;

    void push(Task &task);
    Task *take();
    bool looks_empty() const { return top() == kNone; }
    /// The priority of the first task; kNone: empty. May be old.
    std::int32_t top() const { return top_.load(std::memory_order_relaxed); }
    std::size_t size() const { return size_.load(std::memory_order_relaxed); }

  private:
    /// Read by other threads, without the lock.
    void show() {
        top_.store(heap_.empty() ? kNone : heap_.top_priority(), std::memory_order_relaxed);
        size_.store(heap_.size(), std::memory_order_relaxed);
    }
    Atomic<std::int32_t> top_{kNone};
    Atomic<std::size_t> size_{0};
    alignas(kFalseSharing) SpinLock lock_;
    PriorityHeap heap_;
};

/// The least and the greatest priority that a positive clause gives: LOOMP_PRIORITY_VALUE and
/// OMP_MAX_TASK_PRIORITY. Set once at start.
struct PriorityRange {
    std::int32_t least = 0;
    std::int32_t most = 0;
};
LOOMP_HIDDEN extern PriorityRange priority_range;

/// Settings ask for more than linking where tasks with dependences are created. Set once at start.
LOOMP_HIDDEN extern bool discovery_watched;

/// Makes what tasks are created and taken by what the settings say about priorities
/// (runtime/core/environment/priority_preset.h). While no tasks exist.
void apply_priority_settings();

/// Gives a task that is not yet visible what its priority clause stands for.
LOOMP_INLINE void set_priority(Task &task, std::int32_t value) {
    task.priority =
        value <= 0 ? 0 : std::max(priority_range.least, std::min(priority_range.most, value));
    task.flags = (task.flags & ~TaskFlags{kPrioritized}) |
                 (task.priority != 0 ? TaskFlags{kPrioritized} : 0u);
}

/// With this many ready tasks that have a priority in its queue, a creator is throttled until
/// half are left; with half of them, or as many as keep the team busy (Member::ready_limit), it
/// runs a new one at once that comes before them all. Few enough to stay in the caches.
inline constexpr std::size_t kManyPrioritized = 1024;

/// Queues a ready task that has kPrioritized, in a team with the mark Team::kPriorities. The
/// member's worker calls it, except if priorities are propagated.
void queue_prioritized(Member &member, Task &task);
/// The source of work (runtime/core/scheduling/sources.h): takes the task with the highest priority
/// that the member can see.
struct PrioritizedTasks {
    static constexpr std::uint32_t kMark = Team::kPriorities;
    static Task *take(Worker &worker, Member &member);
    static bool visible(const Member &member);
};
/// Whether a new task that is not plain, or one in a team with priorities, may run where it is
/// created: not if it is to be discarded or has an event, not before one with a higher priority in
/// the member's own queue, and one with a priority only if many are there.
bool may_run_now(Member &member, const Task &task);
/// How many tasks are in the member's own queue.
std::size_t prioritized_count(Member &member);

} // namespace loomp::core
