// What is known of OpenMP's tasks while they are recorded.
#pragma once

#include <cstdint>

#include "loomp/omp-tools.h"

namespace loomp::record {

/// A task's name, which its tool data is; of one that the tool was never told of, a new one. 0: of
/// none.
std::uint64_t name_of(ompt_data_t *task);

} // namespace loomp::record
