// Records of tasks, found by the task's handle, an address. They are spread over parts with a lock
// each, which is held for a few instructions. The hash of the address selects the part and a list
// in it: with 100,000 records, a list has three. Operations allocate nothing and move no other
// records while threads wait for the lock.
//
// Owner of a record: decided by the thread that inserts it. Thread safety: everything from any
// thread; a record is changed under the lock of its part.
#pragma once

#include <cstdint>

#include "platform/system_mutex.h"

struct alpi_task;

namespace loomp::alpi {

/// A record has `alpi_task *task`, and `Record *next`, which belongs to the table. A task has at
/// most one record.
template <class Record> class TaskTable {
  public:
    class alignas(128) Part {
      public:
        SystemMutex lock; ///< guards all the following members

        Record *find(const alpi_task *task) { return *link_to(task); }
        void insert(Record &record) {
            record.next = nullptr;
            *link_to(record.task) = &record;
        }
        void remove(Record &record) { *link_to(record.task) = record.next; }

        template <class Keep> void keep_only(Keep keep) {
            for (Record *&list : lists_)
                for (Record **link = &list; *link != nullptr;)
                    if (keep(**link))
                        link = &(*link)->next;
                    else
                        *link = (*link)->next;
        }

      private:
        /// Returns the link to the task's record, or the end of its list. The hash's low bits
        /// select the part, the next ones the list.
        Record **link_to(const alpi_task *task) {
            Record **link = &lists_[(hash(task) << kBits) >> (64 - kListBits)];
            while (*link != nullptr && (*link)->task != task)
                link = &(*link)->next;
            return link;
        }

        static constexpr unsigned kListBits = 10;
        Record *lists_[1u << kListBits] = {};
    };

    template <class Each> void visit_locks(Each each) {
        for (Part &part : parts_)
            each(part.lock);
    }
    /// Forgets all records except those for which `keep` returns true; called while only one thread
    /// exists.
    template <class Keep> void keep_only(Keep keep) {
        for (Part &part : parts_)
            part.keep_only(keep);
    }

    Part &part_of(const alpi_task *task) { return parts_[hash(task) >> (64 - kBits)]; }

  private:
    static std::uint64_t hash(const void *address) {
        std::uint64_t bits = reinterpret_cast<std::uintptr_t>(address) * 0x9E3779B97F4A7C15ull;
        bits ^= bits >> 32;
        return bits * 0xD6E8FEB86659FD93ull;
    }

    static constexpr unsigned kBits = 5;
    Part parts_[1u << kBits];
};

} // namespace loomp::alpi
