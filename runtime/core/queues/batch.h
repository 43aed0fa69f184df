// A member's own queues of fusible tasks: ready ones of a kind are gathered until they are as many
// as run together, or until somebody has nothing better to do than to run those there are.
//
// The member's worker alone adds; anybody takes a batch, whole. While it is gathered a batch is the
// list of its tasks, chained by Task::next from the latest to the first, in one word with their
// kind and number. Adding is one compare-and-swap, taking is one exchange with zero.
//
// Invariant: a task is in one list at most, and belongs to who took that. No ABA: only the worker
// makes a word non-zero, so one that it finds unchanged has not been taken meanwhile.
#pragma once

#include <cstdint>

#include "platform/atomic.h"
#include "runtime/core/task/task.h"

namespace loomp::core {

inline constexpr unsigned kMaxTaskKinds = 256; ///< with 0, which is none
inline constexpr unsigned kMaxBatch = 256;

class alignas(kFalseSharing) BatchQueue {
  public:
    static constexpr unsigned kSlots = 8; ///< kinds that are gathered at once

    /// Adds `task` to those of its kind. True: it is the first. The slot must not hold another
    /// kind's. By the member's worker.
    bool add(Task &task) {
        Atomic<std::uint64_t> &slot = slots_[task.route.kind() % kSlots];
        std::uint64_t word = slot.load(std::memory_order_relaxed);
        for (;;) {
            task.next = tasks_of(word);
            // release: who takes them sees what they consist of.
            if (LOOMP_LIKELY(slot.compare_exchange_weak(word, word_of(task, size_of(word) + 1),
                                                        std::memory_order_release,
                                                        std::memory_order_relaxed)))
                return word == 0;
        }
    }
    /// What is in the slot of `kind` if that is another kind's, or `count` tasks or more; null
    /// otherwise. By the member's worker.
    Task *take_if(unsigned kind, unsigned count) {
        const std::uint64_t word = slots_[kind % kSlots].load(std::memory_order_relaxed);
        if (LOOMP_LIKELY(word == 0 || (kind_of(word) == kind && size_of(word) < count)))
            return nullptr;
        return take(kind % kSlots);
    }
    /// All tasks of a slot, the latest first, or null. Anybody.
    Task *take(unsigned slot) {
        if (slots_[slot].load(std::memory_order_relaxed) == 0)
            return nullptr;
        // acquire: pairs with add().
        return tasks_of(slots_[slot].exchange(0, std::memory_order_acquire));
    }
    /// How many are in the slot, and of which kind. May be old.
    unsigned size(unsigned slot) const {
        return size_of(slots_[slot].load(std::memory_order_relaxed));
    }
    unsigned kind(unsigned slot) const {
        return kind_of(slots_[slot].load(std::memory_order_relaxed));
    }
    bool looks_empty() const {
        std::uint64_t any = 0;
        for (const Atomic<std::uint64_t> &slot : slots_)
            any |= slot.load(std::memory_order_relaxed);
        return any == 0;
    }

  private:
    // bits 63..56  kind
    // bits 55..48  number of tasks: below kMaxBatch, since a full batch is not left here
    // bits 47..0   the latest
    static constexpr unsigned kPointerBits = 48;
    static_assert(kMaxBatch <= 256 && kMaxTaskKinds <= 256);
    static std::uint64_t word_of(const Task &latest, unsigned size) {
        return std::uint64_t{latest.route.kind()} << 56 | std::uint64_t{size} << kPointerBits |
               reinterpret_cast<std::uint64_t>(&latest);
    }
    static Task *tasks_of(std::uint64_t word) {
        return reinterpret_cast<Task *>(word & ((std::uint64_t{1} << kPointerBits) - 1));
    }
    static unsigned size_of(std::uint64_t word) { return (word >> kPointerBits) & 0xff; }
    static unsigned kind_of(std::uint64_t word) { return static_cast<unsigned>(word >> 56); }

    Atomic<std::uint64_t> slots_[kSlots] = {};
};

} // namespace loomp::core
