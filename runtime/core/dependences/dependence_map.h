// The map from address to last accesses. It belongs to the parent task; only the thread now running
// the parent touches it, so it has no lock. It names tasks by (pointer, serial) and holds no
// reference: a completed task's memory is reused at once, and a thread that follows the name
// notices (runtime/core/dependences/successors.h).
#pragma once

#include <cstddef>
#include <cstdint>

#include "runtime/core/dependences/task_set.h"
#include "runtime/core/memory/address_hash.h"

namespace loomp::core {

/// A lock that the tasks of one mutexinoutset hold while they run
/// (runtime/core/dependences/exclusion.h).
class Exclusion;
class PersistentGraphs;

/// A clause for which the owner has waited, in the compiler's layout and on the owner's stack.
struct AwaitedClause {
    std::int32_t count = 0;
    std::int32_t more_count = 0;
    const void *items = nullptr;
    const void *more = nullptr;
};

/// Table from address to accesses. Open addressing with linear probing; an entry of another
/// generation is empty, so clearing costs O(1).
///
/// It is bounded by the tasks that live at once, not by the addresses ever named. If it is full
/// (half full: fuller ones need many more probes) and not small, entries that name completed tasks
/// only are forgotten; it grows when those are few. Enough is free afterwards that looking at the
/// whole table costs a few entries for each that is added.
class DependenceMap {
  public:
    DependenceMap();
    ~DependenceMap();
    DependenceMap(const DependenceMap &) = delete;
    DependenceMap &operator=(const DependenceMap &) = delete;

    /// One cache line.
    struct alignas(kCacheLine) Entry {
        const void *address;
        std::uint32_t seen_by;    ///< link number of the last task that named the address
        std::uint16_t generation; ///< differs from the map's: the entry is free
        Access kind;              ///< the kind of the tasks in `current`
        Access seen;              ///< strongest access by task `seen_by`
        TaskSet current;          ///< the last accesses, mutually unordered unless `inout`
        TaskSet previous;         ///< what each of them waits for
    };

    LOOMP_INLINE Entry &find(const void *address) {
        Entry &entry = entries_[hash_address(address) >> shift_];
        if (LOOMP_LIKELY(entry.address == address && entry.generation == generation_))
            return entry;
        return find_slow(address);
    }
    /// Forgets everything. All tasks it names have completed, or their order no longer matters.
    void clear();
    /// Addresses that it has an entry for.
    std::size_t size() const { return used_; }
    bool empty() const { return used_ == 0 && all_memory.empty(); }
    template <class F> void for_each(F f) {
        for (std::size_t i = 0; i <= mask_; ++i)
            if (entries_[i].generation == generation_)
                f(entries_[i]);
    }

    /// Numbers the tasks of this parent as they are linked; never 0.
    LOOMP_INLINE std::uint32_t next_link_number() {
        if (LOOMP_UNLIKELY(++link_number_ == 0))
            restart_link_numbers();
        return link_number_;
    }

    /// The lock shared by the mutexinoutset tasks now current at `entry`; when `fresh`, one that no
    /// other task has.
    Exclusion &exclusion_at(const Entry &entry, bool fresh);

    TaskSet all_memory; ///< the last omp_all_memory task, if any
    /// That of the undeferred task with an event which the owner is about to begin, if it has one.
    AwaitedClause awaited;
    PersistentGraphs *persistent =
        nullptr; ///< owned; of the same task (runtime/core/persistent/persistent.h)

  private:
    LOOMP_NOINLINE Entry &find_slow(const void *address);
    LOOMP_COLD void restart_link_numbers();
    LOOMP_NOINLINE void make_room();
    bool names_completed_only(Entry &entry) const;
    std::size_t forget_completed();
    void grow();
    void rehash();
    void next_generation();
    void swap_slots(std::size_t a, std::size_t b);
    std::size_t home_of(const void *address) const { return hash_address(address) >> shift_; }

    Entry *entries_;
    std::size_t mask_;
    std::size_t used_ = 0;
    std::uint32_t shift_;
    std::uint32_t link_number_ = 0;
    std::uint16_t generation_ = 1; ///< never 0
    /// One for each entry once there is any; it outlives the entry's use, for the next.
    Exclusion **exclusions_ = nullptr;
};
static_assert(sizeof(DependenceMap::Entry) == kCacheLine);

} // namespace loomp::core
