#include "core/task.h"

#include "core/dependence.h"
#include "core/icv.h"
#include "core/scheduler.h"
#include "core/taskgroup.h"
#include "core/worker.h"

namespace loomp::core {

namespace {

/// Inline edges that every explicit task has room for: enough for chains and most stencils.
constexpr std::size_t kInlineEdges = 2;
/// `created` is folded into the shared word before it could run into the flags' neighbours.
constexpr std::uint32_t kFoldAt = 1u << 30;

LOOMP_NOINLINE void fold_overflow(Task &parent) {
    parent.children.fetch_add(parent.created * children::kOne, std::memory_order_acq_rel);
    parent.created = 0;
}

} // namespace

Task *allocate_task(Worker &worker, Task &parent, std::size_t payload, std::uint32_t flags) {
    payload = round_up(payload, alignof(Edge) * 2);
    const unsigned size_class = size_class_of(sizeof(Task) + payload + kInlineEdges * sizeof(Edge));
    Task *task = static_cast<Task *>(worker.task_blocks.allocate(size_class));
    task->parent = &parent;
    task->team = parent.team;
    task->group = parent.group;
    task->icvs = parent.icvs;
    task->map = nullptr;
    task->flags = flags | (parent.flags & kFinal);
    task->created = 0;
    task->tool = nullptr;
    task->children.store(0, std::memory_order_relaxed);
    task->predecessors.store(0, std::memory_order_relaxed);
    task->detach.store(DetachState::open, std::memory_order_relaxed);
    task->priority = 0;
    task->size_class = static_cast<std::uint16_t>(size_class);
    task->home = static_cast<std::uint16_t>(worker.index);
    task->edge_space = reinterpret_cast<Edge *>(static_cast<char *>(task->payload()) + payload);
    task->attached = nullptr;
    if (LOOMP_UNLIKELY(++parent.created >= kFoldAt))
        fold_overflow(parent);
    if (parent.group != nullptr)
        parent.group->count_one(parent);
    if (LOOMP_UNLIKELY(tool_enabled))
        task->tool = new ToolTask{};
    ++worker.discovery.tasks;
    return task;
}

AttachedBlock *attach_block(Worker &worker, Task &task, std::size_t contents, std::uint32_t count) {
    const unsigned size_class = size_class_of(sizeof(AttachedBlock) + contents);
    auto *block = static_cast<AttachedBlock *>(worker.attached_blocks.allocate(size_class));
    block->size_class = size_class;
    block->count = count;
    AttachedBlock *&link = task.has(kExclusive) ? task.attached->next : task.attached;
    block->next = link;
    link = block;
    return block;
}

void release_task(Task &task) {
    Worker &worker = *Worker::current();
    if (LOOMP_UNLIKELY(task.has(kOwnsIcvs)))
        free_icvs(task);
    if (LOOMP_UNLIKELY(task.tool != nullptr)) {
        tool_hooks.task_release(task);
        delete task.tool;
    }
    const bool at_home = task.home == worker.index;
    for (AttachedBlock *block = task.attached; LOOMP_UNLIKELY(block != nullptr);) {
        AttachedBlock *next = block->next;
        if (at_home)
            worker.attached_blocks.free_local(block, block->size_class);
        else
            worker.attached_blocks.free_remote(block, block->size_class,
                                               Worker::at(task.home).attached_blocks);
        block = next;
    }
    if (LOOMP_LIKELY(at_home))
        worker.task_blocks.free_local(&task, task.size_class);
    else
        worker.task_blocks.free_remote(&task, task.size_class, Worker::at(task.home).task_blocks);
}

} // namespace loomp::core
