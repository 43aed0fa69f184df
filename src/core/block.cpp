#include "core/block.h"

#include <cstdlib>
#include <new>

#include "core/message.h"
#include "core/scheduler.h"
#include "core/suspend.h"
#include "core/task_table.h"

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
    Blocked *next = nullptr;
};

TaskTable<Blocked> table;

Blocked &make_record(Task &task, State state) {
    void *memory = std::malloc(sizeof(Blocked));
    if (memory == nullptr)
        fatal("out of memory: a task that is blocked");
    return *new (memory) Blocked{&task, state, {}, nullptr};
}

/// Whether the task was unblocked before; that is used up. With the list's lock held.
bool take_unblocking(TaskTable<Blocked>::List &list, const Task &task) {
    Blocked *record = list.find(task);
    if (record == nullptr)
        return false;
    list.remove(*record);
    std::free(record);
    return true;
}

bool arm(void *argument) {
    auto &self = *static_cast<Blocked *>(argument);
    auto &list = table.list_of(*self.task);
    const SpinGuard guard(list.lock);
    if (take_unblocking(list, *self.task))
        return false;
    list.insert(self);
    return true;
}

} // namespace

void block_running_task() {
    Task &task = *Worker::current()->task;
    auto &list = table.list_of(task);
    {
        const SpinGuard guard(list.lock);
        if (take_unblocking(list, task))
            return;
    }
    Blocked blocked{&task, State::suspended, {}, nullptr};
    suspend(blocked.suspension, arm, &blocked);
}

bool unblock_task(Task &task) {
    auto &list = table.list_of(task);
    // Made before it is known to be needed: nothing is allocated under a spin lock.
    Blocked *made = nullptr;
    for (;;) {
        Blocked *record;
        {
            const SpinGuard guard(list.lock);
            record = list.find(task);
            if (record == nullptr && made != nullptr) {
                list.insert(*made);
                return true;
            }
            if (record != nullptr && record->state == State::unblocked) {
                std::free(made);
                return false;
            }
            if (record != nullptr)
                list.remove(*record);
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
    auto &list = table.list_of(task);
    {
        const SpinGuard guard(list.lock);
        if (!take_unblocking(list, task)) {
            list.insert(record);
            return;
        }
    }
    std::free(&record);
    enqueue_from_outside(task);
}

} // namespace loomp::core
