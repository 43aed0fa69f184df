// Regions that the program names (include/loomp/record.h). They are recorded as calls of their
// threads, also while the recorder is stopped: what is open when it starts again is to be known.
#pragma once

#include <cstdint>

namespace loomp::record {

/// The task that the calling thread is in, by its name; 0: in none, as far as OpenMP's runtime
/// says.
std::uint64_t current_task();

} // namespace loomp::record
