#include "runtime/core/regions/lock_waiters.h"

#include <cstdint>
#include <utility>

#include "platform/atomic.h"
#include "platform/locks_at_fork.h"
#include "platform/spinlock.h"
#include "runtime/core/scheduling/resume.h"
#include "runtime/core/scheduling/suspend.h"
#include "runtime/core/task/task_code.h"
#include "runtime/core/worker/worker.h"

namespace loomp::core {

namespace {

/// Lives on the suspended stack.
struct Waiter {
    void *lock;
    TakeOrMark take_or_mark;
    bool again;
    bool has_lock = false;
    const void *place = nullptr;  ///< a member or a team
    Waiter *behind = nullptr;     ///< the next of the same queue
    Waiter *last = this;          ///< the last of the queue; valid in its first
    Waiter *next_queue = nullptr; ///< the bucket's next queue; valid in the first of each
    Suspension suspension = {};
};

struct alignas(kFalseSharing) Bucket {
    SpinLock lock; ///< guards the queues
    /// Tasks in the bucket, and those about to enter it.
    Atomic<std::uint32_t> waiting{0};
    Waiter *queues = nullptr;
};

constexpr unsigned kBucketBits = 8;
Bucket buckets[1u << kBucketBits];

Bucket &bucket_of(const void *lock) {
    // Fibonacci hashing.
    const auto key = reinterpret_cast<std::uintptr_t>(lock);
    return buckets[(std::uint64_t{key} * 0x9e3779b97f4a7c15u) >> (64 - kBucketBits)];
}

void enter(Bucket &bucket, Waiter &waiter) {
    Waiter **at = &bucket.queues;
    while (*at != nullptr && ((*at)->lock != waiter.lock || (*at)->place != waiter.place))
        at = &(*at)->next_queue;
    Waiter *first = *at;
    if (first == nullptr) {
        *at = &waiter;
    } else if (waiter.again) {
        waiter.behind = first;
        waiter.last = first->last;
        waiter.next_queue = first->next_queue;
        *at = &waiter;
    } else {
        first->last->behind = &waiter;
        first->last = &waiter;
    }
}

/// Removes and returns the first of each of the lock's queues, chained by `next_queue`.
Waiter *take_firsts(Bucket &bucket, const void *lock) {
    Waiter *taken = nullptr;
    Waiter **at = &bucket.queues;
    while (Waiter *first = *at) {
        if (first->lock != lock) {
            at = &first->next_queue;
            continue;
        }
        if (Waiter *second = first->behind) {
            second->last = first->last;
            second->next_queue = first->next_queue;
            *at = second;
            at = &second->next_queue;
        } else {
            *at = first->next_queue;
        }
        bucket.waiting.fetch_sub(1, std::memory_order_relaxed);
        first->next_queue = taken;
        taken = first;
    }
    return taken;
}

bool arm(void *argument) {
    Waiter &waiter = *static_cast<Waiter *>(argument);
    Bucket &bucket = bucket_of(waiter.lock);
    const Suspension &suspension = waiter.suspension;
    waiter.place = suspension.resumes_at != nullptr
                       ? static_cast<const void *>(suspension.resumes_at)
                       : suspension.team;
    const SpinGuard guard(bucket.lock);
    // relaxed: the mark publishes it to the thread that releases the lock.
    bucket.waiting.fetch_add(1, std::memory_order_relaxed);
    if (waiter.take_or_mark(waiter.lock)) {
        bucket.waiting.fetch_sub(1, std::memory_order_relaxed);
        waiter.has_lock = true;
        return false;
    }
    enter(bucket, waiter);
    return true;
}

/// The child of fork() keeps only the calling thread's waiters.
void keep_own_waiters() {
    const Worker *self = Worker::current_or_null();
    for (Bucket &bucket : buckets) {
        bucket.waiting.store(0, std::memory_order_relaxed);
        Waiter *queue = std::exchange(bucket.queues, nullptr);
        while (queue != nullptr) {
            Waiter *waiter = std::exchange(queue, queue->next_queue);
            while (waiter != nullptr) {
                Waiter &next = *std::exchange(waiter, waiter->behind);
                if (next.suspension.left_from != self)
                    continue;
                next.behind = nullptr;
                next.last = &next;
                next.next_queue = nullptr;
                next.again = false;
                enter(bucket, next);
                bucket.waiting.fetch_add(1, std::memory_order_relaxed);
            }
        }
    }
}

const LocksAtFork at_fork(
    [](LocksAtFork::Each each) {
        for (Bucket &bucket : buckets)
            each(bucket.lock);
    },
    keep_own_waiters);

} // namespace

bool suspend_until_released(void *lock, TakeOrMark take_or_mark, bool again) {
    Waiter waiter{lock, take_or_mark, again};
    Worker::current()->waiting_for_locks.fetch_add(1, std::memory_order_relaxed);
    suspend(waiter.suspension, arm, &waiter);
    waiter.suspension.left_from->waiting_for_locks.fetch_sub(1, std::memory_order_relaxed);
    return waiter.has_lock;
}

int list_lock_waiters(const void **codes, int most) {
    int count = 0;
    const auto add = [&](const Task *task) {
        if (count < most)
            codes[count] = task == nullptr ? nullptr : code_of(*task);
        ++count;
    };
    for (unsigned i = 0; i < worker_count(); ++i)
        if (Worker::at(i).sleeps_for_lock)
            add(Worker::at(i).task);
    for (Bucket &bucket : buckets) {
        const SpinGuard guard(bucket.lock);
        for (const Waiter *queue = bucket.queues; queue != nullptr; queue = queue->next_queue)
            for (const Waiter *waiter = queue; waiter != nullptr; waiter = waiter->behind)
                add(waiter->suspension.task);
    }
    return count;
}

void resume_lock_waiters(const void *lock) {
    Bucket &bucket = bucket_of(lock);
    if (bucket.waiting.load(std::memory_order_relaxed) == 0)
        return;
    Waiter *waiter;
    {
        const SpinGuard guard(bucket.lock);
        waiter = take_firsts(bucket, lock);
    }
    while (waiter != nullptr) {
        Waiter *next = waiter->next_queue;
        make_resumable(waiter->suspension);
        waiter = next;
    }
}

} // namespace loomp::core
