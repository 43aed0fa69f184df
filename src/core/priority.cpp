#include "core/priority.h"

#include <algorithm>

#include "core/settings.h"
#include "core/team.h"

namespace loomp::core {

void PriorityQueue::push(Task &task) {
    const SpinGuard guard(lock_);
    heap_.push_back({task.priority, pushed_++, &task});
    std::push_heap(heap_.begin(), heap_.end());
    size_.store(heap_.size(), std::memory_order_relaxed);
}

Task *PriorityQueue::take() {
    if (looks_empty())
        return nullptr;
    const SpinGuard guard(lock_);
    if (heap_.empty())
        return nullptr;
    std::pop_heap(heap_.begin(), heap_.end());
    Task *task = heap_.back().task;
    heap_.pop_back();
    size_.store(heap_.size(), std::memory_order_relaxed);
    return task;
}

PriorityQueue &priority_queue_of(Team &team) {
    PriorityQueue *queue = team.prioritized.load(std::memory_order_acquire);
    if (queue != nullptr)
        return *queue;
    auto *fresh = new PriorityQueue;
    // acq_rel: publishes the object, or shows the one that came first.
    if (team.prioritized.compare_exchange_strong(queue, fresh, std::memory_order_acq_rel))
        return *fresh;
    delete fresh;
    return *queue;
}

void set_priority(Task &task, int value) {
    task.priority = std::clamp(value, 0, settings().max_task_priority);
    if (task.priority != 0)
        task.flags |= kPrioritized;
    else
        task.flags &= ~std::uint32_t{kPrioritized};
}

} // namespace loomp::core
