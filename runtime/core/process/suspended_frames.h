// Finds the frames of a suspended task, or of a thread that stays in a function, for reports. The
// registers that a switch leaves on the task's stack, or those that the thread has noted, and the
// frames' own tables (libdw) give them.
//
// Thread safety: one thread at a time. The task or thread may continue meanwhile: then the frames
// mean nothing, and nothing else happens.
#pragma once

#include "loomp/experimental.h"
#include "runtime/core/scheduling/task_signal.h"

namespace loomp::core {

/// Stores the return addresses of at most `most` frames of the task that waits for `signal`, the
/// innermost first. Returns their count; 0: nobody waits, or nothing is known.
int frames_of_waiter(const TaskSignal &signal, const void **frames, int most);
/// Finds the frames from a point that a thread has noted.
int frames_of_point(const loomp_code_point &point, const void **frames, int most);

} // namespace loomp::core
