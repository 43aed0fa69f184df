// Tasks that block until another thread names them, or for a time.
#include "platform/clock.h"
#include "platform/export.h"
#include "runtime/alpi/alpi_diagnostics.h"
#include "runtime/alpi/self.h"
#include "runtime/alpi/task_record.h"

using namespace loomp::alpi;

LOOMP_EXPORT int alpi_task_self(alpi_task **task) {
    if (task == nullptr)
        return ALPI_ERR_PARAMETER;
    *task = running_task();
    return ALPI_SUCCESS;
}

LOOMP_EXPORT int alpi_task_block(alpi_task *task) {
    const alpi_error_t error = check_self(task);
    if (error != ALPI_SUCCESS)
        return error;
    loomp_suspension_t until_unblocked = LOOMP_SUSPENSION_INIT;
    {
        const LockedRecord record(task, "a task that is blocked");
        if (record->unblocked) {
            record->unblocked = false;
            return ALPI_SUCCESS;
        }
        record->blocked = &until_unblocked;
        record->thread = loomp::this_thread();
    }
    loomp_suspend(&until_unblocked);
    return ALPI_SUCCESS;
}

LOOMP_EXPORT int alpi_task_unblock(alpi_task *task) {
    if (task == nullptr)
        return ALPI_ERR_PARAMETER;
    loomp_suspension_t *blocked = nullptr;
    {
        const LockedRecord record(task, "a task that is blocked");
        if (record->unblocked) {
            warn("alpi_task_unblock(): called twice for one alpi_task_block(); the second is "
                 "ignored");
            return ALPI_ERR_PARAMETER;
        }
        blocked = std::exchange(record->blocked, nullptr);
        record->unblocked = blocked == nullptr && !record->waits_for_unblock;
        record->waits_for_unblock = false;
        if (record->unblocked)
            return ALPI_SUCCESS;
    }
    if (blocked != nullptr)
        loomp_resume(blocked);
    else
        make_ready(task);
    return ALPI_SUCCESS;
}

LOOMP_EXPORT int alpi_task_waitfor_ns(uint64_t target_ns, uint64_t *actual_ns) {
    if (running_task() == nullptr)
        return ALPI_ERR_OUTSIDE_TASK;
    struct Waiting : Timer {
        loomp_suspension_t over = LOOMP_SUSPENSION_INIT;
    } waiting;
    const std::int64_t start = loomp::core::nanoseconds();
    if (target_ns == 0) {
#pragma omp taskyield
    } else {
        waiting.expire = [](Timer &self) { loomp_resume(&static_cast<Waiting &>(self).over); };
        start_timer(waiting, target_ns);
        loomp_suspend(&waiting.over);
    }
    if (actual_ns != nullptr)
        *actual_ns = static_cast<std::uint64_t>(loomp::core::nanoseconds() - start);
    return ALPI_SUCCESS;
}
