// Tasks whose code runs again from its beginning instead of ending.
#include "platform/export.h"
#include "runtime/alpi/alpi_diagnostics.h"
#include "runtime/alpi/self.h"
#include "runtime/alpi/task_record.h"

using namespace loomp::alpi;

namespace {

/// Keeps the task from ending; its code runs again when its mode says so.
void wait_to_run_again(alpi_task *task) {
    bool is_ready = false;
    Timer *timer = nullptr;
    std::uint64_t time = 0;
    {
        const LockedRecord record(task);
        switch (record->mode) {
        case ALPI_SUSPEND_NONE:
            is_ready = std::exchange(record->unblocked, false);
            record->waits_for_unblock = !is_ready;
            break;
        case ALPI_SUSPEND_SUBMIT:
            is_ready = true;
            break;
        case ALPI_SUSPEND_TIMEOUT_SUBMIT:
            timer = &*record;
            time = record->mode_args;
            break;
        case ALPI_SUSPEND_EVENT_SUBMIT:
            is_ready = record->events == 0;
            record->waits_for_events = !is_ready;
            break;
        }
    }
    if (is_ready)
        make_ready(task);
    if (timer != nullptr)
        start_timer(*timer, time);
}

void returned(void *data, int ends) {
    auto *task = static_cast<alpi_task *>(data);
    if (ends == 0)
        return wait_to_run_again(task);
    const LockedRecord record(task);
    record->tells_return = false;
    record->mode = ALPI_SUSPEND_NONE;
}

/// Returns whether the running task, `task`, can run again; writes a line on stderr if not.
bool can_run_again(alpi_task *task, const char *function) {
    const LockedRecord record(task, "a task that is run again");
    if (record->tells_return)
        return true;
    if (loomp_when_returned(returned, task) == 0) {
        record->expire = [](Timer &self) { make_ready(static_cast<Record &>(self).task); };
        record->tells_return = true;
        return true;
    }
    warn("%s(): an implicit, undeferred, final or untied task, and one with private variables "
         "of C++ classes, cannot be run again",
         function);
    return false;
}

} // namespace

LOOMP_EXPORT int alpi_task_suspend_mode_set(alpi_task *task, alpi_suspend_mode_t suspend_mode,
                                            uint64_t args) {
    const alpi_error_t error = check_self(task);
    if (error != ALPI_SUCCESS)
        return error;
    if (suspend_mode < ALPI_SUSPEND_NONE || suspend_mode > ALPI_SUSPEND_EVENT_SUBMIT ||
        !can_run_again(task, __func__))
        return ALPI_ERR_PARAMETER;
    const LockedRecord record(task);
    record->mode = suspend_mode;
    record->mode_args = args;
    return ALPI_SUCCESS;
}

LOOMP_EXPORT int alpi_task_suspend(alpi_task *task) {
    const alpi_error_t error = check_self(task);
    if (error != ALPI_SUCCESS)
        return error;
    if (!can_run_again(task, __func__))
        return ALPI_ERR_PARAMETER;
    loomp_run_again();
    return ALPI_SUCCESS;
}
