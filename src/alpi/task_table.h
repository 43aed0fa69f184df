// Records of what ALPI knows of a task beyond its handle, found by that handle, an address. They
// are spread over parts with a lock each, which is held for a few instructions.
//
// A part is a tree of its records: the hash of the task's address is the way down, three bits a
// step, and a record stands at the first free place on its way. So a step is one more for eight
// times as many records (100,000 in the table: five), nothing is allocated, nothing grows or
// shrinks, and no operation ever moves many records while others wait for the lock.
//
// Invariant: each record is on its task's way, and has no gap above it.
// Owner of a record: who inserts it says. Thread safety: everything from any thread; what a record
// holds is changed under the lock of its part.
#pragma once

#include <algorithm>
#include <cstdint>
#include <mutex>
#include <utility>

struct alpi_task;

namespace loomp::alpi {

inline constexpr unsigned kTableWays = 8;

/// A record has `alpi_task *task`, and `Record *further[kTableWays]`, which is the table's. A task
/// has one record at most.
template <class Record> class TaskTable {
  public:
    class alignas(128) Part {
      public:
        std::mutex lock; ///< for all of the following

        Record *find(const alpi_task *task) const {
            Way way(task);
            Record *record = first_;
            while (record != nullptr && record->task != task)
                record = record->further[way.next()];
            return record;
        }
        void insert(Record &record) {
            Way way(record.task);
            Record **link = &first_;
            while (*link != nullptr)
                link = &(*link)->further[way.next()];
            for (Record *&further : record.further)
                further = nullptr;
            *link = &record;
        }
        void remove(Record &record) {
            Way way(record.task);
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
        /// Inserts what is kept of a tree that was taken out. A record's way is not long.
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

    template <class Each> void visit_locks(Each each) {
        for (Part &part : parts_)
            each(part.lock);
    }
    /// Forgets all records but those; by the only thread there is.
    template <class Keep> void keep_only(Keep keep) {
        for (Part &part : parts_)
            part.keep_only(keep);
    }

    Part &part_of(const alpi_task *task) { return parts_[hash(task) >> kShift]; }

  private:
    static std::uint64_t hash(const void *address) {
        std::uint64_t bits = reinterpret_cast<std::uintptr_t>(address) * 0x9E3779B97F4A7C15ull;
        bits ^= bits >> 32;
        return bits * 0xD6E8FEB86659FD93ull;
    }

    static constexpr unsigned kBits = 5;
    static constexpr unsigned kShift = 64 - kBits;

    /// The bits below those that choose the part. No two tasks have all in common: the hash of an
    /// address is another one's of none.
    class Way {
      public:
        explicit Way(const alpi_task *task) : bits_(hash(task) << kBits) {}
        unsigned next() {
            const auto way = static_cast<unsigned>(bits_ >> kWayShift);
            bits_ *= kTableWays;
            return way;
        }

      private:
        static constexpr unsigned kWayShift = 61;
        static_assert(kTableWays == 1u << (64 - kWayShift));
        std::uint64_t bits_;
    };

    Part parts_[1u << kBits];
};

} // namespace loomp::alpi
