#include "runtime/core/scheduling/queueing.h"

#include "runtime/core/scheduling/completion.h"
#include "runtime/core/scheduling/fusion.h"
#include "runtime/core/scheduling/shared_queues.h"
#include "runtime/core/scheduling/suspend.h"
#include "runtime/core/task/tool.h"
#include "runtime/core/worker/worker.h"

namespace loomp::core {

namespace {

/// Brings a ready task that no deque holds where it belongs. An empty node of the graph has no code
/// to run: the calling worker completes it, after those that it is completing already.
LOOMP_NOINLINE void settle_node(Task &task) {
    if (task.has(kPlaced))
        return queue_placed(task);
    if (task.has(kFusible))
        return queue_fusible(task);
    if (task.has(kNodeOnly)) {
        make_resumable(*task.waiter);
        return;
    }
    Worker &worker = *Worker::current();
    task.next = worker.ready_nodes;
    worker.ready_nodes = &task;
    if (worker.completing_nodes)
        return;
    worker.completing_nodes = true;
    while (Task *node = worker.ready_nodes) {
        worker.ready_nodes = node->next;
        LOOMP_TOOL(empty_task, *node);
        complete_task(*node);
    }
    worker.completing_nodes = false;
}

} // namespace

void queue_target(Task &task) {
    LOOMP_ASSERT(is_in(task, TaskPhase::ready) && needs_no_worker(task));
    Team &team = *task.team;
    expect_tasks(team);
    team.note(Team::kTargets);
    team.targets.push(task);
    team.event.notify_one();
}

void enqueue_unusual(Member &member, Task &task) {
    if (needs_no_worker(task))
        return queue_target(task);
    Team &team = *member.team;
    expect_tasks(team);
    if (task.has(kPrioritized))
        queue_prioritized(member, task);
    else
        member.ready.push(&task);
    team.event.notify_one();
}

LOOMP_NOINLINE void enqueue_from_outside(Task &task) {
    if (LOOMP_UNLIKELY(task.has(kTarget)) && needs_no_worker(task))
        return queue_target(task);
    Team &team = *task.team;
    expect_tasks(team);
    team.note(Team::kInbox);
    // A batch is chained by the inbox's link.
    for (Task *others = part_from_batch(task); LOOMP_UNLIKELY(others != nullptr);)
        team.inbox.push(*std::exchange(others, others->next));
    team.inbox.push(task);
    team.event.notify_one();
}

void queue_ready(Task &task) {
    LOOMP_ASSERT(is_in(task, TaskPhase::ready));
    if (LOOMP_UNLIKELY((task.flags & kNotForDeque & ~kPrioritized) != 0))
        return settle_node(task);
    Worker &worker = *Worker::current();
    if (LOOMP_LIKELY(worker.member->team == task.team))
        enqueue(*worker.member, task);
    else
        enqueue_from_outside(task);
}

void make_ready_in_turn(Task &task) {
    enter_ready(task);
    if ((task.flags & kNotForDeque) != 0)
        queue_ready(task);
    else
        enqueue_from_outside(task);
}

} // namespace loomp::core
