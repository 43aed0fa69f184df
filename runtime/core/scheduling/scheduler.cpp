#include "runtime/core/scheduling/scheduler.h"

#include "runtime/core/scheduling/stack_shortage.h"
#include "runtime/core/suspension/stack.h"

namespace loomp::core {

namespace {

/// The worker is on its own stack, on which no task may run.
bool in_shortage(const Worker &worker) { return worker.stack->owner != nullptr; }

/// Runs tasks until a suspended one may go on.
LOOMP_MAY_SWITCH LOOMP_NOINLINE Suspension &schedule_until_resumable() {
    for (;;) {
        Worker &worker = *Worker::current();
        Member &member = *worker.member;
        if (Suspension *suspension = take_to_continue(member))
            return *suspension;
        if (Task *task = take_task(worker, member)) {
            execute(*task);
            continue;
        }
        idle_until(worker, member, [] { return false; });
    }
}

} // namespace

void scheduling_loop(void *) {
    {
        Worker &worker = *Worker::current();
        worker.member->modes.adopt();
        const Arrival arrival = arrive(worker);
        if (Task *first = arrival.first) {
            if (arrival.continues != nullptr)
                queue_ready(*first);
            else if (in_shortage(worker))
                defer_until_stack(*worker.member, *first);
            else
                execute(*first);
        }
        if (arrival.continues != nullptr)
            leave_for(*arrival.continues);
    }
    schedule_for_ever();
}

void schedule_for_ever() {
    Worker &worker = *Worker::current();
    worker.member->modes.adopt();
    if (LOOMP_LIKELY(!in_shortage(worker)))
        leave_for(schedule_until_resumable());
    const ShortageEnd end = schedule_in_shortage();
    if (end.suspension != nullptr)
        leave_for(*end.suspension);
    leave_for_new(*end.stack, scheduling_loop);
}

} // namespace loomp::core
