#include "runtime/alpi/task_record.h"

#include <cstdlib>
#include <new>

#include "runtime/alpi/alpi_diagnostics.h"

namespace loomp::alpi {

namespace {

TaskTable<Record> table;

void lock_all() {
    table.visit_locks([](SystemMutex &lock) { lock.lock(); });
}
void unlock_all() {
    table.visit_locks([](SystemMutex &lock) { lock.unlock(); });
}

/// The child of fork() keeps only the calling thread's blocked tasks.
void in_child() {
    unlock_all();
    table.keep_only([](const Record &record) {
        return record.blocked == nullptr || record.thread == this_thread();
    });
}

[[maybe_unused]] const int watches_forks = handle_forks(lock_all, unlock_all, in_child);

} // namespace

LockedRecord::LockedRecord(alpi_task *task)
    : part_(table.part_of(task)), guard_(part_.lock), record_(part_.find(task)) {}

LockedRecord::LockedRecord(alpi_task *task, const char *what) : LockedRecord(task) {
    if (record_ != nullptr)
        return;
    void *memory = std::malloc(sizeof(Record));
    if (memory == nullptr)
        fatal("out of memory: ", what);
    record_ = new (memory) Record(task);
    part_.insert(*record_);
}

LockedRecord::~LockedRecord() {
    if (record_ == nullptr || record_->is_used())
        return;
    part_.remove(*record_);
    std::free(record_);
}

} // namespace loomp::alpi
