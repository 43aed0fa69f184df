#include "runtime/core/scheduling/suspend.h"

#include <utility>

#include "runtime/core/scheduling/completion.h"
#include "runtime/core/scheduling/enclosing.h"
#include "runtime/core/scheduling/queueing.h"
#include "runtime/core/scheduling/scheduler.h"
#include "runtime/core/scheduling/taking.h"
#include "runtime/core/scheduling/work_first.h"
#include "runtime/core/task/tool.h"
#include "runtime/core/team/team.h"
#include "runtime/core/worker/worker.h"

namespace loomp::core {

void make_resumable(Suspension &suspension) {
    LOOMP_ASSERT(suspension.task == nullptr || is_in(*suspension.task, TaskPhase::suspended));
    Team &team = *suspension.team;
    if (Member *member = suspension.resumes_at) {
        const std::uint32_t bit = member_bit(*member);
        member->resumable.push(suspension);
        // Members share wake bits modulo 32: all that match must look.
        team.event.notify(0x7fffffff, bit);
        notify_nested(*member);
    } else {
        Member &left = *suspension.left_member;
        team.resumable.push(suspension);
        team.event.notify_one();
        notify_nested(left);
    }
}

namespace {

/// Moves into `suspension` all by which the worker knows the running task, if there is one.
void save(Worker &worker, Suspension &suspension) {
    save_thread_state(worker, suspension.thread_state);
    if (LOOMP_LIKELY(worker.task != nullptr)) {
        note_modes(worker);
        transition(*worker.task, TaskPhase::running, TaskPhase::suspended);
        LOOMP_TOOL(task_suspend, *worker.task);
    }
    flush_completions(worker);
    suspension.task = worker.task;
    LOOMP_ASSERT(worker.completing_count == 0);
    LOOMP_ASSERT(worker.task == nullptr || !worker.task->has(kTied) || worker.tie != nullptr);
    suspension.tie = suspension.resumes_at = worker.tie;
    suspension.team = worker.member->team;
    suspension.stack = worker.stack;
    if (LOOMP_LIKELY(worker.stack != nullptr))
        worker.stack->left_by = &suspension;
    else
        worker.native_stack_left_by = &suspension;
    suspension.left_from = &worker;
    suspension.left_member = worker.member;
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
    if (LOOMP_LIKELY(suspension.task != nullptr)) {
        transition(*suspension.task, TaskPhase::suspended, TaskPhase::running);
        LOOMP_TOOL(task_resume, *suspension.task);
    }
    restore_thread_state(suspension.thread_state);
}

} // namespace

void suspend(Suspension &suspension, ArmFn arm, void *argument, Task *first) {
    Worker &worker = *Worker::current();
    save(worker, suspension);
    if (LOOMP_UNLIKELY(worker.stack != nullptr && !worker.stack->guarded))
        check_canary(*worker.stack);
    Stack *stack = take_stack(worker);
    if (LOOMP_UNLIKELY(stack == nullptr))
        stack = &stack_for_shortage(worker);
    void (*entry)(void *) = scheduling_loop;
    WorkFirstCall *call = nullptr;
    if (must_release_creator(worker)) {
        offer_next_task(*worker.member); // the creator continues, and may not look for long
        entry = release_creator;
        call = worker.stack->work_first_call;
        part_from_creator(*worker.stack);
    }
    worker.after = {arm, argument, &suspension, nullptr, first};
    worker.stack = stack;
    worker.task = nullptr;
    worker.tie = nullptr;
    switch_to_new(suspension.context, *stack, entry, call);
    restore(suspension);
}

void go_on_with(Stack &stack) {
    Worker &worker = *Worker::current();
    worker.after = {};
    worker.after.recycle = worker.stack;
    worker.stack = &stack;
    leave_to_new(stack, scheduling_loop);
}

bool would_idle() {
    const Worker *worker = Worker::current_or_null();
    if (worker == nullptr || anything_pending() || oversubscribed() || spin_limit(false) == 0 ||
        worker->back_off.impatient() || must_release_creator(*worker))
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
    Suspension self;
    self.looks_for_work = looks_for_work;
    save(worker, self);
    if (must_release_creator(worker))
        self.resumes_at = worker.member;
    worker.after = {arm_resumable, &self, &self, nullptr, nullptr};
    switch_to(self.context, other.context);
    restore(self);
}

void yield_to_enclosing(Suspension &other, Member &outer) {
    Worker &worker = *Worker::current();
    Member &member = *worker.member;
    Suspension self;
    self.looks_for_work = true;
    save(worker, self);
    self.resumes_at = &outer;
    self.team = outer.team;
    worker.member = &outer;
    worker.after = {arm_resumable, &self, &self, nullptr, nullptr};
    switch_to(self.context, other.context);
    // The thread is the same as before: the task was in the outer member's list.
    worker.member = &member;
    restore(self);
}

} // namespace loomp::core
