// Records that few tasks have, so that descriptors have no room for them; found by the task's
// address. They are spread over parts with a lock each, which is held for a few instructions.
//
// A part is a tree of its records: the hash of the task's address is the way down, two bits a step,
// and a record stands at the first free place on its way. So a step is one more for four times as
// many records (100,000 in the table: six), nothing is allocated, nothing grows or shrinks, and no
// operation ever moves many records while others wait for the lock.
//
// Invariant: each record is on its task's way, and has no gap above it.
// Owner of a record: who inserts it says. Thread safety: everything from any thread; what a record
// holds is changed under the lock of its part.
#pragma once

#include <algorithm>
#include <utility>

#include "core/base/address_hash.h"
#include "core/base/common.h"
#include "core/base/spinlock.h"

namespace loomp::core {

struct Task;

inline constexpr unsigned kTableWays = 4;

/// A record has `Task *task`, and `Record *further[kTableWays]`, which is the table's. A task has
/// one record at most.
template <class Record> class TaskTable {
  public:
    class alignas(kFalseSharing) Part {
      public:
        SpinLock lock; ///< for all of the following

        Record *find(const Task &task) const {
            Way way(task);
            Record *record = first_;
            while (record != nullptr && record->task != &task)
                record = record->further[way.next()];
            return record;
        }
        void insert(Record &record) {
            Way way(*record.task);
            Record **link = &first_;
            while (*link != nullptr)
                link = &(*link)->further[way.next()];
            for (Record *&further : record.further)
                further = nullptr;
            *link = &record;
        }
        void remove(Record &record) {
            Way way(*record.task);
            Record **link = &first_;
            while (*link != &record)
                link = &(*link)->further[way.next()];
            // Whatever is below has the same way down to here: one that has nothing below it itself
            // can take the place.
            Record **last = link;
            while (Record **next = used_link(**last))
                last = next;
            Record *heir = *last;
            *last = nullptr;
            if (heir == &record)
                return;
            for (unsigned i = 0; i < kTableWays; ++i)
                heir->further[i] = record.further[i];
            *link = heir;
        }

        template <class Keep> void keep_only(Keep keep) {
            keep_below(std::exchange(first_, nullptr), keep);
        }

      private:
        /// Of a tree that was taken out. The way of a record of the table is not long.
        template <class Keep> void keep_below(Record *record, Keep keep) {
            if (record == nullptr)
                return;
            Record *further[kTableWays];
            std::copy_n(record->further, kTableWays, further);
            if (keep(*record))
                insert(*record);
            for (Record *next : further)
                keep_below(next, keep);
        }
        static Record **used_link(Record &record) {
            for (Record *&further : record.further)
                if (further != nullptr)
                    return &further;
            return nullptr;
        }
        Record *first_ = nullptr;
    };

    void visit_locks(void (*each)(SpinLock &)) {
        for (Part &part : parts_)
            each(part.lock);
    }
    /// Forgets all records but those; by the only thread there is.
    template <class Keep> void keep_only(Keep keep) {
        for (Part &part : parts_)
            part.keep_only(keep);
    }

    Part &part_of(const Task &task) { return parts_[hash_address(&task) >> kShift]; }

  private:
    static constexpr unsigned kBits = 6;
    static constexpr unsigned kShift = 64 - kBits;

    /// The bits below those that choose the part. No two tasks have all in common: the hash of an
    /// address is another one's of none.
    class Way {
      public:
        explicit Way(const Task &task) : bits_(hash_address(&task) << kBits) {}
        unsigned next() {
            const auto way = static_cast<unsigned>(bits_ >> kWayShift);
            bits_ *= kTableWays;
            return way;
        }

      private:
        static constexpr unsigned kWayShift = 62;
        static_assert(kTableWays == 1u << (64 - kWayShift));
        std::uint64_t bits_;
    };

    Part parts_[1u << kBits];
};

} // namespace loomp::core
