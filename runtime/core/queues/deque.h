// Work-stealing deque of tasks: Chase and Lev (SPAA 2005), with the memory orders of Le, Pop, Cohen
// and Zappa Nardelli (PPoPP 2013).
//
// The owner pushes and takes at the bottom (LIFO); thieves take at the top (FIFO). Invariant: slots
// [top, bottom) hold tasks. Exactly one take() or steal() gets a task; the compare-and-swap on
// `top_` decides if both want it. Buffers only grow; old ones exist until the deque dies, since a
// slow thief may still read one. tests/model/deque verifies this.
#pragma once

#include <cstdint>

#include "platform/atomic.h"
#include "platform/common.h"

namespace loomp::core {

struct Task;

class TaskDeque {
  public:
    TaskDeque() = default;
    ~TaskDeque();
    TaskDeque(const TaskDeque &) = delete;
    TaskDeque &operator=(const TaskDeque &) = delete;

    /// Owner only.
    LOOMP_INLINE void push(Task *task) {
        LOOMP_ASSERT(task != nullptr);
        const std::int64_t bottom = bottom_.load(std::memory_order_relaxed);
        // `top_seen_` is a lower bound of top_, so the test errs only towards full.
        if (LOOMP_UNLIKELY(bottom - top_seen_ >= capacity_))
            make_room(bottom);
        LOOMP_ASSERT(bottom - top_seen_ < capacity_);
        Buffer *buffer = buffer_.load(std::memory_order_relaxed);
        buffer->slot(bottom).store(task, std::memory_order_relaxed);
        // release: a thief that sees the new bottom sees the slot and the task behind it.
        bottom_.store(bottom + 1, std::memory_order_release);
    }

    /// Owner only. Returns null if empty.
    LOOMP_INLINE Task *take() {
        const std::int64_t bottom = bottom_.load(std::memory_order_relaxed) - 1;
        if (bottom < top_.load(std::memory_order_relaxed)) // empty, so no fence is needed
            return nullptr;
        Buffer *buffer = buffer_.load(std::memory_order_relaxed);
        // The claim on the slot must be visible before top is read, against a thief that reads
        // bottom after advancing top. This is a store-load order, hence seq_cst (xchg).
        bottom_.exchange(bottom, std::memory_order_seq_cst);
        std::int64_t top = top_.load(std::memory_order_seq_cst);
        LOOMP_ASSERT(top <= bottom + 1);
        if (LOOMP_LIKELY(top < bottom))
            return buffer->slot(bottom).load(std::memory_order_relaxed);
        Task *task = nullptr;
        if (top == bottom) {
            // This is the last task, so thieves may want it too.
            task = buffer->slot(bottom).load(std::memory_order_relaxed);
            if (!top_.compare_exchange_strong(top, top + 1, std::memory_order_seq_cst,
                                              std::memory_order_relaxed))
                task = nullptr;
        }
        bottom_.store(bottom + 1, std::memory_order_relaxed);
        return task;
    }

    /// Owner only, while no thread steals: without the fence.
    LOOMP_INLINE Task *take_unshared() {
        const std::int64_t bottom = bottom_.load(std::memory_order_relaxed) - 1;
        if (bottom < top_.load(std::memory_order_relaxed))
            return nullptr;
        bottom_.store(bottom, std::memory_order_relaxed);
        return buffer_.load(std::memory_order_relaxed)
            ->slot(bottom)
            .load(std::memory_order_relaxed);
    }

    /// Any thread. Returns null if the deque is empty or another thread took the task first.
    Task *steal() {
        std::int64_t top = top_.load(std::memory_order_acquire);
        // Orders the read of top before that of bottom, against take().
        atomic_fence(std::memory_order_seq_cst);
        const std::int64_t bottom = bottom_.load(std::memory_order_acquire);
        if (top >= bottom)
            return nullptr;
        Buffer *buffer = buffer_.load(std::memory_order_acquire);
        Task *task = buffer->slot(top).load(std::memory_order_relaxed);
        if (!top_.compare_exchange_strong(top, top + 1, std::memory_order_seq_cst,
                                          std::memory_order_relaxed))
            return nullptr;
        return task;
    }

    /// Owner only: returns whether it holds more than `limit` tasks. Reads shared state only near
    /// the limit.
    LOOMP_INLINE bool holds_more_than(std::int64_t limit) {
        const std::int64_t bottom = bottom_.load(std::memory_order_relaxed);
        if (LOOMP_LIKELY(bottom - top_seen_ <= limit))
            return false;
        top_seen_ = top_.load(std::memory_order_acquire);
        return bottom - top_seen_ > limit;
    }

    /// A hint, from any thread.
    bool looks_empty() const {
        return bottom_.load(std::memory_order_relaxed) <= top_.load(std::memory_order_relaxed);
    }
    std::int64_t size_hint() const {
        return bottom_.load(std::memory_order_relaxed) - top_.load(std::memory_order_relaxed);
    }

  private:
    struct Buffer {
        std::int64_t capacity;
        Buffer *older;
        Atomic<Task *> &slot(std::int64_t i) {
            return reinterpret_cast<Atomic<Task *> *>(this + 1)[i & (capacity - 1)];
        }
    };
    LOOMP_NOINLINE void make_room(std::int64_t bottom);

    alignas(kFalseSharing) Atomic<std::int64_t> top_{0};
    alignas(kFalseSharing) Atomic<std::int64_t> bottom_{0};
    std::int64_t top_seen_ = 0;
    std::int64_t capacity_ = 0;
    Atomic<Buffer *> buffer_{nullptr};
};

} // namespace loomp::core
