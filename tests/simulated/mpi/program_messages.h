// Operations of random programs that call MPI. The other ranks do what an operation says
// (network.h), so it checks both sides.
//
// The functions are weak: programs without MPI lack them.
#pragma once

#include "tests/simulated/program_tree.h"

namespace loomp::simulated {

/// The count of variants.
inline constexpr int kMessageVariants = 19;

/// Called before the first region, and after the last one.
__attribute__((weak)) void begin_messages();
__attribute__((weak)) void end_messages();
/// Prints what the network waits for.
__attribute__((weak)) void print_messages();
__attribute__((weak)) void run_messages(const Operation &operation);

inline bool has_messages() { return &run_messages != nullptr; }

} // namespace loomp::simulated
