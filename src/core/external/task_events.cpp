#include "core/external/task_events.h"

#include <cstdlib>
#include <new>

#include "core/base/diagnostics.h"
#include "core/base/locks_at_fork.h"
#include "core/scheduling/completion.h"
#include "core/scheduling/spawning.h"
#include "core/task/task_table.h"

namespace loomp::core {

namespace {

constexpr std::uint64_t kMost = detach::kEventHappened - 1;

/// Of an implicit task, while it has any.
struct Count {
    Task *task;
    std::uint64_t count;
    Task *held; ///< the region's end waits for it; null: initial task
    Count *further[kTableWays] = {};
};

TaskTable<Count> table;
const LocksAtFork at_fork([](LocksAtFork::Each each) { table.visit_locks(each); });
/// How many there are: mostly none, and nobody looks for them.
std::atomic<int> counts{0};

/// A child of the running task, complete but for one hold.
Task &make_held_child() {
    Worker &worker = *Worker::current();
    Task &task = *allocate_task(worker, *worker.task, 0, kTied | kDetachable);
    task.invoke = [](Task &) {};
    task.detach.store(detach::kEventHappened | 1, std::memory_order_relaxed);
    LOOMP_TOOL(task_create, task, false);
    spawn(worker, task);
    return task;
}

bool add_to_implicit(Task &task, std::uint64_t count) {
    auto &part = table.part_of(task);
    {
        const SpinGuard guard(part.lock);
        if (Count *record = part.find(task)) {
            record->count += count;
            return true;
        }
    }
    void *memory = std::malloc(sizeof(Count));
    if (memory == nullptr)
        fatal("out of memory: events of a task");
    Task *held = task.team->level > 0 ? &make_held_child() : nullptr;
    auto *record = new (memory) Count{&task, count, held};
    counts.fetch_add(1, std::memory_order_relaxed);
    const SpinGuard guard(part.lock);
    part.insert(*record);
    return true;
}

enum class Removal { done, too_many, not_implicit };

Removal remove_from_implicit(Task &task, std::uint64_t count) {
    auto &part = table.part_of(task);
    Count *record;
    {
        const SpinGuard guard(part.lock);
        record = part.find(task);
        if (record == nullptr)
            return Removal::not_implicit;
        if (record->count < count)
            return Removal::too_many;
        record->count -= count;
        if (record->count > 0)
            return Removal::done;
        part.remove(*record);
    }
    counts.fetch_sub(1, std::memory_order_relaxed);
    if (record->held != nullptr)
        release_holds(*record->held, 1);
    std::free(record);
    return Removal::done;
}

} // namespace

bool add_events(std::uint64_t count) {
    Task &task = *Worker::current()->task;
    if (task.has(kImplicit))
        return add_to_implicit(task, count);
    const std::uint32_t now = task.detach.load(std::memory_order_relaxed) & kMost;
    return count <= kMost - now && hold(static_cast<std::uint32_t>(count)) != nullptr;
}

bool remove_events(Task &task, std::uint64_t count) {
    // relaxed: who was told of an event was told after it was counted.
    if (counts.load(std::memory_order_relaxed) != 0) {
        const Removal removal = remove_from_implicit(task, count);
        if (removal != Removal::not_implicit)
            return removal == Removal::done;
    }
    if ((task.detach.load(std::memory_order_relaxed) & kMost) < count)
        return false;
    release_holds(task, static_cast<std::uint32_t>(count));
    return true;
}

bool has_events() {
    const Task &task = *Worker::current()->task;
    if (!task.has(kImplicit))
        return (task.detach.load(std::memory_order_acquire) & kMost) != 0;
    auto &part = table.part_of(task);
    const SpinGuard guard(part.lock);
    return part.find(task) != nullptr;
}

} // namespace loomp::core
