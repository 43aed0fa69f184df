// Events delay the completion of a task. An explicit task is held while it has any. An implicit
// task completes only at its region's end, so the region's end waits for its events, through a
// child with an OpenMP event. The initial task never completes.
#include "platform/export.h"
#include "runtime/alpi/alpi_diagnostics.h"
#include "runtime/alpi/self.h"
#include "runtime/alpi/task_record.h"

using namespace loomp::alpi;

namespace {

constexpr std::uint64_t kMost = 1'000'000'000;

/// Creates a child of the running implicit task that completes with its event.
omp_event_handle_t make_held_child() {
    omp_event_handle_t event = {};
#pragma omp task detach(event)
    {
        asm volatile(""); // gcc creates no task without code
    }
    return event;
}

/// Only the running task adds events, so no other thread uses its record while it has none. Returns
/// false if the task cannot complete later, or has too many.
bool add(alpi_task *task, std::uint64_t count) {
    constexpr const char *what = "events of a task";
    const bool is_explicit = omp_in_explicit_task() != 0;
    {
        const LockedRecord record(task, what);
        if (count > kMost - record->events)
            return false;
        if (is_explicit && record->events == 0) {
            record->held = loomp_hold_task(1);
            if (record->held == nullptr)
                return false;
        }
        if (is_explicit || record->events != 0) {
            record->events += count;
            return true;
        }
    }
    const omp_event_handle_t child =
        loomp_in_task() != 0 ? make_held_child() : omp_event_handle_t{};
    const LockedRecord record(task, what);
    record->child = child;
    record->events = count;
    return true;
}

} // namespace

LOOMP_EXPORT int alpi_task_events_increase(alpi_task *task, uint64_t increment) {
    const alpi_error_t error = check_self(task);
    if (error != ALPI_SUCCESS || increment == 0)
        return error;
    if (add(task, increment))
        return ALPI_SUCCESS;
    warn("alpi_task_events_increase(): an undeferred or final task cannot complete later than "
         "its code ends, and no task has more than 10^9 events");
    return ALPI_ERR_PARAMETER;
}

LOOMP_EXPORT int alpi_task_events_test(alpi_task *task, uint64_t *has_events) {
    const alpi_error_t error = check_self(task);
    if (error != ALPI_SUCCESS)
        return error;
    if (has_events == nullptr)
        return ALPI_ERR_PARAMETER;
    const LockedRecord record(task);
    *has_events = record && record->events != 0 ? 1 : 0;
    return ALPI_SUCCESS;
}

LOOMP_EXPORT int alpi_task_events_decrease(alpi_task *task, uint64_t decrement) {
    if (task == nullptr)
        return ALPI_ERR_PARAMETER;
    if (decrement == 0)
        return ALPI_SUCCESS;
    loomp_held_task_t *held = nullptr;
    omp_event_handle_t child = {};
    bool runs_again = false;
    {
        const LockedRecord record(task);
        if (!record || record->events < decrement) {
            warn("alpi_task_events_decrease(): by more than the events that the task has; ignored");
            return ALPI_ERR_PARAMETER;
        }
        record->events -= decrement;
        if (record->events != 0)
            return ALPI_SUCCESS;
        held = std::exchange(record->held, nullptr);
        child = std::exchange(record->child, {});
        runs_again = std::exchange(record->waits_for_events, false);
    }
    if (held != nullptr)
        loomp_release_task(held, 1);
    if (child != omp_event_handle_t{})
        omp_fulfill_event(child);
    if (runs_again)
        make_ready(task);
    return ALPI_SUCCESS;
}
