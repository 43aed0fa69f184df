// GNU ABI: task reductions. The compiler passes each set of reduced items as an array of words;
// loomp stores the addresses of the private copies in it.
#pragma once

#include <cstdint>

#include "runtime/core/team/team.h"

namespace loomp::abi::gnu {

/// Enters a worksharing construct that may have task reductions and scratch memory, which its team
/// shares. `*memory` holds the memory's size on entry, its address on return. If
/// `doacross_iterations` is not 0, the team also shares flags for that many iterations. Returns
/// true for the first member.
bool enter_with_reductions(core::Member &member, std::uintptr_t *reductions, void **memory,
                           std::uint64_t doacross_iterations = 0);

} // namespace loomp::abi::gnu
