#include "runtime/core/queues/waiting_lists.h"

#include "runtime/core/suspension/suspension.h"
#include "runtime/core/task/task.h"

namespace loomp::core {

namespace {

/// Called by the holder of the lock that orders the writers, so it needs no read-modify-write
/// operation. release: a thread that finds the list non-empty without the lock may read the added
/// items.
void change(Atomic<std::size_t> &count, int by) {
    count.store(count.load(std::memory_order_relaxed) + static_cast<std::size_t>(by),
                std::memory_order_release);
}

bool looks_for_work(const Suspension &suspension) { return suspension.looks_for_work; }
bool looks_for_work(const Task &) { return false; }

template <class Item> Item *take_first(Item *&first) {
    Item *item = first;
    if (item != nullptr)
        first = item->next;
    return item;
}

} // namespace

template <class Item> void WaitingList<Item>::push(Item &item) {
    const SpinGuard guard(lock_);
    change(count_, 1);
    if (looks_for_work(item)) {
        item.next = loops_;
        loops_ = &item;
        return;
    }
    append(item);
    change(work_, 1);
}

template <class Item> void WaitingList<Item>::append(Item &item) {
    item.next = nullptr;
    (first_ == nullptr ? first_ : last_->next) = &item;
    last_ = &item;
}

template <class Item> Item *WaitingList<Item>::borrow() {
    const SpinGuard guard(lock_);
    return take_first(first_);
}

template <class Item> void WaitingList<Item>::give_back(Item &item) {
    const SpinGuard guard(lock_);
    append(item);
}

template <class Item> void WaitingList<Item>::keep_borrowed() {
    const SpinGuard guard(lock_);
    change(count_, -1);
    change(work_, -1);
}

template <class Item> Item *WaitingList<Item>::pop_slow() {
    constexpr unsigned in_turn = 16;
    const SpinGuard guard(lock_);
    const bool loop = loops_ != nullptr && (first_ == nullptr || ++pops_ % in_turn == 0);
    Item *item = take_first(loop ? loops_ : first_);
    if (item == nullptr)
        return nullptr;
    change(count_, -1);
    if (!loop)
        change(work_, -1);
    return item;
}

template class WaitingList<Suspension>;
template class WaitingList<Task>;

} // namespace loomp::core
