// What few tasks have, and descriptors therefore have no room for: records, found by the task's
// address. Spread over lists with a lock each, which is held for a few instructions.
//
// Owner of a record: who inserts it says. Thread safety: everything from any thread; what a record
// holds is changed under the lock of its list.
#pragma once

#include <atomic>

#include "core/address_hash.h"
#include "core/common.h"
#include "core/spinlock.h"

namespace loomp::core {

struct Task;

/// A record has `const Task *task` and `Record *next`.
template <class Record> class TaskTable {
  public:
    struct alignas(kCacheLine) List {
        SpinLock lock; ///< for all of the following
        Record *first = nullptr;

        Record *find(const Task &task) const {
            Record *record = first;
            while (record != nullptr && record->task != &task)
                record = record->next;
            return record;
        }
        void insert(Record &record) {
            record.next = first;
            first = &record;
        }
        void remove(const Record &record) {
            Record **link = &first;
            while (*link != &record)
                link = &(*link)->next;
            *link = record.next;
        }
    };

    List &list_of(const Task &task) { return lists_[hash_address(&task) >> kShift]; }

  private:
    static constexpr unsigned kBits = 6;
    static constexpr unsigned kShift = 64 - kBits;
    List lists_[1u << kBits];
};

} // namespace loomp::core
