// Stand-ins begin target tasks that workers leave in the queue, so a chain of such tasks continues
// while all workers are inside long tasks. To begin a task means to call libomptarget, which takes
// some ten microseconds.
//
// The code of a target task may also be the region itself, run on the host because of the
// construct's if clause. Workers run that. So a construct counts as one that begins on a device
// after one of its tasks has done so.
//
// A stand-in begins a task that was left for a while when a thread polls. It begins a task that the
// thread for strong progress finds at once, because workers do not poll then
// (LOOMP_PROGRESS_BOUND).
//
// Thread safety: from any thread.
#pragma once

#include <cstdint>

namespace loomp::target {

/// Records that a task with that construct's code began an operation on a device without waiting.
void note_begun(const void *code);
/// Returns whether tasks of that construct, for that device, need no worker.
bool is_begun_anywhere(const void *code, std::int64_t device);
/// Starts to serve tasks that need no worker.
void serve_left_tasks();

/// The devices' poller calls it. Returns how many tasks have been taken since the last call.
int poll_left_tasks();

/// Returns whether the calling thread is a stand-in inside a task that it begins.
bool begins_task();

} // namespace loomp::target
