// cancel and cancellation point (OpenMP 5.2, 16).
#pragma once

#include "runtime/core/task/tool.h"

namespace loomp::core {

enum class CancelKind : int {
    parallel = kCancelParallel,
    sections = kCancelSections,
    loop = kCancelLoop,
    taskgroup = kCancelTaskgroup,
};

/// Activates cancellation of the innermost region of the kind; true if the caller must branch to
/// its end. False when OMP_CANCELLATION is off.
bool cancel(CancelKind kind);
/// Returns whether it was activated; then a task leaves its region.
bool cancellation_point(CancelKind kind);
/// Returns whether a cancellation point would find that.
bool is_cancelled(CancelKind kind);

} // namespace loomp::core
