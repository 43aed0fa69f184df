// The code of a task's construct. Compilers hand it over in various places; front ends say once
// where in a task its address is.
//
// Thread safety: any thread, after start.
#pragma once

#include <cstdint>

#include "runtime/core/task/task.h"

namespace loomp::core {

/// Tasks with this `invoke` have the address of their code `offset` bytes into their payload. It is
/// called at start, before any task exists.
void code_lies_at(InvokeFn invoke, std::uint32_t offset);

/// That address; null: none is known.
const void *code_of(const Task &task);

} // namespace loomp::core
