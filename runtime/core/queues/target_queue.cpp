#include "runtime/core/queues/target_queue.h"

#include "platform/clock.h"
#include "platform/locks_at_fork.h"
#include "platform/spinlock.h"

namespace loomp::core {

namespace {

SpinLock lock; ///< guards all queues and the following
const LocksAtFork at_fork([](LocksAtFork::Each each) { each(lock); });
TargetQueue *ring = nullptr;   ///< the queue whose turn it is, among those with tasks
Atomic<std::int64_t> since{0}; ///< see left_since(); read without the lock
Atomic<int> taken_count{0};    ///< tasks taken since the last taken()
Atomic<void (*)()> announce{nullptr};

} // namespace

void TargetQueue::push(Task &task) {
    // acquire: what it looks at was made before it was given.
    if (void (*listener)() = announce.load(std::memory_order_acquire))
        listener();
    const std::int64_t time = nanoseconds();
    const SpinGuard guard(lock);
    if (looks_empty()) {
        if (ring == nullptr) {
            ring = next_ = previous_ = this;
            since.store(time, std::memory_order_relaxed);
        } else {
            next_ = ring;
            previous_ = ring->previous_;
            next_->previous_ = previous_->next_ = this;
        }
    }
    tasks_.push(task);
}

Task *TargetQueue::pop_first() {
    Task *task = tasks_.pop();
    if (task == nullptr)
        return nullptr;
    taken_count.fetch_add(1, std::memory_order_relaxed);
    if (looks_empty()) {
        if (ring == this)
            ring = next_ == this ? nullptr : next_;
        next_->previous_ = previous_;
        previous_->next_ = next_;
    }
    since.store(ring == nullptr ? 0 : nanoseconds(), std::memory_order_relaxed);
    return task;
}

Task *TargetQueue::pop_slow() {
    const SpinGuard guard(lock);
    return pop_first();
}

Task *TargetQueue::pop_any() {
    if (left_since() == 0)
        return nullptr;
    const SpinGuard guard(lock);
    TargetQueue *queue = ring;
    if (queue == nullptr)
        return nullptr;
    ring = queue->next_;
    return queue->pop_first();
}

std::int64_t TargetQueue::left_since() { return since.load(std::memory_order_relaxed); }

int TargetQueue::taken() {
    return taken_count.load(std::memory_order_relaxed) == 0
               ? 0
               : taken_count.exchange(0, std::memory_order_relaxed);
}

void TargetQueue::announce_to(void (*listener)()) {
    // release: see push().
    announce.store(listener, std::memory_order_release);
}

} // namespace loomp::core
