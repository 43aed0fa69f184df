#include "runtime/core/scheduling/cancellation.h"

#include "runtime/core/environment/team_settings.h"
#include "runtime/core/scheduling/detach_event.h"
#include "runtime/core/scheduling/taskgroup.h"
#include "runtime/core/worker/worker.h"

namespace loomp::core {

namespace {

bool is_cancelled(CancelKind kind, const Worker &worker) {
    Team &team = *worker.member->team;
    if (kind == CancelKind::loop || kind == CancelKind::sections)
        return team.work.cancelled.load(std::memory_order_acquire) == worker.member->work.number;
    if (kind == CancelKind::taskgroup && taskgroup_cancelled(*worker.task))
        return true;
    return team.cancelled.load(std::memory_order_acquire);
}

/// The running task continues at its end, which completes it. So its event need not happen.
void leave_task(Task &task) {
    if (LOOMP_UNLIKELY(task.has(kDetachable)))
        discard_event(task);
}

} // namespace

bool cancel(CancelKind kind) {
    if (!team_settings().cancellation)
        return false;
    Worker &worker = *Worker::current();
    LOOMP_TOOL(cancel, *worker.task, static_cast<int>(kind) | kCancelActivated);
    Team &team = *worker.member->team;
    switch (kind) {
    case CancelKind::parallel:
        begin_cancellation(team);
        // release: a thread that sees it sees what led to it.
        team.cancelled.store(true, std::memory_order_release);
        return true;
    case CancelKind::loop:
    case CancelKind::sections:
        team.work.cancelled.store(worker.member->work.number, std::memory_order_release);
        return true;
    case CancelKind::taskgroup:
        cancel_taskgroup(*worker.task);
        leave_task(*worker.task);
        return true;
    }
    return false;
}

bool is_cancelled(CancelKind kind) {
    return team_settings().cancellation && is_cancelled(kind, *Worker::current());
}

bool cancellation_point(CancelKind kind) {
    if (!is_cancelled(kind))
        return false;
    Task &task = *Worker::current()->task;
    LOOMP_TOOL(cancel, task, static_cast<int>(kind) | kCancelDetected);
    if (kind == CancelKind::taskgroup)
        leave_task(task);
    return true;
}

} // namespace loomp::core
