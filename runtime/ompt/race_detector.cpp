// Memory of tasks under ThreadSanitizer.
//
// A descriptor holds variables of the program, and goes to the next task as soon as its task has
// completed. What orders the two is the runtime's own synchronisation, which the detector does not
// see: it would report the one task's accesses against the other's. So under a detector a block is
// kept back until a barrier of its team has ended, which orders all that came before for everybody.
#include <dlfcn.h>

#include "platform/locks_at_fork.h"
#include "platform/spinlock.h"
#include "runtime/ompt/ompt.h"

namespace loomp::ompt {

namespace {

core::SpinLock lock; ///< guards the list
const core::LocksAtFork at_fork([](core::LocksAtFork::Each each) { each(lock); });
Task *kept = nullptr;

std::uint32_t barriers_of(const Team &team) {
    return team.barrier.generation.load(std::memory_order_acquire);
}

bool keep_block(Task &task) {
    const Team &team = *task.team;
    if (team.size == 1)
        return false;
    // Of a task that is gone: the number of barriers before its end.
    task.barriers_seen = barriers_of(team);
    const core::SpinGuard guard(lock);
    task.next = kept;
    kept = &task;
    return true;
}

} // namespace

void give_blocks_back(Team &team, bool region_ends) {
    Worker &worker = *Worker::current();
    const std::uint32_t barriers = barriers_of(team);
    const core::SpinGuard guard(lock);
    for (Task **link = &kept; *link != nullptr;) {
        Task &task = **link;
        if (task.team != &team || (!region_ends && task.barriers_seen == barriers)) {
            link = &task.next;
            continue;
        }
        *link = task.next;
        // Any worker can be a block's home: the memory stays with the runtime for ever.
        task.home = static_cast<std::uint16_t>(worker.index);
        task.created = 0;
        worker.task_blocks.free_local(&task, task.size_class);
    }
}

void hook_race_detector(core::ToolHooks &hooks) {
    if (dlsym(RTLD_DEFAULT, "__tsan_init") != nullptr)
        hooks.keep_block = keep_block;
}

} // namespace loomp::ompt
