#include "core/suspend.h"

#include <sched.h>
#include <utility>

#include "core/completion.h"
#include "core/immediate.h"
#include "core/scheduler.h"
#include "core/team.h"
#include "core/tool.h"
#include "core/worker.h"

namespace loomp::core {

void ResumeList::push(Suspension &suspension) {
    const SpinGuard guard(lock_);
    suspension.next = nullptr;
    if (first_.load(std::memory_order_relaxed) == nullptr)
        // release: who finds the list non-empty without the lock may go on to read the entry.
        first_.store(&suspension, std::memory_order_release);
    else
        last_->next = &suspension;
    last_ = &suspension;
}

Suspension *ResumeList::pop_slow() {
    const SpinGuard guard(lock_);
    Suspension *suspension = first_.load(std::memory_order_relaxed);
    if (suspension != nullptr)
        first_.store(suspension->next, std::memory_order_release);
    return suspension;
}

bool ResumeList::holds_work_slow() {
    const SpinGuard guard(lock_);
    const Suspension *suspension = first_.load(std::memory_order_relaxed);
    while (suspension != nullptr && suspension->looks_for_work)
        suspension = suspension->next;
    return suspension != nullptr;
}

void SharedTaskList::push(Task &task) {
    const SpinGuard guard(lock_);
    task.next = nullptr;
    if (first_.load(std::memory_order_relaxed) == nullptr)
        first_.store(&task, std::memory_order_release);
    else
        last_->next = &task;
    last_ = &task;
}

Task *SharedTaskList::pop_slow() {
    const SpinGuard guard(lock_);
    Task *task = first_.load(std::memory_order_relaxed);
    if (task != nullptr)
        first_.store(task->next, std::memory_order_release);
    return task;
}

void make_resumable(Suspension &suspension) {
    if (suspension.in_place) {
        // release: what was awaited is visible to the task.
        suspension.resumed_in_place.store(true, std::memory_order_release);
        return;
    }
    Team &team = *suspension.team;
    if (Member *tie = suspension.tie) {
        const std::uint32_t bit = member_bit(*tie);
        tie->resumable.push(suspension);
        // Members share wake bits modulo 32: all that match must look.
        team.event.notify(0x7fffffff, bit);
    } else {
        team.resumable.push(suspension);
        team.event.notify_one();
    }
}

namespace {

/// Puts `suspension` in charge of everything that identifies the running task.
void save(Worker &worker, Suspension &suspension) {
    LOOMP_TOOL(task_suspend, *worker.task);
    flush_completions(worker);
    suspension.task = worker.task;
    suspension.tie = worker.tie;
    suspension.team = worker.member->team;
    suspension.stack = worker.stack;
    suspension.left_from = &worker;
    worker.suspended_here.fetch_add(1, std::memory_order_relaxed);
    ++worker.discovery.suspensions;
}

/// Back on the suspended stack, perhaps on another thread.
LOOMP_NOINLINE void restore(Suspension &suspension) {
    Worker &worker = *Worker::current();
    worker.task = suspension.task;
    worker.tie = suspension.tie;
    worker.stack = suspension.stack;
    suspension.left_from->suspended_here.fetch_sub(1, std::memory_order_relaxed);
    const AfterSwitch after = worker.after;
    worker.after = {};
    if (after.recycle != nullptr)
        release_stack(after.recycle);
    // The one who left directly for us has its own arming to be done.
    if (after.arm != nullptr && !after.arm(after.argument))
        make_resumable(*after.suspended);
    LOOMP_TOOL(task_resume, *suspension.task);
}

/// No stack to be had: the task waits where it is. Only tasks that the waiting one waits for, its
/// descendants, may run on top of it.
LOOMP_NOINLINE void wait_in_place(Suspension &suspension, ArmFn arm, void *argument, Task *first) {
    suspension.in_place = true;
    if (first != nullptr)
        make_ready(*first);
    if (!arm(argument))
        return;
    while (!suspension.resumed_in_place.load(std::memory_order_acquire)) {
        Worker &worker = *Worker::current();
        Task *task = take_own_task(*worker.member);
        if (task == nullptr) {
            sched_yield();
            continue;
        }
        Task *ancestor = task->parent;
        while (ancestor != nullptr && ancestor != suspension.task && !ancestor->has(kImplicit))
            ancestor = ancestor->parent;
        if (ancestor == suspension.task) {
            execute(*task);
            flush_completions(*Worker::current());
        } else {
            worker.member->team->inbox.push(*task);
            sched_yield();
        }
    }
}

} // namespace

void suspend(Suspension &suspension, ArmFn arm, void *argument, Task *first) {
    Worker &worker = *Worker::current();
    save(worker, suspension);
    Stack *stack = acquire_stack();
    if (LOOMP_UNLIKELY(stack == nullptr)) {
        wait_in_place(suspension, arm, argument, first);
        worker.suspended_here.fetch_sub(1, std::memory_order_relaxed);
        LOOMP_TOOL(task_resume, *suspension.task);
        return;
    }
    void (*entry)(void *) = scheduling_loop;
    ImmediateCall *call = nullptr;
    if (must_release_creator(worker)) {
        entry = release_creator;
        call = std::exchange(worker.stack->immediate, nullptr);
    }
    worker.after = {arm, argument, &suspension, nullptr, first};
    worker.stack = stack;
    worker.task = nullptr;
    worker.tie = nullptr;
    switch_to_new(suspension.context, *stack, entry, call);
    restore(suspension);
}

bool would_idle() {
    const Worker *worker = Worker::current_or_null();
    if (worker == nullptr || anything_pending() || oversubscribed() || spin_limit() == 0 ||
        must_release_creator(*worker))
        return false;
    Member &member = *worker->member;
    return member.throttled == nullptr && !member.resumable.holds_work() &&
           !member.team->resumable.holds_work() && !tasks_visible(member);
}

namespace {

bool arm_resumable(void *suspension) {
    make_resumable(*static_cast<Suspension *>(suspension));
    return true;
}

} // namespace

void yield(Task *first) {
    Suspension self;
    suspend(self, arm_resumable, &self, first);
}

void yield_to(Suspension &other, bool looks_for_work) {
    Worker &worker = *Worker::current();
    offer_next_task(*worker.member);
    if (must_release_creator(worker)) {
        make_resumable(other);
        yield(nullptr);
        return;
    }
    Suspension self;
    self.looks_for_work = looks_for_work;
    save(worker, self);
    worker.after = {arm_resumable, &self, &self, nullptr, nullptr};
    switch_to(self.context, other.context);
    restore(self);
}

} // namespace loomp::core
