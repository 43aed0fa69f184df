// The recorder's names for OpenMP's tasks.
#pragma once

#include <cstdint>

#include "loomp/omp-tools.h"

namespace loomp::record {

/// A task's name, stored in its tool data; a task that was never reported to the tool gets a new
/// one. 0 for no task.
std::uint64_t name_of(ompt_data_t *task);

} // namespace loomp::record
