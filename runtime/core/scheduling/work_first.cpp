#include "runtime/core/scheduling/work_first.h"

#include <algorithm>
#include <utility>

#include "platform/clock.h"
#include "platform/threads.h"
#include "runtime/core/dependences/linking.h"
#include "runtime/core/progress/outside_waits.h"
#include "runtime/core/progress/poller.h"
#include "runtime/core/scheduling/completion.h"
#include "runtime/core/scheduling/priority.h"
#include "runtime/core/scheduling/queueing.h"
#include "runtime/core/scheduling/resume.h"
#include "runtime/core/scheduling/running.h"
#include "runtime/core/scheduling/scheduler.h"
#include "runtime/core/scheduling/switching.h"
#include "runtime/core/scheduling/taskgroup.h"
#include "runtime/core/scheduling/throttle.h"
#include "runtime/core/scheduling/transparent.h"
#include "runtime/core/suspension/call_on_stack.h"
#include "runtime/core/suspension/stack.h"
#include "runtime/core/worker/worker.h"

namespace loomp::core {

bool work_first_possible = false;

namespace {

/// Each level occupies a stack; deeper tasks are queued, and mostly run where they are awaited.
constexpr unsigned kMaxDepth = 32;

/// The body has returned, but the task has waited before: its creator has gone on, and there is
/// nothing to return to.
LOOMP_MAY_SWITCH LOOMP_ABANDONS_STACK void finish_without_creator(Worker &worker, Task &task) {
    LOOMP_TOOL(task_end, task, status_at_end(task), nullptr);
    worker.task = nullptr;
    worker.tie = nullptr;
    completion::finish(worker, task, Completion::and_next_task);
    schedule_for_ever();
}

/// Returns whether the creator of the task at the bottom of the worker's stack has gone on. It
/// never does from below a task that runs on top of it, on the thread's own stack.
LOOMP_INLINE bool creator_has_gone_on(const Worker &worker) {
    return worker.stack != nullptr && worker.stack->work_first_call == nullptr;
}

/// Bottom frame of the task's stack, or the task's first one on top of its creator.
LOOMP_MAY_SWITCH void run_on_stack(void *argument) {
    Task &task = *static_cast<Task *>(argument);
    task.flags |= kStarted;
    task.invoke(task);
    Worker &worker = *Worker::current();
    if (LOOMP_UNLIKELY(creator_has_gone_on(worker)))
        finish_without_creator(worker, task);
}

/// Whether the task is complete when its body has returned, its descriptor as it was allocated but
/// for its flags.
LOOMP_INLINE bool is_complete(const Task &task) {
    constexpr TaskFlags unusual = kRequeue | kDetachable | kCleanup | kExclusive | kExports |
                                  kHasDependences | kOwnsIcvs | kPropagates;
    return (task.flags & unusual) == 0 && task.map == nullptr && completion::is_leaf(task);
}

struct SeriesCall {
    TaskSeries &series; ///< the creator's: not to be touched when it has gone on
    Task &task;
    std::uint64_t stop;
};

/// run_on_stack() for a series.
LOOMP_MAY_SWITCH void run_series_on_stack(void *argument) {
    const SeriesCall &call = *static_cast<SeriesCall *>(argument);
    Task &task = call.task;
    const TaskFlags flags = task.flags;
    for (;;) {
        task.flags = flags | kStarted;
        task.invoke(task);
        Worker &worker = *Worker::current();
        if (LOOMP_UNLIKELY(creator_has_gone_on(worker)))
            finish_without_creator(worker, task);
        if (call.series.next >= call.stop || LOOMP_UNLIKELY(!is_complete(task)) ||
            anything_cancelled(*task.team))
            return;
        ++worker.discovery.tasks;
        task.flags = flags;
        call.series.fill(call.series, task);
    }
}

/// Whether tasks created where the worker is are not to be run at once, each on a further stack.
/// The chain below a stack stays while it is in use, so what was found of it holds for all of them.
bool is_deep(Worker &worker) {
    if (worker.stack == nullptr)
        return false;
    if (worker.stack != worker.deep_stack) {
        if (depth_of(worker.stack) < kMaxDepth)
            return false;
        worker.deep_stack = worker.stack;
    }
    return true;
}

/// Gets the worker a spare stack, unless tasks are deep enough or there can be no more.
LOOMP_NOINLINE Stack *get_spare_stack(Worker &worker) {
    if (is_deep(worker))
        return nullptr;
    Stack *stack = acquire_stack();
    if (stack != nullptr)
        stack->next = nullptr;
    worker.spare_stacks = stack;
    return stack;
}

/// From now on the task is one of its parent's children, in the order of their dependences. Those
/// before it that it depends on have completed.
void enter(Task &task, const Dependence *dependences, std::size_t count) {
    count_task(task);
    if (count == 0)
        return;
    expect_tasks(*task.team);
    if (LOOMP_UNLIKELY(task.has(kTransparent)))
        return enter_begun_transparent(task, dependences, count);
    task.flags |= kHasDependences;
    (void)link_dependences(task, dependences, count);
}

/// The task waits; its creator, back on its own stack, counts it like any other before others can
/// learn of it.
LOOMP_NOINLINE void go_on_without(Task &task, const Dependence *dependences, std::size_t count) {
    Worker &worker = *Worker::current();
    enter(task, dependences, count);
    LOOMP_TOOL(task_resume, *worker.task);
    const Arrival arrival = arrive(worker);
    if (arrival.continues != nullptr)
        make_resumable(*arrival.continues);
    if (arrival.first != nullptr)
        queue_ready(*arrival.first);
}

/// The body has returned, but the task is not a leaf that is complete by that.
LOOMP_NOINLINE void finish_slow(Worker &worker, Task &task, const Dependence *dependences,
                                std::size_t count) {
    LOOMP_TOOL(task_end, task, status_at_end(task), worker.task);
    // Later siblings have to wait for one that is not complete by this, and for the children of a
    // transparent one.
    if (LOOMP_UNLIKELY((task.flags & (kRequeue | kDetachable)) != 0 ||
                       (task.has(kTransparent) && !completion::is_leaf(task)))) {
        enter(task, dependences, count);
        completion::finish(worker, task, Completion::and_go_on);
        return;
    }
    completion::finish(worker, task, Completion::uncounted);
}

/// Suspended tasks may have waited for a creator that never waits itself. If there is something to
/// poll for, the looks are to be some 20 us apart, or a task if that takes longer.
LOOMP_MAY_SWITCH LOOMP_NOINLINE void look_up(Member &member) {
    constexpr std::uint64_t kApart = 20'000;
    if (pollers_registered()) {
        const std::uint64_t now = nanoseconds();
        const std::uint64_t since = now - std::exchange(member.last_look, now);
        if (since > kApart)
            member.inline_budget.poll_after_each();
        else if (since < kApart / 4)
            member.inline_budget.poll_half_as_often();
    }
    let_resumable_go_first(member, false);
}

/// If the task, which is known to nobody, is to be discarded and none of the program's code has to
/// be run for that, it has been: a cancelled taskgroup may create tasks for long.
LOOMP_MAY_SWITCH_IF_TRUE LOOMP_NOINLINE bool discard_now(Task &task) {
    constexpr TaskFlags unfit = kCleanup | kRedirect | kFusible | kPlaced;
    if (!discards(task) || (task.flags & unfit) != 0)
        return false;
    run_undeferred(task);
    return true;
}

/// A task on top of its creator finds at least half of the thread's stack.
LOOMP_NOINLINE void find_room_on_top(Worker &worker) {
    const StackBounds bounds = bounds_of_this_stack();
    // Without bounds, none runs there.
    worker.lowest_on_top = bounds.size == 0 ? reinterpret_cast<const char *>(UINTPTR_MAX)
                                            : bounds.lowest + bounds.size / 2;
}

LOOMP_INLINE bool has_room_on_top(Worker &worker) {
    if (LOOMP_UNLIKELY(worker.lowest_on_top == nullptr))
        find_room_on_top(worker);
    return static_cast<const char *>(__builtin_frame_address(0)) > worker.lowest_on_top;
}

/// Calls `bottom` on `stack`, a spare one, or on top of the creator if it is null. `cleans_up`: the
/// task is discarded. Returns false if the creator goes on before the task has returned.
LOOMP_MAY_SWITCH_IF_TRUE LOOMP_INLINE bool leaves_for_creator(Worker &worker, Task &task,
                                                              bool cleans_up, Stack *stack,
                                                              void (*bottom)(void *),
                                                              void *argument) {
    Member &member = *worker.member;
    WorkFirstCall call;
    call.creator = worker.task;
    call.creator_tie = worker.tie;
    call.creator_stack = worker.stack;
    call.member = &member;
    transition(task, TaskPhase::created, TaskPhase::running);
    worker.task = &task;
    LOOMP_TOOL(task_begin, call.creator, task, __builtin_frame_address(0));
    if (LOOMP_UNLIKELY(cleans_up))
        discard(task);
    if (stack == nullptr) {
        bottom(argument);
        worker.task = call.creator;
        return false;
    }
    worker.spare_stacks = stack->next;
    call.creator_modes.note();
    LOOMP_ASSERT(stack->work_first_call == nullptr);
    stack->work_first_call = &call;
    worker.tie = task.has(kTied) ? &member : nullptr;
    worker.stack = stack;
    if (LOOMP_UNLIKELY(loomp_call_on_stack(bottom, argument, stack->top, &call.continuation) != 0))
        return true;
    // The creator has not gone on meanwhile, so this is the same thread.
    stack->work_first_call = nullptr;
    stack->next = worker.spare_stacks;
    worker.spare_stacks = stack;
    worker.task = call.creator;
    worker.tie = call.creator_tie;
    worker.stack = call.creator_stack;
    return false;
}

/// `bottom`, called with `argument`, begins with the task.
LOOMP_MAY_SWITCH_IF_TRUE LOOMP_INLINE bool run(Worker &worker, Task &task,
                                               const Dependence *dependences, std::size_t count,
                                               void (*bottom)(void *), void *argument) {
    Member &member = *worker.member;
    Stack *stack = nullptr;
    if (worker.stack != nullptr || tasks_wait_outside || !has_room_on_top(worker)) {
        stack = worker.spare_stacks;
        if (LOOMP_UNLIKELY(stack == nullptr)) {
            stack = get_spare_stack(worker);
            if (stack == nullptr)
                return false;
        }
    }
    bool cleans_up = false;
    if (LOOMP_UNLIKELY(
            (task.flags & (kPrioritized | kDetachable | kRedirect | kFusible | kPlaced)) != 0 ||
            member.team->tasks_need_a_look())) {
        if (discard_now(task))
            return true;
        // A task that is not plain may have to wait its turn.
        if (!may_run_now(member, task))
            return false;
        cleans_up = task.has(kCleanup) && discards(task);
    }
    // It must not see its creator's exceptions (runtime/core/worker/thread_state.h).
    if (worker.exceptions->any())
        return false;
    flush_completions(worker);
    LOOMP_ASSERT(worker.completing_count == 0);
    if (LOOMP_UNLIKELY(leaves_for_creator(worker, task, cleans_up, stack, bottom, argument))) {
        go_on_without(task, dependences, count);
        return true;
    }
    LOOMP_ASSERT(Worker::current() == &worker && is_in(task, TaskPhase::running));
    if (LOOMP_LIKELY(!tool_enabled && is_complete(task))) {
        LOOMP_ASSERT(task.attached == nullptr && task.tool == nullptr);
        transition(task, TaskPhase::running, TaskPhase::released);
        worker.task_blocks.free_local(&task, task.size_class);
    } else {
        finish_slow(worker, task, dependences, count);
    }
    if (LOOMP_UNLIKELY(member.inline_budget.polls()))
        look_up(member);
    return true;
}

} // namespace

bool run_work_first(Worker &worker, Task &task, const Dependence *dependences, std::size_t count) {
    return run(worker, task, dependences, count, run_on_stack, &task);
}

void run_or_queue(Worker &worker, Task &task) {
    if (LOOMP_UNLIKELY(!run(worker, task, nullptr, 0, run_on_stack, &task)))
        queue(worker, task);
}

void run_series(Worker &worker, Task &task, TaskSeries &series) {
    const std::uint64_t first = series.next;
    const std::uint64_t more = worker.member->inline_budget.at_once() - 1;
    SeriesCall call{series, task, std::min(series.end, first + more)};
    if (LOOMP_UNLIKELY(!run(worker, task, nullptr, 0, run_series_on_stack, &call)))
        queue(worker, task);
    // The creator may have waited, and the tasks may have created some.
    Worker::current()->member->inline_budget.spend(static_cast<std::int32_t>(series.next - first));
}

} // namespace loomp::core
