// ALPI's state of a task beyond its handle, as long as there is any.
//
// Owner of a record: the table, which drops it when no part of it is used any more. Thread safety:
// any thread; a record is read and changed while its LockedRecord lives.
#pragma once

#include <cstdint>
#include <utility>

#include "loomp/alpi.h"
#include "loomp/loomp.h"
#include "platform/system_mutex.h"
#include "platform/threads.h"
#include "runtime/alpi/openmp_calls.h"
#include "runtime/alpi/task_table.h"
#include "runtime/alpi/timer.h"

namespace loomp::alpi {

struct Record : Timer {
    explicit Record(alpi_task *owner) : task(owner) {}

    alpi_task *task;
    Record *next = nullptr; ///< the table owns it

    bool unblocked = false;                ///< before it blocked
    loomp_suspension_t *blocked = nullptr; ///< it is, on its stack, which `thread` left
    ThreadHandle thread = {};

    std::uint64_t events = 0;
    /// `held` or `child` keeps the task from completing while it has events; the initial task has
    /// neither.
    loomp_held_task_t *held = nullptr; ///< for an explicit task
    omp_event_handle_t child = {};     ///< for an implicit task: the region's end waits for it

    bool tells_return = false; ///< loomp_when_returned() reports the return of its code
    alpi_suspend_mode_t mode = ALPI_SUSPEND_NONE;
    std::uint64_t mode_args = 0;
    bool waits_for_unblock = false; ///< its code has returned
    bool waits_for_events = false;  ///< its code has returned

    bool is_used() const { return unblocked || blocked != nullptr || events != 0 || tells_return; }
};

/// Locks the task's record until the end of the scope.
class LockedRecord {
  public:
    /// The record is null if the task has none.
    explicit LockedRecord(alpi_task *task);
    /// Creates the record if the task has none; the program ends if there is no memory for `what`.
    LockedRecord(alpi_task *task, const char *what);
    ~LockedRecord();
    LockedRecord(const LockedRecord &) = delete;
    LockedRecord &operator=(const LockedRecord &) = delete;

    explicit operator bool() const { return record_ != nullptr; }
    Record *operator->() const { return record_; }
    Record &operator*() const { return *record_; }

  private:
    TaskTable<Record>::Part &part_;
    std::unique_lock<SystemMutex> guard_;
    Record *record_;
};

} // namespace loomp::alpi
