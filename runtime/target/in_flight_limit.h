// How many operations may be in flight at once, on all devices together: each takes a stream of the
// device, and is looked after by the poller. Further ones wait, in the order in which they come:
// tasks that have not begun, without a stack, and those that are about to call libomptarget
// suspended.
//
// Invariant: while somebody waits there is no free place, or somebody who has been called is on his
// way to one and will pass it on if he does not take it.
//
// Thread safety: from any thread.
#pragma once

#include "platform/common.h"

namespace loomp::core {
struct Task;
}

namespace loomp::target {

/// False: the target task, which was about to begin, waits for a place, and begins again then.
bool may_begin(core::Task &task);
/// The code of a target task has ended: it may not have taken the place for which it waited.
void pass_on();

/// Takes a place; suspends the calling task until there is one.
LOOMP_MAY_SWITCH void take_place();
/// From any thread.
void give_place_back();

} // namespace loomp::target
