#include "runtime/target/in_flight_limit.h"

#include "platform/atomic.h"

#include "platform/locks_at_fork.h"
#include "platform/spinlock.h"
#include "runtime/core/environment/device_settings.h"
#include "runtime/core/scheduling/queueing.h"
#include "runtime/core/scheduling/run_again.h"
#include "runtime/core/scheduling/task_signal.h"
#include "runtime/core/task/task.h"

namespace loomp::target {

namespace {

/// Lives on the stack of a suspended task, or represents a task that has not begun.
struct Waiting {
    core::TaskSignal called;
    Waiting *next = nullptr;
};

core::SpinLock lock; ///< guards the following
int taken = 0;
Waiting *first_suspended = nullptr;
Waiting **last_suspended = &first_suspended;
/// Linked by `next`, which is otherwise unused between a task's start and its end.
core::Task *first_task = nullptr;
core::Task *last_task = nullptr;
Atomic<int> waiting_tasks{0}; ///< length of that list; read without the lock

const core::LocksAtFork at_fork([](core::LocksAtFork::Each each) { each(lock); },
                                [] {
                                    taken = 0;
                                    first_suspended = nullptr;
                                    last_suspended = &first_suspended;
                                    first_task = last_task = nullptr;
                                    waiting_tasks.store(0, std::memory_order_relaxed);
                                });

bool is_full() { return taken >= core::device_settings().device_operations; }

/// The caller holds the lock.
core::Task *take_first_task() {
    core::Task *task = first_task;
    if (task == nullptr)
        return nullptr;
    first_task = task->next;
    if (first_task == nullptr)
        last_task = nullptr;
    waiting_tasks.fetch_sub(1, std::memory_order_relaxed);
    return task;
}

/// The code of a task has returned. `ends` is 0 if may_begin() made it return.
void wait_for_place(void *data, int ends) {
    auto &task = *static_cast<core::Task *>(data);
    if (ends != 0)
        return;
    bool called = false;
    {
        const core::SpinGuard guard(lock);
        if (is_full()) {
            task.next = nullptr;
            if (last_task != nullptr)
                last_task->next = &task;
            else
                first_task = &task;
            last_task = &task;
            waiting_tasks.fetch_add(1, std::memory_order_relaxed);
        } else {
            called = true;
        }
    }
    if (called)
        core::make_ready_again(task);
}

} // namespace

bool may_begin(core::Task &task) {
    {
        const core::SpinGuard guard(lock);
        if (!is_full())
            return true;
    }
    if (!core::when_returned(wait_for_place, &task))
        return true; // its creator may wait for its end; so it waits for a place with its stack
    core::run_again();
    return false;
}

void pass_on() {
    if (waiting_tasks.load(std::memory_order_relaxed) == 0)
        return;
    core::Task *next = nullptr;
    {
        const core::SpinGuard guard(lock);
        if (!is_full())
            next = take_first_task();
    }
    if (next != nullptr)
        core::make_ready_again(*next);
}

void take_place() {
    Waiting waiting;
    {
        const core::SpinGuard guard(lock);
        if (!is_full()) {
            ++taken;
            return;
        }
        *last_suspended = &waiting;
        last_suspended = &waiting.next;
    }
    waiting.called.wait(); // the call passes the place to us
}

void give_place_back() {
    Waiting *suspended = nullptr;
    core::Task *task = nullptr;
    {
        const core::SpinGuard guard(lock);
        suspended = first_suspended;
        if (suspended != nullptr) {
            first_suspended = suspended->next;
            if (first_suspended == nullptr)
                last_suspended = &first_suspended;
        } else {
            --taken;
            task = take_first_task();
        }
    }
    if (suspended != nullptr)
        suspended->called.signal();
    else if (task != nullptr)
        core::make_ready_again(*task);
}

} // namespace loomp::target
