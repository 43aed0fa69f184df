// The calling thread's task.
#pragma once

#include "loomp/alpi.h"
#include "loomp/loomp.h"

namespace loomp::alpi {

/// Returns null outside tasks.
inline alpi_task *running_task() { return reinterpret_cast<alpi_task *>(loomp_task_self()); }

/// Checks the argument of functions that a task calls for itself.
inline alpi_error_t check_self(const alpi_task *task) {
    const alpi_task *running = running_task();
    if (running == nullptr)
        return ALPI_ERR_OUTSIDE_TASK;
    return running == task ? ALPI_SUCCESS : ALPI_ERR_PARAMETER;
}

inline void make_ready(alpi_task *task) {
    loomp_make_ready(reinterpret_cast<loomp_task_t *>(task));
}

} // namespace loomp::alpi
