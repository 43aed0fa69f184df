// Waiting inside a task: for its children, for predecessors, for nothing but a turn.
#include "core/waiting.h"

#include <utility>

#include "core/completion.h"
#include "core/dependence.h"
#include "core/persistent.h"
#include "core/tool.h"

namespace loomp::core {

namespace {

void wait_for_children(Worker &worker, Task &task) {
    const ToolSync sync(SyncKind::taskwait, task);
    if (LOOMP_UNLIKELY(task.has(kPersistent)))
        note_wait(task);
    if (LOOMP_LIKELY(task.created == 0 &&
                     children::all_completed(task.children.load(std::memory_order_acquire))))
        return;
    flush_completions(worker);
    if (children::all_completed(fold_created(task)))
        return;
    Task *other = nullptr;
    const auto awaited = [&task](const Task &child) { return child.parent == &task; };
    const auto done = [&task] {
        flush_completions(*Worker::current());
        return children::all_completed(task.children.load(std::memory_order_acquire));
    };
    if (run_awaited(awaited, done, other))
        return;
    Suspension suspension;
    struct Argument {
        Task &task;
        Suspension &suspension;
    } argument{task, suspension};
    suspend(
        suspension,
        [](void *p) {
            auto &a = *static_cast<Argument *>(p);
            a.task.waiter = &a.suspension;
            // acq_rel: the waiter is published; what completed children wrote is visible.
            const std::uint64_t word =
                a.task.children.fetch_or(children::kWaitCompleted, std::memory_order_acq_rel);
            return !children::all_completed(word);
        },
        &argument, other);
    task.children.fetch_and(~children::kWaitCompleted, std::memory_order_relaxed);
}

} // namespace

void taskwait() {
    Worker &worker = *Worker::current();
    Task &task = *worker.task;
    wait_for_children(worker, task);
    if (LOOMP_UNLIKELY(persists_automatically))
        children_have_completed(task);
}

namespace {

bool yield_to_resumable(Member &member) {
    Suspension *other = take_resumable(member);
    if (other == nullptr)
        return false;
    if (ToolTask *tool = Worker::current()->task->tool; LOOMP_UNLIKELY(tool != nullptr))
        tool->yields = true;
    yield_to(*other);
    return true;
}

bool yield_to_ready(Worker &worker, Member &member) {
    if (!member.team->has_tasks.load(std::memory_order_relaxed))
        return false;
    Task *task = take_task(worker, member);
    if (task == nullptr)
        return false;
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
    // In turns: two tasks that yield to each other must not keep a third from starting.
    worker.yields_to_ready = !worker.yields_to_ready;
    return worker.yields_to_ready ? yield_to_ready(worker, member) || yield_to_resumable(member)
                                  : yield_to_resumable(member) || yield_to_ready(worker, member);
}

void taskwait(const Dependence *dependences, std::size_t count) {
    void *told =
        LOOMP_UNLIKELY(tool_enabled) ? tool_hooks.taskwait_begin(dependences, count) : nullptr;
    wait_dependences(dependences, count);
    if (LOOMP_UNLIKELY(told != nullptr))
        tool_hooks.taskwait_end(told);
}

namespace {

/// Waits for what `link` makes an empty node of the running task wait for.
template <class Link> void wait_linked(Link link) {
    Worker &worker = *Worker::current();
    Task &node = *allocate_task(worker, *worker.task, 0, kNodeOnly | kTied | kHasDependences);
    node.invoke = nullptr;
    // Far more than the edges: predecessors that complete while it is linked, when the count lacks
    // the edges made so far, must not find the node ready before its waiter is in place either.
    constexpr std::int32_t guard = 1 << 30;
    node.predecessors.store(guard, std::memory_order_relaxed);
    link(node);
    // acquire: the predecessors' effects.
    if (node.predecessors.load(std::memory_order_acquire) != guard) {
        Suspension suspension;
        node.waiter = &suspension;
        suspend(
            suspension,
            [](void *p) {
                // acq_rel: publishes the waiter to the last predecessor, or sees its effects.
                return static_cast<Task *>(p)->predecessors.fetch_sub(
                           guard, std::memory_order_acq_rel) != guard;
            },
            &node);
    }
    node.predecessors.store(0, std::memory_order_relaxed); // if nobody was waited for: the guard
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
