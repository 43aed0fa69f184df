#include "runtime/core/scheduling/queueing.h"

#include "platform/made_once.h"
#include "runtime/core/scheduling/placing.h"
#include "runtime/core/scheduling/priority_graph.h"
#include "runtime/core/scheduling/task_kinds.h"
#include "runtime/core/worker/worker.h"

namespace loomp::core {

bool oldest_first = false;

namespace {

/// Queues a task that needs no worker.
void queue_target(Task &task) {
    Team &team = *task.team;
    publish<Team::kTargets>(team, [&] { team.targets.push(task); });
}

} // namespace

void enqueue_unusual(Member &member, Task &task) {
    if (needs_no_worker(task))
        return queue_target(task);
    if (task.has(kPrioritized))
        publish<Team::kPriorities>(*member.team, [&] { queue_prioritized(member, task); });
    else
        publish<Team::kAlways>(*member.team, [&] { member.ready.push(&task); });
}

LOOMP_NOINLINE void enqueue_from_outside(Task &task) {
    LOOMP_ASSERT(is_in(task, TaskPhase::ready));
    if (LOOMP_UNLIKELY(task.has(kTarget)) && needs_no_worker(task))
        return queue_target(task);
    Team &team = *task.team;
    publish<Team::kInbox>(team, [&] { team.inbox.push(task); });
}

namespace {

/// A task with a place: it waits there, unless it has become one with another queue since.
void queue_placed(Task &task) {
    Team &team = *task.team;
    if (!settle_place(task))
        return queue_ready(task);
    publish<Team::kPlacings>(team, [&] { made_once(team.shared)[queue_of(task)].push(task); });
}

/// A fusible task joins those of its kind, or goes where any task goes if it has to run alone.
void queue_fusible(Task &task) {
    Member &member = *Worker::current()->member;
    // There tasks with dependences are in one queue, those without a priority, too.
    if (LOOMP_UNLIKELY(propagates_priorities) && task.has(kPrioritized))
        leave_without_priority(task);
    if (runs_by_itself(task) || member.team != task.team) {
        task.flags &= ~TaskFlags{kFusible};
        return queue_ready(task);
    }
    gather(member, task);
}

} // namespace

void gather(Member &member, Task &task) {
    Team &team = *member.team;
    expect_tasks(team);
    team.note(Team::kGathers);
    // The first one of a batch wakes a thread: the others join it.
    const unsigned kind = task.route.kind();
    if (made_once(member.gathered)[slot_of_kind(kind)].push(task) % task_kind(kind).max == 0)
        team.event.notify_one();
}

void queue_ready(Task &task) {
    LOOMP_ASSERT(is_in(task, TaskPhase::ready) && (task.flags & (kRedirect | kNodeOnly)) == 0);
    if (LOOMP_LIKELY((task.flags & kNotForDeque & ~kPrioritized) == 0))
        queue_usual(task);
    else if (task.has(kPlaced))
        queue_placed(task);
    else
        queue_fusible(task);
}

void queue_usual(Task &task) {
    Worker &worker = *Worker::current();
    if (LOOMP_LIKELY(worker.member->team == task.team))
        enqueue(*worker.member, task);
    else
        enqueue_from_outside(task);
}

} // namespace loomp::core
