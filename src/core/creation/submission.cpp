#include "core/creation/submission.h"

#include "core/scheduling/cancellation.h"

namespace loomp::core {

bool skips_creation(Worker &worker) {
    const Task &creator = *worker.task;
    if (LOOMP_LIKELY(!anything_cancelled(*creator.team)) || creator.has(kPersistent) ||
        !discards_slow(creator))
        return false;
    take_next_task(worker);
    return true;
}

Task &new_unusual_task(Worker &worker, std::size_t payload, std::uint32_t flags, TaskCode code) {
    const AskedOfNext asked = take_next_task(worker);
    Task &creator = *worker.task;
    Task *task = nullptr;
    if (!creator.has(kPersistent)) {
        task = allocate_task(worker, creator, payload, flags);
    } else {
        task = next_kept(creator, payload, flags, code.code);
        if (LOOMP_UNLIKELY(task == nullptr))
            task = allocate_kept(worker, creator, payload, flags, code);
    }
    apply(asked, *task);
    return *task;
}

Task &new_part(Worker &worker, const Task &pattern, std::size_t payload, TaskCode code) {
    constexpr std::uint32_t its_own = kStarted | kKept | kHasDependences | kFusible | kPlaced;
    Task &task = *allocate_child(worker, *worker.task, payload,
                                 (pattern.flags & ~its_own) | kTaskloopChild, code);
    task.invoke = pattern.invoke;
    task.priority = pattern.priority;
    return task;
}

bool runs_in_place(Task &task) {
    const Task &creator = *task.parent;
    if (LOOMP_LIKELY(!creator.has(kIncludes) && !task.has(kUndeferred)))
        return false;
    if (creator.has(kPersistent))
        meet_undeferred(task);
    task.flags = (task.flags & ~std::uint32_t{kFusible | kPlaced}) | kUndeferred;
    return true;
}

void await_decoded(Task &task, const Dependence *dependences, std::size_t count) {
    LOOMP_TOOL(dependences, task, dependences, count);
    wait_dependences(dependences, count);
    if (task.has(kTransparent))
        enter_begun_transparent(task, dependences, count);
}

void submit_decoded(Task &task, const Dependence *dependences, std::size_t count) {
    Worker &worker = *Worker::current();
    if (task.parent->has(kPersistent) || task.has(kKept))
        spawn_kept(task, dependences, count);
    else if (count != 0 && task.has(kTransparent))
        spawn_transparent(task, dependences, count);
    else if (count != 0)
        spawn(task, dependences, count);
    else if (task.has(kFusible))
        spawn_fusible(worker, task);
    else
        spawn_placed(worker, task);
}

void submit_empty(const Dependence *dependences, std::size_t count) {
    Worker &worker = *Worker::current();
    Task &task = *allocate_child(worker, *worker.task, 0, kRedirect | kTied, {nullptr, kNoSelf});
    task.invoke = nullptr;
    LOOMP_TOOL(task_create, task, true);
    // Linked also without any dependence: nothing runs it.
    if (LOOMP_UNLIKELY(task.parent->has(kPersistent)))
        spawn_kept(task, dependences, count);
    else
        spawn(task, dependences, count);
}

} // namespace loomp::core
