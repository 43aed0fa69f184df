// GNU ABI: task reductions. The compiler describes each set of reduced items in an array of words
// that it hands over; loomp fills in where the private copies are.
#pragma once

#include <cstdint>

#include "runtime/core/team/team.h"

namespace loomp::abi::gnu {

/// Enters a worksharing construct that may come with task reductions and with scratch memory
/// (*memory holds its size on entry, its address on return), both shared by the team; and, when
/// `doacross_iterations` is not 0, with flags for so many iterations.
/// True for the member that came first.
bool enter_with_reductions(core::Member &member, std::uintptr_t *reductions, void **memory,
                           std::uint64_t doacross_iterations = 0);

/// Allocates the private copies that `data` describes, for `threads` threads, and chains it before
/// `outer`; `original`: the same construct's array that another member registered first.
void register_reductions(std::uintptr_t *data, std::uintptr_t *outer,
                         const std::uintptr_t *original, unsigned threads);

} // namespace loomp::abi::gnu
