// Ready tasks that any thread adds and takes, first come, first served. Several tasks of one kind
// can be taken together.
//
// Thread safety: all methods from any thread. A lock guards the list; no thread takes it to find
// the list empty.
#pragma once

#include <cstdint>

#include "platform/atomic.h"
#include "platform/common.h"
#include "platform/spinlock.h"
#include "runtime/core/task/task.h"

namespace loomp::core {

class alignas(kFalseSharing) ReadyList {
  public:
    /// `filled`, which several lists share, counts the lists with tasks. It is written only when a
    /// list becomes empty or non-empty, not for each task. Called before the first task.
    void count_in(Atomic<std::int32_t> &filled) { filled_ = &filled; }

    /// Removed tasks, chained by Task::next, the earliest at the front.
    struct Taken {
        Task *first = nullptr;
        std::uint32_t count = 0;
    };

    void push(Task &task) {
        const SpinGuard guard(lock_);
        append(task, task, 1);
    }
    /// Appends tasks that were taken from another list.
    void push_all(const Taken &tasks) {
        if (tasks.first == nullptr)
            return;
        Task *last = tasks.first;
        while (last->next != nullptr)
            last = last->next;
        const SpinGuard guard(lock_);
        append(*tasks.first, *last, tasks.count);
    }
    /// Takes the first one, or returns null.
    Task *pop() {
        return take(1, 1, [](const Task &) { return true; }).first;
    }
    /// Takes tasks for which `wanted` holds, at most `most`, from the first `depth` tasks.
    template <class Wanted> Taken take(std::uint32_t most, std::uint32_t depth, Wanted wanted);
    bool looks_empty() const { return size() == 0; }
    /// May be outdated at once.
    std::uint32_t size() const { return size_.load(std::memory_order_relaxed); }

    /// The handler of fork() takes it.
    SpinLock &lock() { return lock_; }

  private:
    void append(Task &first, Task &last, std::uint32_t count) {
        LOOMP_ASSERT((first_ == nullptr) == (size() == 0));
        last.next = nullptr;
        // relaxed: the adding thread notifies others afterwards (Event::notify()).
        if (first_ == nullptr)
            filled_->fetch_add(1, std::memory_order_relaxed);
        (first_ == nullptr ? first_ : last_->next) = &first;
        last_ = &last;
        // Written only under the lock. release: a thread that finds the list non-empty without the
        // lock may read the added tasks.
        size_.store(size() + count, std::memory_order_release);
    }
    SpinLock lock_; ///< guards the following; the size is read without it
    Task *first_ = nullptr;
    Task *last_ = nullptr;
    Atomic<std::uint32_t> size_{0};
    Atomic<std::int32_t> *filled_ = nullptr; ///< written under this list's lock
};

template <class Wanted>
ReadyList::Taken ReadyList::take(std::uint32_t most, std::uint32_t depth, Wanted wanted) {
    Taken taken;
    if (looks_empty() || most == 0)
        return taken;
    const SpinGuard guard(lock_);
    Task **end = &taken.first;
    Task **link = &first_;
    Task *before = nullptr; // the last one that stays in the list
    for (; *link != nullptr && taken.count < most && depth != 0; --depth) {
        Task &task = **link;
        if (!wanted(task)) {
            before = &task;
            link = &task.next;
            continue;
        }
        *link = task.next;
        if (last_ == &task)
            last_ = before;
        task.next = nullptr;
        *end = &task;
        end = &task.next;
        ++taken.count;
    }
    size_.store(size() - taken.count, std::memory_order_relaxed);
    LOOMP_ASSERT((first_ == nullptr) == (size() == 0));
    if (first_ == nullptr && taken.count != 0)
        filled_->fetch_sub(1, std::memory_order_relaxed);
    return taken;
}

} // namespace loomp::core
