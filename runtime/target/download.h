// Works around an error of libomptarget (19 to 22) in `target update from`. After the copy it
// unlocks the variable's entry, although it has already done so before. If another thread has
// locked the entry meanwhile, two threads are in the critical section, and one of them aborts. So
// the variable is mapped once more and unmapped with a copy, which has the same effect. Tools get
// events of these two operations.
//
// Thread safety: from any thread.
#pragma once

#include "runtime/target/libomptarget.h"

namespace loomp::target {

/// Returns whether the workaround serves an update: it only copies from the device, and only whole
/// variables or sections, without attached pointers and mappers.
bool only_downloads(const Mapping &mapping);
/// Makes such an update, without items that are absent on the device. Returns before completion and
/// stores a handle.
void download(const void *location, std::int64_t device, const Mapping &mapping);

} // namespace loomp::target
