// Limits the operations in flight on all devices together: each takes a stream of the device, and
// time of the poller. Further operations wait in order of arrival. Tasks that have not begun wait
// without a stack; tasks about to call libomptarget are suspended.
//
// Invariant: while an operation waits, either no place is free, or a called task is on its way to
// one. That task passes the place on if it does not take it.
//
// Thread safety: from any thread.
#pragma once

#include "platform/common.h"

namespace loomp::core {
struct Task;
}

namespace loomp::target {

/// Returns false if there is no place: the target task that was about to begin waits, and begins
/// again later.
bool may_begin(core::Task &task);
/// The code of a target task has ended: passes on the place for which it waited, if it did not take
/// it.
void pass_on();

/// Takes a place; suspends the calling task until one is free.
LOOMP_MAY_SWITCH void take_place();
/// Frees a place. Any thread may call it.
void give_place_back();

} // namespace loomp::target
