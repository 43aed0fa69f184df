#include "runtime/core/scheduling/taskgroup.h"

#include <new>

#include "runtime/core/scheduling/resume.h"
#include "runtime/core/worker/worker.h"

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
