#include "core/task_allocation.h"

#include "core/completion.h"
#include "core/icv.h"
#include "core/throttle.h"

namespace loomp::core {

LOOMP_NOINLINE void fold_overflow(Task &parent) {
    parent.children.fetch_add(parent.created * children::kOne, std::memory_order_acq_rel);
    parent.created = 0;
}

AttachedBlock *attach_block(Worker &worker, Task &task, std::size_t contents, std::uint32_t count) {
    const unsigned size_class = size_class_of(sizeof(AttachedBlock) + contents);
    auto *block = static_cast<AttachedBlock *>(worker.attached_blocks.allocate(size_class));
    block->size_class = size_class;
    block->count = count;
    AttachedBlock *&link =
        (task.flags & (kExclusive | kExports)) != 0 ? task.attached->next : task.attached;
    block->next = link;
    link = block;
    return block;
}

LOOMP_NOINLINE void sent_home(Worker &worker) {
    // A creator may be waiting to hear of them, while this worker has enough to do.
    if (LOOMP_UNLIKELY(creators_held_back.load(std::memory_order_relaxed) != 0))
        flush_completions(worker);
}

LOOMP_NOINLINE bool release_extras(Worker &worker, Task &task) {
    if (task.has(kOwnsIcvs))
        free_icvs(task);
    task.detach.store(0, std::memory_order_relaxed);
    const bool has_tool = task.tool != nullptr;
    delete task.tool;
    task.tool = nullptr;
    for (AttachedBlock *block = task.attached; block != nullptr;) {
        AttachedBlock *next = block->next;
        if (task.home == worker.index)
            worker.attached_blocks.free_local(block, block->size_class);
        else
            worker.attached_blocks.free_remote(block, block->size_class,
                                               Worker::at(task.home).attached_blocks);
        block = next;
    }
    task.attached = nullptr;
    return has_tool && tool_hooks.keep_block != nullptr && tool_hooks.keep_block(task);
}

} // namespace loomp::core
