#include "runtime/core/scheduling/scheduler.h"

#include <utility>

#include "runtime/core/scheduling/stack_shortage.h"
#include "runtime/core/suspension/stack.h"

namespace loomp::core {

namespace {

/// Continues a suspended task; the stack left behind holds nothing and is recycled.
LOOMP_ABANDONS_STACK void leave_for(Suspension &suspension) {
    Worker &worker = *Worker::current();
    flush_completions(worker);
    worker.after = {};
    worker.after.recycle = worker.stack;
    leave_to(suspension.context);
}

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
        const AfterSwitch after = std::exchange(worker.after, AfterSwitch{});
        if (LOOMP_UNLIKELY(after.recycle != nullptr))
            release_stack(after.recycle);
        const bool waits = after.arm == nullptr || after.arm(after.argument);
        if (after.first != nullptr) {
            if (!waits)
                queue_ready(*after.first);
            else if (in_shortage(worker))
                defer_until_stack(*worker.member, *after.first);
            else
                execute(*after.first);
        }
        if (!waits) {
            offer_next_task(*worker.member);
            leave_for(*after.suspended);
        }
    }
    schedule_for_ever();
}

void schedule_for_ever() {
    Worker &worker = *Worker::current();
    worker.member->modes.adopt();
    leave_for(in_shortage(worker) ? schedule_in_shortage() : schedule_until_resumable());
}

} // namespace loomp::core
