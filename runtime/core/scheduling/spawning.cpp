#include "runtime/core/scheduling/spawning.h"

#include <algorithm>

#include "platform/atomic.h"
#include "platform/clock.h"
#include "platform/made_once.h"
#include "runtime/core/dependences/linking.h"
#include "runtime/core/environment/task_settings.h"
#include "runtime/core/scheduling/completion.h"
#include "runtime/core/scheduling/fusion.h"
#include "runtime/core/scheduling/placing.h"
#include "runtime/core/scheduling/priority.h"
#include "runtime/core/scheduling/priority_graph.h"
#include "runtime/core/scheduling/queueing.h"
#include "runtime/core/scheduling/taking.h"
#include "runtime/core/scheduling/task_allocation.h"
#include "runtime/core/scheduling/throttle.h"
#include "runtime/core/scheduling/transparent.h"
#include "runtime/core/scheduling/waiting.h"

namespace loomp::core {

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
    publish<Team::kAlways>(*member.team, [&] { member.ready.push(&task); });
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

namespace {

/// Spawns a task that stands for a batch.
LOOMP_MAY_SWITCH void spawn_batch(Worker &worker, Task &first) {
    // It stands for many tasks.
    Member &member = *worker.member;
    if (member.ready.holds_more_than(member.ready_limit >> 4))
        spawn_behind_many(worker, member, first);
    else
        queue(worker, first);
}

} // namespace

void spawn_fusible(Worker &worker, Task &task) {
    if (runs_by_itself(task)) {
        task.flags &= ~TaskFlags{kFusible};
        return spawn(worker, task);
    }
    Member &member = *worker.member;
    const unsigned kind = task.route.kind();
    if (made_once(member.gathered)[slot_of_kind(kind)].size() + 1 >= task_kind(kind).max)
        if (Task *others = take_rest_of_batch(member, task))
            return spawn_batch(worker, make_batch(task, others));
    count_task(task);
    enter_ready(task);
    gather(member, task);
}

void spawn_placed(Worker &worker, Task &task) {
    // Creators run what they have created if a queue has more tasks than this.
    constexpr std::uint32_t many = 4096;
    if (worker.task->has(kPlacesNew))
        place_as_new(worker, task);
    if (!task.has(kPlaced) || !settle_place(task))
        return spawn(worker, task);
    count_task(task);
    SharedQueues &queues = made_once(task.team->shared);
    const unsigned queue = queue_of(task);
    enter_ready(task);
    queue_ready(task);
    // A queue with a name is the program's to bound.
    if (queue >= kPartQueues || producers_first)
        return throttle_if_over_budget(worker);
    // Far ahead of those who run them: the creator's thread runs one.
    if (LOOMP_UNLIKELY(queues[queue].size() > many))
        taskyield();
}

void spawn_transparent(Task &task, const Dependence *dependences, std::size_t count) {
    LOOMP_TOOL(dependences, task, dependences, count);
    Worker &worker = *Worker::current();
    if (LOOMP_UNLIKELY(worker.member->alone) && !task.has(kRunsChildrenInline) &&
        spawn_alone(worker, task, dependences, count))
        return;
    count_task(task);
    expect_tasks(*worker.member->team);
    transition(task, TaskPhase::created, TaskPhase::linked);
    TaskSet predecessors;
    enter_transparent(worker, task, dependences, count, predecessors);
    const std::int32_t made = make_edges(task, predecessors, worker);
    predecessors.free_storage();
    if (made == 0 || task.predecessors.add(made))
        make_ready(task);
    throttle_if_over_budget(worker);
}

} // namespace loomp::core
