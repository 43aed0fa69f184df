// Whether libomptarget, or the driver beneath, holds up the thread that makes a call: for copies
// from or to memory that is not pinned, to allocate memory of a device and to give it back, and to
// load a program's image where a device is used for the first time. It is judged beforehand, by
// what the call is given: a wrong guess costs time and nothing else.
//
// Thread safety: from any thread.
#pragma once

#include "runtime/target/libomptarget.h"

namespace loomp::target {

struct Blocks {
    bool call = false;       ///< the call itself
    bool completion = false; ///< the query that finds that all of it has been done
};

Blocks kernel_blocks(std::int64_t device, const Mapping &mapping);
Blocks data_blocks(DataConstruct construct, std::int64_t device, const Mapping &mapping);

/// The device has been used.
void note_used(std::int64_t device);
bool is_used(std::int64_t device);

} // namespace loomp::target
