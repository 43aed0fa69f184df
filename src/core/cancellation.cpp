#include "core/cancellation.h"

#include "core/scheduler.h"
#include "core/settings.h"
#include "core/taskgroup.h"

namespace loomp::core {

bool cancel(CancelKind kind) {
    if (!settings().cancellation)
        return false;
    Worker &worker = *Worker::current();
    Team &team = *worker.member->team;
    switch (kind) {
    case CancelKind::parallel:
        // release: who sees it sees what led to it.
        team.cancelled.store(true, std::memory_order_release);
        anything_cancelled.store(true, std::memory_order_relaxed);
        team.event.notify_all();
        return true;
    case CancelKind::loop:
    case CancelKind::sections:
        team.work_cancelled.store(true, std::memory_order_release);
        return true;
    case CancelKind::taskgroup:
        cancel_taskgroup(*worker.task);
        return true;
    }
    return false;
}

bool cancellation_point(CancelKind kind) {
    if (!settings().cancellation)
        return false;
    Worker &worker = *Worker::current();
    Team &team = *worker.member->team;
    if (kind == CancelKind::loop || kind == CancelKind::sections)
        return team.work_cancelled.load(std::memory_order_acquire);
    if (kind == CancelKind::taskgroup && taskgroup_cancelled(*worker.task))
        return true;
    return team.cancelled.load(std::memory_order_acquire);
}

} // namespace loomp::core
