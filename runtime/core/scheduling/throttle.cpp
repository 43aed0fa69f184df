#include "runtime/core/scheduling/throttle.h"

#include <cstdio>

#include "platform/diagnostics.h"
#include "runtime/core/dependences/dependence_map.h"
#include "runtime/core/environment/memory_settings.h"
#include "runtime/core/environment/task_settings.h"
#include "runtime/core/memory/task_budget.h"
#include "runtime/core/scheduling/completion.h"
#include "runtime/core/scheduling/priority.h"
#include "runtime/core/scheduling/queueing.h"
#include "runtime/core/scheduling/suspend.h"
#include "runtime/core/scheduling/task_allocation.h"
#include "runtime/core/scheduling/throttled_creators.h"
#include "runtime/core/team/team.h"

namespace loomp::core {

bool producers_first = false;

namespace {

/// Suspends the running task until at most `few` of its children are left.
LOOMP_MAY_SWITCH void wait_for_fewer(Worker &worker, std::uint32_t few) {
    Task &task = *worker.task;
    Suspension suspension;
    task.predecessors.permit_children(few);
    throttled_creators.fetch_add(1, std::memory_order_relaxed);
    suspend_until(suspension, [&task, &suspension] {
        task.waiter = &suspension;
        // acquire: children's effects.
        std::uint64_t word = task.children.load(std::memory_order_acquire);
        do {
            if (few_enough(task, word))
                return false;
            // release: the waiter and the number. From then on the task may go on, be throttled
            // again, and end: it is not to be looked at.
        } while (!task.children.compare_exchange_weak(word, word | children::kWaitFewer,
                                                      std::memory_order_acq_rel,
                                                      std::memory_order_acquire));
        return true;
    });
    throttled_creators.fetch_sub(1, std::memory_order_relaxed);
    task.predecessors.permit_children(0);
}

std::uint32_t unfinished_children(const Task &task) {
    return task.created + children::live(task.children.load(std::memory_order_relaxed));
}

LOOMP_MAY_SWITCH void throttle(Worker &worker, std::uint32_t unfinished) {
    flush_completions(worker);
    LOOMP_ASSERT(is_in(*worker.task, TaskPhase::running));
    fold_created(*worker.task);
    ++worker.discovery.throttled;
    wait_for_fewer(worker, unfinished / 2);
}

} // namespace

LOOMP_COLD void throttle_by_memory(Worker &worker) {
    worker.task_blocks.clear_over_budget();
    worker.attached_blocks.clear_over_budget();
    const Task &task = *worker.task;
    const std::uint32_t unfinished = unfinished_children(task);
    // Creators with little go on, so that there is always one whose children complete; but all of
    // them together cannot take much more than the bound.
    constexpr std::size_t of_one = 256;
    const std::size_t entries = task.map != nullptr ? task.map->size() : 0;
    if (unfinished * of_one + entries * (4 * sizeof(DependenceMap::Entry)) <
        task_memory_bound() / (2 * worker_count()))
        return;
    static Atomic<bool> warned{false};
    if (memory_settings().task_memory == 0 && !warned.exchange(true, std::memory_order_relaxed)) {
        const unsigned sharers = sharers_of_task_memory();
        char divided[64] = "";
        if (sharers > 1)
            std::snprintf(divided, sizeof divided, ", divided among %u processes", sharers);
        warn("tasks take %zu MiB, a quarter of the memory there is%s: creators of tasks wait until "
             "others complete (LOOMP_TASK_MEMORY sets another bound)",
             reserved_for_tasks() >> 20, divided);
    }
    throttle(worker, unfinished);
}

LOOMP_COLD void throttle_by_number(Worker &worker) {
    const std::uint32_t unfinished = unfinished_children(*worker.task);
    if (unfinished >= static_cast<std::uint32_t>(task_settings().max_tasks))
        throttle(worker, unfinished);
}

LOOMP_NOINLINE void throttle_by_queue(Member &member) {
    if (member.throttled != nullptr)
        return;
    Suspension suspension;
    suspend_until(suspension, [&member, &suspension] {
        member.throttled = &suspension;
        return true;
    });
}

void queue(Worker &worker, Task &task) {
    Member &member = *worker.member;
    count_task(task);
    enter_ready(task);
    enqueue(member, task);
    // Those without a priority are not run at once either while others have one.
    if (LOOMP_UNLIKELY(member.team->has_met(Team::kPriorities)) && !producers_first &&
        (prioritized_count(member) > kManyPrioritized ||
         member.ready.holds_more_than(kManyPrioritized)))
        throttle_by_queue(member);
}

} // namespace loomp::core
