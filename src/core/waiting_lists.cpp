#include "core/waiting_lists.h"

#include "core/suspend.h"
#include "core/task.h"

namespace loomp::core {

namespace {

/// By the holder of the lock that orders the writers: no read-modify-write operation.
/// release: who finds the list non-empty without the lock may go on to what was added.
void change(std::atomic<std::size_t> &count, int by) {
    count.store(count.load(std::memory_order_relaxed) + static_cast<std::size_t>(by),
                std::memory_order_release);
}

template <class T> void append(T *&first, T *&last, T &item) {
    item.next = nullptr;
    (first == nullptr ? first : last->next) = &item;
    last = &item;
}

template <class T> T *take_first(T *&first) {
    T *item = first;
    if (item != nullptr)
        first = item->next;
    return item;
}

} // namespace

void ResumeList::push(Suspension &suspension) {
    const SpinGuard guard(lock_);
    change(count_, 1);
    if (suspension.looks_for_work) {
        suspension.next = loops_;
        loops_ = &suspension;
        return;
    }
    append(first_, last_, suspension);
    change(work_, 1);
}

Suspension *ResumeList::pop_slow() {
    constexpr unsigned in_turn = 16;
    const SpinGuard guard(lock_);
    const bool loop = loops_ != nullptr && (first_ == nullptr || ++pops_ % in_turn == 0);
    Suspension *suspension = take_first(loop ? loops_ : first_);
    if (suspension == nullptr)
        return nullptr;
    change(count_, -1);
    if (!loop)
        change(work_, -1);
    return suspension;
}

void SharedTaskList::push(Task &task) {
    const SpinGuard guard(lock_);
    append(first_, last_, task);
    change(count_, 1);
}

Task *SharedTaskList::pop_slow() {
    const SpinGuard guard(lock_);
    Task *task = take_first(first_);
    if (task != nullptr)
        change(count_, -1);
    return task;
}

} // namespace loomp::core
