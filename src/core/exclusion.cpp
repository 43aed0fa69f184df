#include "core/exclusion.h"

#include <utility>

#include "core/scheduler.h"
#include "core/task_memory.h"
#include "core/worker.h"

namespace loomp::core {

namespace {

struct List {
    Exclusion **begin;
    std::uint32_t count;
};

List exclusions_of(Task &task) {
    return {static_cast<Exclusion **>(task.attached->contents()), task.attached->count};
}

void make_all_ready(Task *task) {
    while (task != nullptr) {
        Task *next = task->next;
        make_ready(*task);
        task = next;
    }
}

} // namespace

void Exclusion::drop() {
    // acq_rel: the last one deletes what the others wrote.
    if (references_.fetch_sub(1, std::memory_order_acq_rel) == 1)
        delete this;
}

bool Exclusion::try_take() {
    const SpinGuard guard(lock_);
    return !std::exchange(held_, true);
}

bool Exclusion::park_if_held(Task &task) {
    const SpinGuard guard(lock_);
    if (!held_)
        return false;
    task.next = parked_;
    parked_ = &task;
    return true;
}

Task *Exclusion::free() {
    const SpinGuard guard(lock_);
    held_ = false;
    return std::exchange(parked_, nullptr);
}

void reserve_exclusions(Worker &worker, Task &task, std::size_t count) {
    attach_block(worker, task, count * sizeof(Exclusion *), 0);
    task.flags |= kExclusive;
}

void add_exclusion(Task &task, Exclusion &exclusion) {
    Exclusion **list = exclusions_of(task).begin;
    exclusion.retain();
    // Kept in address order: tasks take their locks in one global order.
    std::uint32_t i = task.attached->count++;
    for (; i > 0 && list[i - 1] > &exclusion; --i)
        list[i] = list[i - 1];
    list[i] = &exclusion;
}

bool take_exclusions(Task &task) {
    const auto [list, count] = exclusions_of(task);
    for (;;) {
        std::uint32_t taken = 0;
        while (taken < count && list[taken]->try_take())
            ++taken;
        if (taken == count)
            return true;
        // Nothing is held while parked: once parked, the task may run elsewhere at any moment.
        for (std::uint32_t i = taken; i-- > 0;)
            make_all_ready(list[i]->free());
        if (list[taken]->park_if_held(task))
            return false;
    }
}

void free_exclusions(Task &task) {
    const auto [list, count] = exclusions_of(task);
    for (std::uint32_t i = 0; i < count; ++i) {
        Exclusion *exclusion = list[i];
        make_all_ready(exclusion->free());
        exclusion->drop();
    }
    task.attached->count = 0;
}

} // namespace loomp::core
