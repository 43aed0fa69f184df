#include "core/worker/attached_block.h"

#include "core/worker/worker.h"

namespace loomp::core {

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

void free_first_block(Worker &worker, Task &task) {
    AttachedBlock *block = task.attached;
    task.attached = block->next;
    if (task.home == worker.index)
        worker.attached_blocks.free_local(block, block->size_class);
    else
        worker.attached_blocks.free_remote(block, block->size_class,
                                           Worker::at(task.home).attached_blocks);
}

} // namespace loomp::core
