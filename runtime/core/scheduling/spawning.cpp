#include "runtime/core/scheduling/spawning.h"

#include <algorithm>

#include "platform/atomic.h"
#include "platform/clock.h"
#include "runtime/core/dependences/linking.h"
#include "runtime/core/environment/task_settings.h"
#include "runtime/core/scheduling/completion.h"
#include "runtime/core/scheduling/priority.h"
#include "runtime/core/scheduling/priority_graph.h"
#include "runtime/core/scheduling/queueing.h"
#include "runtime/core/scheduling/taking.h"
#include "runtime/core/scheduling/task_allocation.h"
#include "runtime/core/scheduling/throttle.h"
#include "runtime/core/scheduling/transparent.h"
#include "runtime/core/scheduling/waiting.h"

namespace loomp::core {

bool discovery_watched = false;
bool producers_first = false;

namespace {

/// Enough independent tasks are in the member's queue for the team: created much faster than run,
/// they would fill memory and go cold in the caches. Tasks with dependences do not count: seeing
/// far into the graph is what pays there.
///
/// From then on a number of tasks run at once without a look at the queue, whose end is in the
/// cache of the last thief, and further ones while it is at least half full.
LOOMP_MAY_SWITCH LOOMP_NOINLINE void spawn_behind_many(Worker &worker, Member &member, Task &task) {
    if (LOOMP_UNLIKELY(producers_first)) {
        queue(worker, task);
        return throttle_if_over_budget(*Worker::current());
    }
    constexpr std::int32_t tasks_per_look = 32;
    if (work_first_possible && !oldest_first) {
        member.inline_budget.set(tasks_per_look);
        return run_or_queue(worker, task);
    }
    queue(worker, task);
    Member &now = *Worker::current()->member;
    if (now.ready.holds_more_than(std::max(now.ready_limit, 2 * kFewReady)))
        throttle_by_queue(now);
}

/// Whether every task that the running one has created before `task` is complete.
bool siblings_have_completed(const Task &task) {
    Task &parent = *task.parent;
    // acquire: their effects.
    return parent.created == 0 && parent.children.load(std::memory_order_acquire) == 0;
}

} // namespace

bool spawn_alone(Worker &worker, Task &task, const Dependence *dependences, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i)
        if (dependences[i].access == Access::mutexinoutset)
            return false; // its locks are known to the map
    if (imports_accesses(*task.parent))
        return false; // its siblings are not all that it may wait for
    if (DependenceMap *map = task.parent->map; map != nullptr && !map->empty()) {
        if (!siblings_have_completed(task))
            return false;
        map->clear();
    }
    return run_work_first(worker, task, dependences, count);
}

namespace {

/// Queues a task that needs no worker. If many are queued, the creator yields, or may be throttled
/// if producers come first.
LOOMP_MAY_SWITCH LOOMP_NOINLINE void spawn_target(Worker &worker, Task &task) {
    Team &team = *worker.member->team;
    queue(worker, task);
    if (LOOMP_LIKELY(!team.targets.holds_many()))
        return;
    if (producers_first)
        throttle_if_over_budget(*Worker::current());
    else
        taskyield();
}

LOOMP_MAY_SWITCH LOOMP_NOINLINE void spawn_prioritized(Worker &worker, Task &task) {
    if (!producers_first)
        return run_or_queue(worker, task);
    queue(worker, task);
    throttle_if_over_budget(*Worker::current());
}

} // namespace

void spawn_queued(Worker &worker, Task &task) {
    Member &member = *worker.member;
    if (LOOMP_UNLIKELY((task.flags & (kPrioritized | kTarget)) != 0)) {
        if (task.has(kPrioritized))
            return spawn_prioritized(worker, task);
        // A creator that is alone begins it at once.
        if (needs_no_worker(task) && !member.alone)
            return spawn_target(worker, task);
    }
    const std::int64_t enough =
        member.inline_budget.is_closed() ? member.ready_limit : member.ready_limit / 2;
    member.inline_budget.close();
    if (LOOMP_UNLIKELY(member.ready.holds_more_than(enough)))
        return spawn_behind_many(worker, member, task);
    count_task(task);
    enter_ready(task);
    expect_tasks(*member.team);
    member.ready.push(&task);
    member.team->event.notify_one();
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

void spawn_batch(Worker &worker, Task &first) {
    // It stands for many tasks.
    Member &member = *worker.member;
    if (member.ready.holds_more_than(member.ready_limit >> 4))
        spawn_behind_many(worker, member, first);
    else
        queue(worker, first);
}

namespace {

bool link_watched(Task &task, const Dependence *dependences, std::size_t count);

/// Whether tasks are not to run as soon as they are created, where they could: priorities that go
/// to predecessors decide about tasks that are known and have not run.
template <bool (*link)(Task &, const Dependence *, std::size_t)> LOOMP_INLINE bool sees_ahead() {
    return link == link_watched && propagates_priorities;
}

/// `link` is link_dependences(), or does more.
template <bool (*link)(Task &, const Dependence *, std::size_t)>
LOOMP_MAY_SWITCH LOOMP_INLINE void spawn_linked(Task &task, const Dependence *dependences,
                                                std::size_t count) {
    Worker &worker = *Worker::current();
    Member &member = *worker.member;
    if (LOOMP_UNLIKELY(member.alone) && !sees_ahead<link>() &&
        spawn_alone(worker, task, dependences, count))
        return;
    count_task(task);
    expect_tasks(*member.team);
    task.flags |= kHasDependences;
    transition(task, TaskPhase::created, TaskPhase::linked);
    if (link(task, dependences, count))
        make_ready(task);
    throttle_if_over_budget(worker);
}

/// Links a task, and does what settings ask for; without them a program does not pay for this.
bool link_watched(Task &task, const Dependence *dependences, std::size_t count) {
    if (propagates_priorities)
        note_predecessors(task, dependences, count);
    if (!task_settings().stats)
        return link_dependences(task, dependences, count);
    const std::uint64_t start = nanoseconds();
    const bool ready = link_dependences(task, dependences, count);
    Worker::current()->discovery.note_creation(start, nanoseconds());
    return ready;
}

LOOMP_MAY_SWITCH LOOMP_NOINLINE void spawn_watched(Task &task, const Dependence *dependences,
                                                   std::size_t count) {
    LOOMP_TOOL(dependences, task, dependences, count);
    spawn_linked<link_watched>(task, dependences, count);
    if (task_settings().max_tasks != 0)
        throttle_by_number(*Worker::current());
}

} // namespace

void spawn(Task &task, const Dependence *dependences, std::size_t count) {
    if (LOOMP_UNLIKELY(static_cast<int>(tool_enabled) | static_cast<int>(discovery_watched)))
        return spawn_watched(task, dependences, count);
    spawn_linked<link_dependences>(task, dependences, count);
}

} // namespace loomp::core
