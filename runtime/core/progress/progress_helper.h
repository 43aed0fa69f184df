// The thread behind strong progress: it polls if no other thread has done so for
// LOOMP_PROGRESS_BOUND. It starts when something is pending for the first time, and sleeps while
// nothing is. It runs no task.
#pragma once

#include <cstdint>

namespace loomp::core {

/// Something has become pending: starts the helper, or wakes it. Any thread may call it.
void wake_helper();
void forget_helper_after_fork();
/// True if there will be no helper: LOOMP_PROGRESS_BOUND=infinite, or the system has refused its
/// thread.
bool is_without_helper();

/// Polls each poller with pending operations whose last poll is at least `age` nanoseconds ago;
/// defined in runtime/core/progress/poller.cpp. Returns the time of the oldest last poll
/// afterwards.
std::int64_t poll_those_older_than(std::int64_t age);

} // namespace loomp::core
