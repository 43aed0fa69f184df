// A member's own queues of fusible tasks. Ready tasks of a kind are gathered until they are enough
// to run together, or until a thread has no better work.
//
// Only the member's worker adds; any thread takes a whole batch. A growing batch is one word: the
// list of its tasks, their kind and number. Task::next chains the tasks from the latest to the
// first. Adding is one compare-and-swap, taking is one exchange with zero.
//
// Invariant: a task is in one list at most, and belongs to the thread that took that list. There is
// no ABA: only the worker makes a word non-zero, so a word that it finds unchanged has not been
// taken meanwhile.
#pragma once

#include <cstdint>

#include "platform/atomic.h"
#include "runtime/core/task/task.h"

namespace loomp::core {

inline constexpr unsigned kMaxTaskKinds = 256; ///< including 0, which means no kind
inline constexpr unsigned kMaxBatch = 256;

class alignas(kFalseSharing) BatchQueue {
  public:
    static constexpr unsigned kSlots = 8; ///< maximal number of kinds gathered at once

    /// Adds `task` to those of its kind. Returns true if it is the first. The slot must not hold
    /// another kind's tasks. Only the member's worker calls it.
    bool add(Task &task) {
        Atomic<std::uint64_t> &slot = slots_[task.route.kind() % kSlots];
        std::uint64_t word = slot.load(std::memory_order_relaxed);
        for (;;) {
            task.next = tasks_of(word);
            // release: the thread that takes the tasks sees their contents.
            if (LOOMP_LIKELY(slot.compare_exchange_weak(word, word_of(task, size_of(word) + 1),
                                                        std::memory_order_release,
                                                        std::memory_order_relaxed)))
                return word == 0;
        }
    }
    /// Takes the tasks in the slot of `kind` if they are of another kind, or `count` or more; null
    /// otherwise. Only the member's worker calls it.
    Task *take_if(unsigned kind, unsigned count) {
        const std::uint64_t word = slots_[kind % kSlots].load(std::memory_order_relaxed);
        if (LOOMP_LIKELY(word == 0 || (kind_of(word) == kind && size_of(word) < count)))
            return nullptr;
        return take(kind % kSlots);
    }
    /// Takes all tasks of a slot, the latest first, or returns null. Any thread.
    Task *take(unsigned slot) {
        if (slots_[slot].load(std::memory_order_relaxed) == 0)
            return nullptr;
        // acquire: pairs with add().
        return tasks_of(slots_[slot].exchange(0, std::memory_order_acquire));
    }
    /// Returns how many tasks are in the slot. The value may be old.
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
    // bits 55..48  number of tasks: below kMaxBatch, since a full batch does not stay here
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
