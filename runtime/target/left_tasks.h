// Target tasks that workers leave lying are begun by stand-ins: a chain of them goes on while all
// workers are inside long tasks. To begin one is to call libomptarget, which takes some ten
// microseconds.
//
// The code of a target task need not do that: it may be the region itself, to be run on the host,
// by the construct's if clause. That one is for workers. So a construct is known to begin on a
// device when a task of it has done so.
//
// A stand-in begins what nobody has taken for a while when somebody polls, and at once what the
// thread for strong progress finds, since workers do not poll then (LOOMP_PROGRESS_BOUND).
//
// Thread safety: from any thread.
#pragma once

#include <cstdint>

namespace loomp::target {

/// A task of the construct with that code, which does not wait, begins something on a device.
void note_begun(const void *code);
/// Whether tasks of that construct, for that device, need no worker.
bool is_begun_anywhere(const void *code, std::int64_t device);
/// From now on tasks may need no worker.
void serve_left_tasks();

/// By the devices' poller. Returns how many tasks have been taken since the last time.
int poll_left_tasks();

/// Whether the calling thread, a stand-in, is within a task that it begins.
bool begins_task();

} // namespace loomp::target
