#include "runtime/core/scheduling/taskgroup.h"

#include <new>

#include "runtime/core/persistent/persistent.h"
#include "runtime/core/scheduling/stack_shortage.h"
#include "runtime/core/scheduling/suspend.h"
#include "runtime/core/scheduling/waiting.h"

namespace loomp::core {

void TaskGroup::signal() {
    LOOMP_ASSERT(waiter != nullptr && created == 0);
    make_resumable(*waiter);
}

TaskGroup &begin_taskgroup() {
    Worker &worker = *Worker::current();
    Task &task = *worker.task;
    const unsigned size_class = size_class_of(sizeof(TaskGroup));
    auto *group = new (worker.attached_blocks.allocate(size_class)) TaskGroup;
    group->size_class = size_class;
    group->outer = task.group;
    group->owner = &task;
    task.group = group;
    LOOMP_TOOL(sync_begin, SyncKind::taskgroup, task);
    return *group;
}

void end_taskgroup() {
    Task &task = *Worker::current()->task;
    TaskGroup &group = *task.group;
    LOOMP_ASSERT(group.owner == &task);
    if (LOOMP_UNLIKELY(task.has(kPersistent)))
        note_wait(task);
    LOOMP_TOOL(wait_begin, SyncKind::taskgroup, task);
    if (!group.fold()) {
        Task *other = nullptr;
        const auto awaited = [&group](const Task &member) { return member.group == &group; };
        const auto done = [&group] { return group.empty_but_guard(); };
        if (!run_awaited(awaited, done, other) && (other != nullptr || !done())) {
            Suspension suspension;
            group.waiter = &suspension;
            suspend_awaiting(
                suspension,
                [&group, &task] {
                    // release: the group, with its waiter.
                    task.children.fetch_or(children::kWaitGroup, std::memory_order_release);
                    return !group.drop_guard();
                },
                other);
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

bool cancel_taskgroup(Task &task) {
    if (task.group == nullptr)
        return false;
    TaskGroup *group = task.group;
    if (group->is_worksharing && group->outer != nullptr)
        group = group->outer;
    begin_cancellation(*task.team);
    if (group->cancelled.exchange(true, std::memory_order_relaxed))
        end_cancellation(*task.team); // somebody else has told of it
    return true;
}

void begin_cancellation(Team &team) {
    team.unusual.fetch_add(Team::kCancellation, std::memory_order_relaxed);
}

void end_cancellation(Team &team) {
    // No cancellations are left of a region that has ended.
    std::uint32_t word = team.unusual.load(std::memory_order_relaxed);
    while (word >= Team::kCancellation &&
           !team.unusual.compare_exchange_weak(word, word - Team::kCancellation,
                                               std::memory_order_relaxed))
        ;
}

bool taskgroup_cancelled(const Task &task) {
    for (const TaskGroup *group = task.group; group != nullptr; group = group->outer)
        if (group->cancelled.load(std::memory_order_relaxed))
            return true;
    return false;
}

bool discards_slow(const Task &task) {
    return task.team->cancelled.load(std::memory_order_relaxed) || taskgroup_cancelled(task);
}

} // namespace loomp::core
