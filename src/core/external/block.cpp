#include "core/external/block.h"

#include <cstdlib>
#include <new>

#include "core/base/diagnostics.h"
#include "core/base/locks_at_fork.h"
#include "core/scheduling/queueing.h"
#include "core/scheduling/suspend.h"
#include "core/task/task_table.h"
#include "core/worker/worker.h"

namespace loomp::core {

namespace {

enum class State {
    suspended, ///< the record lives on the task's stack
    ended,     ///< to be made ready; the record is the unblocker's to free
    unblocked  ///< before it blocked; the record is the task's to free
};

struct Blocked {
    Task *task;
    State state;
    Suspension suspension;
    Blocked *further[kTableWays] = {};
};

TaskTable<Blocked> table;
const LocksAtFork at_fork([](LocksAtFork::Each each) { table.visit_locks(each); });

Blocked &make_record(Task &task, State state) {
    void *memory = std::malloc(sizeof(Blocked));
    if (memory == nullptr)
        fatal("out of memory: a task that is blocked");
    return *new (memory) Blocked{&task, state, {}};
}

/// Whether the task was unblocked before; that is used up. With the part's lock held.
bool take_unblocking(TaskTable<Blocked>::Part &part, const Task &task) {
    Blocked *record = part.find(task);
    if (record == nullptr)
        return false;
    part.remove(*record);
    std::free(record);
    return true;
}

bool arm(void *argument) {
    auto &self = *static_cast<Blocked *>(argument);
    auto &part = table.part_of(*self.task);
    const SpinGuard guard(part.lock);
    if (take_unblocking(part, *self.task))
        return false;
    part.insert(self);
    return true;
}

} // namespace

void block_running_task() {
    Task &task = *Worker::current()->task;
    auto &part = table.part_of(task);
    {
        const SpinGuard guard(part.lock);
        if (take_unblocking(part, task))
            return;
    }
    Blocked blocked{&task, State::suspended, {}};
    suspend(blocked.suspension, arm, &blocked);
}

bool unblock_task(Task &task) {
    auto &part = table.part_of(task);
    // Made before it is known to be needed: nothing is allocated under a spin lock.
    Blocked *made = nullptr;
    for (;;) {
        Blocked *record;
        {
            const SpinGuard guard(part.lock);
            record = part.find(task);
            if (record == nullptr && made != nullptr) {
                part.insert(*made);
                return true;
            }
            if (record != nullptr && record->state == State::unblocked) {
                std::free(made);
                return false;
            }
            if (record != nullptr)
                part.remove(*record);
        }
        if (record == nullptr) {
            made = &make_record(task, State::unblocked);
            continue;
        }
        std::free(made);
        if (record->state == State::suspended) {
            make_resumable(record->suspension);
        } else {
            std::free(record);
            enqueue_from_outside(task);
        }
        return true;
    }
}

void ready_when_unblocked(Task &task) {
    Blocked &record = make_record(task, State::ended);
    auto &part = table.part_of(task);
    {
        const SpinGuard guard(part.lock);
        if (!take_unblocking(part, task)) {
            part.insert(record);
            return;
        }
    }
    std::free(&record);
    enqueue_from_outside(task);
}

void forget_blocked_after_fork() {
    const Worker *self = Worker::current_or_null();
    table.keep_only([self](const Blocked &record) {
        return record.state != State::suspended || record.suspension.left_from == self;
    });
}

} // namespace loomp::core
