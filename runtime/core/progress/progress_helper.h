// The thread behind strong progress: polls when nobody else has done so for LOOMP_PROGRESS_BOUND.
// Started when something is pending for the first time; asleep while nothing is. It runs no task.
#pragma once

#include <cstdint>

namespace loomp::core {

/// Something has become pending: starts the helper, or wakes it. From any thread.
void wake_helper();
void forget_helper_after_fork();

/// Polls every poller that has something pending and was last polled `age` nanoseconds ago or
/// earlier; defined in runtime/core/progress/poller.cpp. Returns the time of the oldest last poll
/// there is now.
std::int64_t poll_those_older_than(std::int64_t age);

} // namespace loomp::core
