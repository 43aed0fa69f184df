// `target update from`, of which libomptarget (19 to 22) makes a mistake: when the copy has been
// made it unlocks the entry of the variable, which it has unlocked before. If another thread has
// locked it meanwhile, two threads are in there, and one of them aborts. So the variable is mapped
// once more, and taken back with a copy: the same effect, by another way. Tools are told of these
// two.
//
// Thread safety: from any thread.
#pragma once

#include "runtime/target/libomptarget.h"

namespace loomp::target {

/// Whether an update can go that way: it copies from the device alone, and whole variables or
/// sections of them, without pointers to be kept and mappers.
bool only_downloads(const Mapping &mapping);
/// Such an update; what is not on the device is left out. Leaves a handle, as all that does not
/// wait.
void download(const void *location, std::int64_t device, const Mapping &mapping);

} // namespace loomp::target
