// Records the program's named regions (include/loomp/record.h). They are recorded on the calling
// threads, also while the recorder is stopped, so that open regions are known when it starts again.
#pragma once

#include <cstdint>

namespace loomp::record {

/// The name of the calling thread's current task; 0 if OpenMP's runtime knows none.
std::uint64_t current_task();

} // namespace loomp::record
