// Memory that some tasks have beside their own: more edges, locks, exports.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/task/task.h"

namespace loomp::core {

class Worker;

/// Chains a block to `task`; freed with it. Inserted behind a list of exclusions or exports.
AttachedBlock *attach_block(Worker &worker, Task &task, std::size_t contents, std::uint32_t count);
/// Frees the first block of `task`, which has one. The task's creator calls it, or the worker that
/// completes the task.
void free_first_block(Worker &worker, Task &task);

} // namespace loomp::core
