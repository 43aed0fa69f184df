// Ready tasks that carry a priority, per team: highest first, equal priorities first come, first
// served. Exact under any number of distinct values.
// Thread safety: any thread; one lock of O(log n) work.
#pragma once

#include <atomic>
#include <cstdint>
#include <vector>

#include "core/spinlock.h"
#include "core/task.h"

namespace loomp::core {

class PriorityQueue {
  public:
    void push(Task &task);
    Task *take();
    bool looks_empty() const { return size_.load(std::memory_order_relaxed) == 0; }

  private:
    struct Item {
        std::int32_t priority;
        std::uint64_t order;
        Task *task;
        bool operator<(const Item &other) const {
            return priority != other.priority ? priority < other.priority : order > other.order;
        }
    };
    SpinLock lock_;
    std::vector<Item> heap_;
    std::uint64_t pushed_ = 0;
    std::atomic<std::size_t> size_{0};
};

/// Gives a task that is not yet visible the value of its priority clause, as far as
/// max-task-priority-var allows.
void set_priority(Task &task, int value);

/// The team's queue; made by the first caller.
PriorityQueue &priority_queue_of(Team &team);

} // namespace loomp::core
