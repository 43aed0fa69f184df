#include "runtime/core/scheduling/switching.h"

#include <utility>

#include "runtime/core/scheduling/completion.h"
#include "runtime/core/scheduling/enclosing.h"
#include "runtime/core/scheduling/resume.h"
#include "runtime/core/suspension/call_on_stack.h"
#include "runtime/core/suspension/fiber.h"
#include "runtime/core/suspension/stack.h"
#include "runtime/core/task/tool.h"

namespace loomp::core {

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

Arrival arrive(Worker &worker) {
    const AfterSwitch after = std::exchange(worker.after, AfterSwitch{});
    if (after.recycle != nullptr)
        release_stack(after.recycle);
    const bool waits = after.arm == nullptr || after.arm(after.argument);
    return {waits ? nullptr : after.suspended, after.first};
}

void restore(Suspension &suspension) {
    Worker &worker = *Worker::current();
    worker.task = suspension.task;
    worker.tie = suspension.tie;
    worker.stack = suspension.stack;
    suspension.left_from->suspended_here.fetch_sub(1, std::memory_order_relaxed);
    const Arrival arrival = arrive(worker);
    LOOMP_ASSERT(arrival.first == nullptr);
    if (arrival.continues != nullptr)
        make_resumable(*arrival.continues);
    if (LOOMP_LIKELY(suspension.task != nullptr)) {
        transition(*suspension.task, TaskPhase::suspended, TaskPhase::running);
        LOOMP_TOOL(task_resume, *suspension.task);
    }
    restore_thread_state(suspension.thread_state);
}

namespace {

/// Nothing of the left stack is in use when the worker arrives.
void abandon_stack(Worker &worker) {
    flush_completions(worker);
    worker.after = {.recycle = worker.stack};
}

bool arm_resumable(void *suspension) {
    make_resumable(*static_cast<Suspension *>(suspension));
    return true;
}

/// Continues `other`, and leaves the saved frames resumable.
LOOMP_MAY_SWITCH void switch_resumably(Worker &worker, Suspension &self, Suspension &other) {
    worker.after = {.arm = arm_resumable, .argument = &self, .suspended = &self};
    switch_to(self.context, other.context);
}

} // namespace

void leave_for(Suspension &suspension) {
    Worker &worker = *Worker::current();
    offer_next_task(*worker.member);
    abandon_stack(worker);
    leave_to(suspension.context);
}

void leave_for_new(Stack &stack, void (*entry)(void *)) {
    Worker &worker = *Worker::current();
    abandon_stack(worker);
    worker.stack = &stack;
    leave_to_new(stack, entry);
}

void yield_to(Suspension &other, bool looks_for_work) {
    Worker &worker = *Worker::current();
    offer_next_task(*worker.member);
    Suspension self;
    self.looks_for_work = looks_for_work;
    save(worker, self);
    if (must_release_creator(worker))
        self.resumes_at = worker.member;
    switch_resumably(worker, self, other);
    restore(self);
}

namespace {

/// Yields for a thread that looks for work, whether or not on top of a task: it continues `other`
/// as `outer`, its member in an enclosing team, and is continued by that as what it is now.
LOOMP_STAYS void yield_to_enclosing(Worker &worker, Member &member, Suspension &other,
                                    Member &outer) {
    Suspension self;
    self.looks_for_work = true;
    save(worker, self);
    self.resumes_at = &outer;
    self.team = outer.team;
    worker.member = &outer;
    switch_resumably(worker, self, other);
    // The thread is the same as before: the task was in the outer member's list.
    worker.member = &member;
    restore(self);
}

} // namespace

bool let_enclosing_go_first(Worker &worker, Member &member) {
    if (!enclosing_goes_first(worker, member))
        return false;
    Member *outer = enclosing::holder_may_go_on(member);
    if (outer == nullptr)
        return false;
    // Also a throttled creator, however long its queue is: no one here runs that.
    Suspension *other = std::exchange(outer->throttled, nullptr);
    if (other == nullptr) {
        // Loops that look for work, such as this one, go round for ever in the member's list.
        ResumeList &own = outer->resumable;
        other = own.holds_work() ? own.pop() : outer->team->resumable.pop();
        if (other == nullptr)
            return false;
    }
    yield_to_enclosing(worker, member, *other, *outer);
    // The thread may have begun other regions there.
    for (Member *in = &member; in != outer; in = in->team->parent)
        in->team->parent->nested = in->team;
    return true;
}

unsigned depth_of(const Stack *stack) {
    unsigned depth = 0;
    for (; stack != nullptr && stack->work_first_call != nullptr;
         stack = stack->work_first_call->creator_stack)
        ++depth;
    return depth + (stack != nullptr ? stack->depth : 0);
}

bool must_release_creator(const Worker &worker) {
    // In a region nested in the task the worker belongs to the region until its end.
    return worker.stack != nullptr && worker.stack->work_first_call != nullptr &&
           worker.stack->work_first_call->member == worker.member;
}

WorkFirstCall *part_from_creator(Worker &worker) {
    Stack &stack = *worker.stack;
    stack.depth = depth_of(&stack);
    return std::exchange(stack.work_first_call, nullptr);
}

void release_creator(void *argument) {
    auto &call = *static_cast<WorkFirstCall *>(argument);
    Worker &worker = *Worker::current();
    worker.after.recycle = worker.stack;
    worker.task = call.creator;
    worker.tie = call.creator_tie;
    worker.stack = call.creator_stack;
    call.creator_modes.adopt();
    loomp_continue_caller(call.continuation);
}

} // namespace loomp::core
