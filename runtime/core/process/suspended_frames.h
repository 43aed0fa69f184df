// Finds the frames of a suspended task, for reports. The registers that a switch leaves on the
// task's stack and the frames' own tables (libdw) give them.
//
// Thread safety: one thread at a time. The task may continue meanwhile: then the frames mean
// nothing, and nothing else happens.
#pragma once

#include "runtime/core/scheduling/task_signal.h"

namespace loomp::core {

/// Stores the return addresses of at most `most` frames of the task that waits for `signal`, the
/// innermost first. Returns their count; 0: nobody waits, or nothing is known.
int frames_of_waiter(const TaskSignal &signal, const void **frames, int most);

} // namespace loomp::core
