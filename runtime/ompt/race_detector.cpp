// The memory of tasks under ThreadSanitizer.
//
// A descriptor holds variables of the program, and is reused for the next task once its task has
// completed. The runtime's own synchronisation orders the two tasks, but the detector does not see
// it and would report a race between them. So under a detector a block is kept until a barrier of
// its team has ended, which orders all earlier accesses before all later ones.
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
    // A task that is gone keeps the number of barriers before its end.
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
        // Any worker can own the block, because the runtime never frees this memory.
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
