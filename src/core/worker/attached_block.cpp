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

} // namespace loomp::core
