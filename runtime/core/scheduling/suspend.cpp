#include "runtime/core/scheduling/suspend.h"

#include <utility>

#include "runtime/core/progress/poller.h"
#include "runtime/core/scheduling/completion.h"
#include "runtime/core/scheduling/queueing.h"
#include "runtime/core/scheduling/resume.h"
#include "runtime/core/scheduling/running.h"
#include "runtime/core/scheduling/scheduler.h"
#include "runtime/core/scheduling/switching.h"
#include "runtime/core/scheduling/taking.h"
#include "runtime/core/suspension/stack.h"
#include "runtime/core/worker/oversubscription.h"
#include "runtime/core/worker/worker.h"

namespace loomp::core {

void suspend(Suspension &suspension, ArmFn arm, void *argument, Task *first) {
    Worker &worker = *Worker::current();
    save(worker, suspension);
    if (LOOMP_UNLIKELY(worker.stack != nullptr && !worker.stack->guarded))
        check_canary(*worker.stack);
    Stack *stack = take_stack(worker);
    if (LOOMP_UNLIKELY(stack == nullptr))
        stack = &stack_for_shortage(worker);
    void (*entry)(void *) = scheduling_loop;
    WorkFirstCall *call = nullptr;
    if (must_release_creator(worker)) {
        offer_next_task(*worker.member); // the creator continues, and may not look for long
        entry = release_creator;
        call = part_from_creator(worker);
    }
    worker.after = {arm, argument, &suspension, nullptr, first};
    worker.stack = stack;
    worker.task = nullptr;
    worker.tie = nullptr;
    switch_to_new(suspension.context, *stack, entry, call);
    restore(suspension);
}

void suspend_awaiting(Suspension &suspension, ArmFn arm, void *argument, Task *first) {
    suspend(suspension, arm, argument, first);
    if (LOOMP_LIKELY(suspension.on_top == nullptr))
        return;
    const KeepsError keeps(*Worker::current());
    while (suspension.on_top != nullptr) {
        execute_on_top(*Worker::current(), *std::exchange(suspension.on_top, nullptr));
        Worker &worker = *Worker::current();
        flush_completions(worker);
        // The tasks that it waits for may have completed: it continues at once then, perhaps for
        // long.
        offer_next_task(*worker.member);
        suspend(suspension, arm, argument);
    }
}

bool would_idle() {
    const Worker *worker = Worker::current_or_null();
    if (worker == nullptr || anything_pending() || oversubscribed() || spin_limit(false) == 0 ||
        worker->back_off.impatient() || must_release_creator(*worker))
        return false;
    Member &member = *worker->member;
    return member.throttled == nullptr && !member.resumable.holds_work() &&
           !member.team->resumable.holds_work() && !tasks_visible(member);
}

void yield(Task *first) {
    Suspension self;
    suspend_until(
        self,
        [&self] {
            make_resumable(self);
            return true;
        },
        first);
}

} // namespace loomp::core
