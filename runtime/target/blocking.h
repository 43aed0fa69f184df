// Predicts whether libomptarget or the driver blocks the calling thread. Both block in copies from
// or to memory that is not pinned, and when they allocate or free device memory. They also block
// when they load a program's image at a device's first use. The prediction uses only the call's
// arguments; a wrong one costs time and nothing else.
//
// Thread safety: from any thread.
#pragma once

#include "runtime/target/libomptarget.h"

namespace loomp::target {

struct Blocks {
    bool call = false;       ///< the call itself
    bool completion = false; ///< the query that finds the whole operation completed
};

Blocks kernel_blocks(std::int64_t device, const Mapping &mapping);
Blocks data_blocks(DataConstruct construct, std::int64_t device, const Mapping &mapping);

/// Records that the device has been used.
void note_used(std::int64_t device);
bool is_used(std::int64_t device);

} // namespace loomp::target
