// Making task descriptors. Inline: these few instructions are paid for every task.
#pragma once

#include "runtime/core/memory/task_memory.h"
#include "runtime/core/scheduling/taskgroup.h"
#include "runtime/core/task/task.h"
#include "runtime/core/worker/worker.h"

namespace loomp::core {

/// Inline edges that every explicit task has room for: enough for chains and most stencils.
inline constexpr std::size_t kInlineEdges = 2;
/// `created` is folded into the shared word before it could run into the flags' neighbours.
inline constexpr std::uint32_t kFoldAt = 1u << 30;

void fold_overflow(Task &parent);
/// A descriptor with room for `payload` bytes behind it (aligned to 64) and some edges. It is not
/// yet visible to anybody. `parent` runs on the calling worker; it does not yet count the child.
///
/// Between uses a block is as a fresh one, all zero, but for `serial`, `successors` and what is set
/// here: release_task() restores what a use has changed.
LOOMP_INLINE Task *allocate_task(Worker &worker, Task &parent, std::size_t payload,
                                 TaskFlags flags) {
    payload = round_up(payload, sizeof(Edge));
    const unsigned size_class = size_class_of(sizeof(Task) + payload + kInlineEdges * sizeof(Edge));
    Task *task = static_cast<Task *>(worker.task_blocks.allocate(size_class));
    task->parent = &parent;
    task->team = parent.team;
    task->group = parent.group;
    task->icvs = parent.icvs;
    task->flags = flags | (parent.flags & (kFinal | kRunsChildrenInline | kPlacesNew));
    LOOMP_ASSERT(task->map == nullptr && task->created == 0 && task->tool == nullptr &&
                 task->attached == nullptr && task->children.load(std::memory_order_relaxed) == 0 &&
                 task->predecessors.unmet(std::memory_order_relaxed) == 0 &&
                 task->detach.load(std::memory_order_relaxed) == 0);
    transition(*task, TaskPhase::released, TaskPhase::created);
    task->priority = 0;
    task->size_class = static_cast<std::uint8_t>(size_class);
    task->home = static_cast<std::uint16_t>(worker.index);
    task->edge_space = reinterpret_cast<Edge *>(static_cast<char *>(task->payload()) + payload);
    ++worker.discovery.tasks;
    return task;
}

/// Its parent, and the taskgroup, are to wait for `task` from now on. The thread that runs the
/// parent calls it before any other thread can learn of the task. A task that has completed by
/// then, because the parent could not continue meanwhile, is never counted.
LOOMP_INLINE void count_task(Task &task) {
    Task &parent = *task.parent;
    LOOMP_ASSERT(!is_in(parent, TaskPhase::released));
    if (LOOMP_UNLIKELY(++parent.created >= kFoldAt))
        fold_overflow(parent);
    // The group is the parent's, not the task's own: if the task has begun, that may be one that it
    // opened.
    if (parent.group != nullptr)
        parent.group->count_one(parent);
}

} // namespace loomp::core
