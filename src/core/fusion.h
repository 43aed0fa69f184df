// Fusion: ready tasks of one kind are taken together and run as one call of a batch body that the
// program has registered (loomp.h: loomp_task_kind()).
//
// A ready kFusible task goes to its team's queue of its kind instead of a deque. Whoever finds its
// own queue empty takes one. When that begins to run, it takes more, up to the kind's maximum: then
// the batch body runs in the place of its own code, and it completes the others at its end.
//
// Invariant: the others of a batch, chained by `next`, are known to the first one's frame only.
// Thread safety: any thread; a lock per kind, which nobody takes to find the queues empty.
#pragma once

#include <atomic>
#include <cstdint>
#include <deque>

#include "core/spinlock.h"
#include "core/task.h"
#include "core/team.h"

namespace loomp::core {

class Worker;

inline constexpr unsigned kMaxTaskKinds = 256; ///< with 0, which is none
inline constexpr unsigned kMaxBatch = 256;

class FusionQueues {
  public:
    void push(Task &task, unsigned batch);
    /// The first of a batch of any kind, or null.
    Task *take();
    /// Up to `most` further ones of `kind`, chained; null: there are none.
    Task *take_more(unsigned kind, unsigned most);
    bool looks_empty() const { return waiting_.load(std::memory_order_relaxed) == 0; }
    bool holds_many() const { return waiting_.load(std::memory_order_relaxed) > kMany; }

  private:
    /// While tasks of the kind keep coming, waits until half a batch is there. Who takes each one
    /// as it comes makes its creator pay for the contention, and runs no batches.
    void let_grow(unsigned kind);
    /// With more of them, creators run what they have created.
    static constexpr std::int64_t kMany = 8 * kMaxBatch;
    /// Tasks chained by `next`, as many as make a batch or fewer: detached in one go, since walking
    /// them under the lock would hold up everybody by a cache miss each.
    struct Segment {
        Task *first;
        Task *last;
        std::uint32_t size;
    };
    struct alignas(kCacheLine) Queue {
        SpinLock lock;
        std::deque<Segment> segments;       ///< none is empty; guarded by the lock
        std::atomic<std::uint32_t> size{0}; ///< tasks; written under the lock
    };
    Queue queues_[kMaxTaskKinds];
    std::atomic<std::int64_t> waiting_{0}; ///< tasks in all queues; never too few
    std::atomic<unsigned> turn_{0};        ///< the kind looked at first
};

bool is_task_kind(int kind);

/// spawn() for a fusible task without dependences. The caller may continue on another thread.
void spawn_fusible(Worker &worker, Task &task);
/// The ready task goes to the queue of its kind, or where any task goes if it has to run alone.
void queue_fusible(Task &task);

/// The first of a batch, or a single task, or null.
LOOMP_INLINE Task *take_fused(Team &team) {
    FusionQueues *queues = team.fusion.load(std::memory_order_acquire);
    return LOOMP_LIKELY(queues == nullptr) ? nullptr : queues->take();
}
LOOMP_INLINE bool fusible_visible(const Team &team) {
    const FusionQueues *queues = team.fusion.load(std::memory_order_acquire);
    return LOOMP_UNLIKELY(queues != nullptr) && !queues->looks_empty();
}

} // namespace loomp::core
