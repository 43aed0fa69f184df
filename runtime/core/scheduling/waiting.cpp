#include "runtime/core/scheduling/waiting.h"

#include <utility>

#include "runtime/core/dependences/linking.h"
#include "runtime/core/persistent/persistent.h"
#include "runtime/core/scheduling/completion.h"
#include "runtime/core/scheduling/sources.h"
#include "runtime/core/scheduling/stack_shortage.h"
#include "runtime/core/scheduling/suspend.h"
#include "runtime/core/scheduling/switching.h"
#include "runtime/core/scheduling/taking.h"
#include "runtime/core/scheduling/task_allocation.h"
#include "runtime/core/scheduling/taskgroup.h"
#include "runtime/core/task/tool.h"

namespace loomp::core {

namespace {

/// Waits until done(). First it runs tasks of the worker's own queue on top of the running task, as
/// long as they are `awaited`. Then it suspends the running task: arm() is that of
/// suspend_awaiting(), and gets the suspension. Returns whether it did.
template <class Awaited, class Done, class Arm>
LOOMP_MAY_SWITCH LOOMP_INLINE bool wait_for_tasks(Awaited awaited, Done done, Arm arm) {
    Worker *worker = Worker::current();
    note_modes(*worker);
    Task *other = nullptr; // taken, and not awaited: it runs when the waiting task is suspended
    bool finished = false;
    {
        const KeepsError keeps(*worker);
        do {
            worker = Worker::current();
            // One at a time: two that wait could let each other go first for ever.
            if (LOOMP_UNLIKELY(let_resumable_go_first(*worker->member, true)))
                worker = Worker::current();
            // The worker takes such a task when the waiting one is suspended.
            if (LOOMP_UNLIKELY(worker->member->team->is_taken_from_unusually()) &&
                SourcesBeforeOwn::visible(*worker->member))
                break;
            Task *next = OwnTasks::take_own(*worker->member);
            if (next == nullptr || !awaited(*next)) {
                other = next;
                break;
            }
            execute_on_top(*worker, *next);
            finished = done();
        } while (!finished);
    }
    if (finished || (other == nullptr && done())) {
        // A child of a transparent task may have successors that are not the waiting task's
        // children.
        offer_next_task(*Worker::current()->member);
        return false;
    }
    Suspension suspension;
    suspend_awaiting(suspension, [&arm, &suspension] { return arm(suspension); }, other);
    return true;
}

/// Whether all children have completed, those counted that the worker would tell `task` of later.
LOOMP_INLINE bool have_completed(Task &task) {
    Worker &worker = *Worker::current();
    const std::uint64_t untold =
        worker.completing_parent == &task ? worker.completing_count * children::kOne : 0;
    // acquire: what completed children wrote.
    const std::uint64_t word = task.children.load(std::memory_order_acquire);
    if (!children::all_completed(word - untold))
        return false;
    if (word == untold) {
        // Nobody else has a child of it left to tell of, and it creates none meanwhile.
        task.children.store(0, std::memory_order_relaxed);
        worker.completing_count = 0;
    } else {
        flush_completions(worker);
    }
    return true;
}

LOOMP_MAY_SWITCH LOOMP_NOINLINE void wait_for_unfinished(Worker &worker, Task &task) {
    flush_completions(worker);
    if (children::all_completed(fold_created(task)))
        return;
    const auto arm = [&task](Suspension &suspension) {
        task.waiter = &suspension;
        // acq_rel: the waiter is published; what completed children wrote is visible.
        const std::uint64_t word =
            task.children.fetch_or(children::kWaitCompleted, std::memory_order_acq_rel);
        return !children::all_completed(word);
    };
    if (wait_for_tasks([&task](const Task &child) { return child.parent == &task; },
                       [&task] { return have_completed(task); }, arm))
        task.children.fetch_and(~children::kWaitCompleted, std::memory_order_relaxed);
}

LOOMP_MAY_SWITCH LOOMP_INLINE void wait_for_children(Worker &worker, Task &task) {
    const ToolSync sync(SyncKind::taskwait, task);
    if (LOOMP_UNLIKELY(task.has(kPersistent)))
        note_wait(task);
    if (LOOMP_UNLIKELY(task.created != 0 ||
                       !children::all_completed(task.children.load(std::memory_order_acquire))))
        wait_for_unfinished(worker, task);
}

} // namespace

void taskwait() {
    Worker &worker = *Worker::current();
    Task &task = *worker.task;
    wait_for_children(worker, task);
    if (LOOMP_UNLIKELY(persists_automatically))
        children_have_completed(task);
}

void complete_children() {
    Worker &worker = *Worker::current();
    wait_for_children(worker, *worker.task);
}

void end_taskgroup() {
    Task &task = *Worker::current()->task;
    TaskGroup &group = *task.group;
    LOOMP_ASSERT(group.owner == &task);
    if (LOOMP_UNLIKELY(task.has(kPersistent)))
        note_wait(task);
    LOOMP_TOOL(wait_begin, SyncKind::taskgroup, task);
    if (!group.fold()) {
        const auto arm = [&group, &task](Suspension &suspension) {
            group.waiter = &suspension;
            // release: the group, with its waiter.
            task.children.fetch_or(children::kWaitGroup, std::memory_order_release);
            return !group.drop_guard();
        };
        if (wait_for_tasks([&group](const Task &member) { return member.group == &group; },
                           [&group] { return group.empty_but_guard(); }, arm)) {
            // acquire: the use of the group by the thread that had the flag.
            while ((task.children.fetch_and(~children::kWaitGroup, std::memory_order_acquire) &
                    children::kWaitGroup) == 0)
                cpu_relax();
        }
    }
    LOOMP_ASSERT(group.completed());
    task.group = group.outer;
    if (LOOMP_UNLIKELY(group.cancelled.load(std::memory_order_relaxed)))
        end_cancellation(*task.team);
    Worker &worker = *Worker::current();
    flush_completions(worker);
    worker.attached_blocks.free_local(&group, group.size_class);
    LOOMP_TOOL(wait_end, SyncKind::taskgroup, task, false);
    LOOMP_TOOL(sync_end, SyncKind::taskgroup, task, false);
    if (LOOMP_UNLIKELY(persists_automatically) && children::all_completed(fold_created(task)))
        children_have_completed(task);
}

namespace {

LOOMP_MAY_SWITCH_IF_TRUE bool yield_to_resumable(Member &member) {
    Suspension *other = take_resumable(member);
    if (other == nullptr)
        return false;
    if (ToolTask *tool = Worker::current()->task->tool; LOOMP_UNLIKELY(tool != nullptr))
        tool->yields = true;
    yield_to(*other);
    return true;
}

/// Yields to a deferred task, or, for lack of a stack, to one that waits for such a task.
LOOMP_MAY_SWITCH_IF_TRUE LOOMP_COLD bool yield_to_deferred(Worker &worker, Member &member) {
    Task *task = stack_to_be_had() ? member.team->unstarted.pop() : nullptr;
    Suspension *waiter = task == nullptr ? hand_over_deferred(member) : nullptr;
    if (task == nullptr && waiter == nullptr)
        return false;
    if (worker.task->tool != nullptr)
        worker.task->tool->yields = true;
    if (task != nullptr)
        yield(task);
    else
        yield_to(*waiter);
    return true;
}

LOOMP_MAY_SWITCH_IF_TRUE bool yield_to_ready(Worker &worker, Member &member) {
    if (!member.team->has_tasks.load(std::memory_order_relaxed))
        return false;
    Task *task = take_fresh_task(worker, member);
    if (task == nullptr)
        return LOOMP_UNLIKELY(!member.team->unstarted.looks_empty()) &&
               yield_to_deferred(worker, member);
    if (LOOMP_UNLIKELY(worker.task->tool != nullptr))
        worker.task->tool->yields = true;
    yield(task);
    return true;
}

} // namespace

bool taskyield() {
    Worker &worker = *Worker::current();
    Member &member = *worker.member;
    if (LOOMP_UNLIKELY(anything_pending()))
        poll_between_tasks();
    if (LOOMP_UNLIKELY(must_release_creator(worker))) {
        if (LOOMP_UNLIKELY(worker.task->tool != nullptr))
            worker.task->tool->yields = true;
        yield(nullptr);
        return true;
    }
    // The order alternates: two tasks that yield to each other must not keep a third from starting.
    worker.yields_to_ready = !worker.yields_to_ready;
    return worker.yields_to_ready ? yield_to_ready(worker, member) || yield_to_resumable(member)
                                  : yield_to_resumable(member) || yield_to_ready(worker, member);
}

void taskwait(const Dependence *dependences, std::size_t count) {
    void *tool_data =
        LOOMP_UNLIKELY(tool_enabled) ? tool_hooks.taskwait_begin(dependences, count) : nullptr;
    wait_dependences(dependences, count);
    if (LOOMP_UNLIKELY(tool_data != nullptr))
        tool_hooks.taskwait_end(tool_data);
}

namespace {

/// Held by the waiter of a node until it is in place. Far more than the edges.
constexpr std::int32_t kNodeGuard = 1 << 30;

/// Suspends the running task until the predecessors have completed that `link` gives to an empty
/// node, which stands for the wait in the graph.
template <class Link> LOOMP_MAY_SWITCH void wait_linked(Link link) {
    Worker &worker = *Worker::current();
    Task &node = *allocate_task(worker, *worker.task, 0, kNodeOnly | kTied | kHasDependences);
    node.invoke = nullptr;
    node.predecessors.set(kNodeGuard);
    transition(node, TaskPhase::created, TaskPhase::linked);
    link(node);
    // acquire: the predecessors' effects.
    if (node.predecessors.unmet(std::memory_order_acquire) != kNodeGuard) {
        Suspension suspension;
        node.waiter = &suspension;
        suspend_until(suspension, [&node] { return !node.predecessors.remove(kNodeGuard); });
    }
    node.predecessors.set(0); // if nobody was waited for: the guard
    discard_task(node);
}

} // namespace

void wait_dependences(const Dependence *dependences, std::size_t count) {
    Task &parent = *Worker::current()->task;
    if (LOOMP_UNLIKELY(parent.has(kPersistent))) {
        note_wait(parent);
        enter_kept_accesses(parent);
    }
    if (parent.map == nullptr) // no sibling had dependences
        return;
    wait_linked([&](Task &node) { link_dependences(node, dependences, count); });
}

void wait_for_task(const TaskRef &predecessor) {
    wait_linked([&](Task &node) { link_after(node, predecessor); });
}

} // namespace loomp::core
