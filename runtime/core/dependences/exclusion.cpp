#include "runtime/core/dependences/exclusion.h"

#include "runtime/core/worker/worker.h"

namespace loomp::core {

void Exclusion::drop() {
    // acq_rel: the last one deletes what the others wrote.
    if (references_.fetch_sub(1, std::memory_order_acq_rel) == 1)
        delete this;
}

bool Exclusion::release() {
    const SpinGuard guard(lock_);
    LOOMP_ASSERT(held_);
    held_ = false;
    return first_parked_ != nullptr;
}

Task *Exclusion::next_to_serve() {
    const SpinGuard guard(lock_);
    Task *task = first_parked_;
    if (held_ || task == nullptr)
        return nullptr;
    first_parked_ = task->next;
    return task;
}

void Exclusion::park(Task &task) {
    LOOMP_ASSERT(held_);
    transition(task, TaskPhase::linked | TaskPhase::ready, TaskPhase::linked);
    task.next = nullptr;
    if (first_parked_ == nullptr)
        first_parked_ = &task;
    else
        last_parked_->next = &task;
    last_parked_ = &task;
}

void reserve_exclusions(Worker &worker, Task &task, std::size_t count) {
    attach_block(worker, task, count * sizeof(Exclusion *), 0);
    task.flags |= kExclusive;
}

void add_exclusion(Task &task, Exclusion &exclusion) {
    Exclusion **list = exclusions_of(task).begin;
    exclusion.retain();
    std::uint32_t i = task.attached->count++;
    for (; i > 0 && list[i - 1] > &exclusion; --i)
        list[i] = list[i - 1];
    list[i] = &exclusion;
}

bool take_exclusions(Task &task) {
    if ((task.attached->count & kExclusionsTaken) != 0)
        return true;
    const auto [list, count] = exclusions_of(task);
    std::uint32_t looked_at = 0;
    bool all_free = true;
    while (all_free && looked_at < count) {
        Exclusion &exclusion = *list[looked_at++];
        exclusion.lock_.lock();
        all_free = !exclusion.held_;
    }
    if (all_free) {
        task.attached->count |= kExclusionsTaken;
        for (std::uint32_t i = 0; i < count; ++i)
            list[i]->held_ = true;
    } else {
        list[looked_at - 1]->park(task);
    }
    // The one that it is parked with last: from then on others may run the task, and end it.
    for (std::uint32_t i = 0; i < looked_at; ++i)
        list[i]->lock_.unlock();
    return all_free;
}

} // namespace loomp::core
