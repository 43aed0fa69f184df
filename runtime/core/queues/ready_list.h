// Ready tasks that any thread adds and takes, first come, first served: those in no thread's own
// queue. Several tasks of one kind can be taken together.
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

    /// Returns how many were there before.
    std::uint32_t push(Task &task) {
        const SpinGuard guard(lock_);
        append(task, task, 1);
        return size() - 1;
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
        if (LOOMP_LIKELY(looks_empty()))
            return nullptr;
        const SpinGuard guard(lock_);
        Task *task = unlink_first();
        shrink(task != nullptr ? 1 : 0);
        return task;
    }
    /// Takes tasks for which `wanted` holds, at most `most`, from the first `depth` tasks.
    template <class Wanted> Taken take(std::uint32_t most, std::uint32_t depth, Wanted wanted);
    /// What `f` returns for the first one, which stays; 0 if there is none.
    template <class F> unsigned ask_first(F f) {
        const SpinGuard guard(lock_);
        return first_ != nullptr ? f(*first_) : 0;
    }
    /// Takes the first one, which still counts, so that no thread sleeps for lack of it meanwhile.
    /// The caller then calls give_back() or keep_borrowed().
    Task *borrow() {
        const SpinGuard guard(lock_);
        return unlink_first();
    }
    /// The borrowed task becomes the last one.
    void give_back(Task &task) {
        const SpinGuard guard(lock_);
        link(task, task);
    }
    /// The borrowed task does not come back.
    void keep_borrowed() {
        const SpinGuard guard(lock_);
        shrink(1);
    }
    bool looks_empty() const { return size() == 0; }
    /// May be outdated at once.
    std::uint32_t size() const { return size_.load(std::memory_order_relaxed); }

    /// The handler of fork() takes it.
    SpinLock &lock() { return lock_; }

  private:
    // The caller holds the lock:
    void append(Task &first, Task &last, std::uint32_t count) {
        LOOMP_ASSERT(first_ == nullptr || size() != 0);
        link(first, last);
        // relaxed: the adding thread notifies others afterwards (EventCount::notify_one()).
        if (size() == 0 && filled_ != nullptr)
            filled_->fetch_add(1, std::memory_order_relaxed);
        // release: a thread that finds the list non-empty without the lock may read the added
        // tasks.
        size_.store(size() + count, std::memory_order_release);
    }
    void link(Task &first, Task &last) {
        last.next = nullptr;
        (first_ == nullptr ? first_ : last_->next) = &first;
        last_ = &last;
    }
    Task *unlink_first() {
        Task *task = first_;
        if (task != nullptr) {
            first_ = task->next;
            task->next = nullptr;
        }
        return task;
    }
    void shrink(std::uint32_t count) {
        size_.store(size() - count, std::memory_order_relaxed);
        if (size() == 0 && count != 0 && filled_ != nullptr)
            filled_->fetch_sub(1, std::memory_order_relaxed);
    }
    SpinLock lock_; ///< guards the following; the size is read without it
    Task *first_ = nullptr;
    Task *last_ = nullptr;                   ///< valid if there is a first one
    Atomic<std::uint32_t> size_{0};          ///< with borrowed ones
    Atomic<std::int32_t> *filled_ = nullptr; ///< null: nobody counts; written under the lock
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
    shrink(taken.count);
    return taken;
}

/// Several lists that are found empty by one look.
template <unsigned kLists> class ReadyLists {
  public:
    static constexpr unsigned kCount = kLists;

    ReadyLists() {
        for (ReadyList &list : lists_)
            list.count_in(filled_);
    }
    ReadyList &operator[](unsigned list) { return lists_[list]; }
    const ReadyList &operator[](unsigned list) const { return lists_[list]; }
    bool looks_empty() const { return filled_.load(std::memory_order_relaxed) == 0; }

    /// For fork().
    void visit_locks(void (*each)(SpinLock &)) {
        for (ReadyList &list : lists_)
            each(list.lock());
    }

  private:
    ReadyList lists_[kLists];
    Atomic<std::int32_t> filled_{0}; ///< lists that have tasks
};

/// The queues of a team that its members share (runtime/core/scheduling/placing.h).
using SharedQueues = ReadyLists<256>;
/// A member's fusible tasks: those of a kind are in one list
/// (runtime/core/scheduling/fusion.h).
using GatheredQueues = ReadyLists<8>;

} // namespace loomp::core
