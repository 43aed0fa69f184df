// The code of a task's construct. Compilers hand it over in various places; front ends say once
// where in a task its address is.
//
// Thread safety: any thread, after start.
#pragma once

#include <cstddef>
#include <cstdint>

#include "runtime/core/task/task.h"

namespace loomp::core {

struct CodePlace {
    InvokeFn invoke;
    std::uint32_t offset; ///< in the payload
    bool has_line;        ///< the code's first line is that of the construct, as gcc makes it
};
inline constexpr std::size_t kMostCodePlaces = 8;
/// Debuggers read them, too.
LOOMP_HIDDEN extern CodePlace code_places[kMostCodePlaces];
LOOMP_HIDDEN extern std::size_t code_places_used;

/// Tasks with this `invoke` have the address of their code `offset` bytes into their payload. It is
/// called at start, before any task exists.
void code_lies_at(InvokeFn invoke, std::uint32_t offset, bool has_line = false);

/// That address; null: none is known.
const void *code_of(const Task &task);
/// That address if the code's first line is that of the construct, or null.
const void *code_with_line(const Task &task);

} // namespace loomp::core
