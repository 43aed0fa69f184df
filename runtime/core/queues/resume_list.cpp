#include "runtime/core/queues/resume_list.h"

#include <utility>

#include "runtime/core/suspension/suspension.h"

namespace loomp::core {

namespace {

/// Called by the holder of the lock that orders the writers, so it needs no read-modify-write
/// operation. release: a thread that finds the list non-empty without the lock may read the added
/// items.
void change(Atomic<std::size_t> &count, int by) {
    count.store(count.load(std::memory_order_relaxed) + static_cast<std::size_t>(by),
                std::memory_order_release);
}

} // namespace

void ResumeList::push(Suspension &suspension) {
    const SpinGuard guard(lock_);
    change(count_, 1);
    if (suspension.looks_for_work) {
        suspension.next = std::exchange(loops_, &suspension);
        return;
    }
    suspension.next = nullptr;
    (first_ == nullptr ? first_ : last_->next) = &suspension;
    last_ = &suspension;
    change(work_, 1);
}

Suspension *ResumeList::pop_slow() {
    constexpr unsigned in_turn = 16;
    const SpinGuard guard(lock_);
    const bool loop = loops_ != nullptr && (first_ == nullptr || ++pops_ % in_turn == 0);
    Suspension *&first = loop ? loops_ : first_;
    if (first == nullptr)
        return nullptr;
    change(count_, -1);
    if (!loop)
        change(work_, -1);
    return std::exchange(first, first->next);
}

} // namespace loomp::core
