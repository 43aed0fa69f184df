// Bringing ready tasks to the queue where a worker will find them.
#pragma once

#include <utility>

#include "runtime/core/scheduling/priority.h"
#include "runtime/core/task/task.h"
#include "runtime/core/team/team.h"

namespace loomp::core {

/// LOOMP_TASK_ORDER=fifo: workers take their own tasks oldest first. Set once at start.
LOOMP_HIDDEN extern bool oldest_first;

/// A task waits for nothing any more. The thread that finds that out queues it, or keeps it for its
/// worker.
LOOMP_INLINE void enter_ready(Task &task) {
    // launch() leaves the guard of a kept task that nothing else guards.
    LOOMP_ASSERT(task.has(kKept) || task.predecessors.unmet(std::memory_order_relaxed) == 0);
    LOOMP_ASSERT(!task.has(kImplicit) && !task.has(kNamesSet) && !task.has(kRequeue));
    constexpr TaskPhases usual = TaskPhase::created | TaskPhase::linked;
    transition(task, task.has(kKept) ? usual | TaskPhase::completed : usual, TaskPhase::ready);
}

/// Makes a ready task known to the team's workers, all of which look for it by the same steps in
/// the other order (runtime/core/scheduling/sources.h). `push` brings it into its queue, which the
/// mark stands for.
template <std::uint32_t kMark, class Push> LOOMP_INLINE void publish(Team &team, Push push) {
    expect_tasks(team);
    if constexpr (kMark != Team::kAlways)
        team.note(kMark);
    push();
    team.event.notify_one();
}

/// Brings a ready task, which is no empty node of the graph, to a queue of its team. Any thread may
/// call it.
void queue_ready(Task &task);
/// The part of it for tasks that deques may hold, and those with a priority.
void queue_usual(Task &task);
/// Brings a ready task to its team's inbox. Any thread may call it.
void enqueue_from_outside(Task &task);

/// Brings a task whose code is to run again to its team's inbox. Any thread may call it.
LOOMP_INLINE void make_ready_again(Task &task) {
    transition(task, TaskPhase::suspended, TaskPhase::ready);
    enqueue_from_outside(task);
}

/// Brings a ready fusible task to those that the member gathers. Its worker calls it.
void gather(Member &member, Task &task);

/// The part of enqueue() for tasks that may have queues of their own.
LOOMP_NOINLINE void enqueue_unusual(Member &member, Task &task);

/// Brings a task to the queue where the calling worker's own look comes first.
LOOMP_INLINE void enqueue(Member &member, Task &task) {
    LOOMP_ASSERT(is_in(task, TaskPhase::ready) && (task.flags & kNotForDeque & ~kPrioritized) == 0);
    if (LOOMP_UNLIKELY((task.flags & (kPrioritized | kTarget)) != 0))
        return enqueue_unusual(member, task);
    publish<Team::kAlways>(*member.team, [&] { member.ready.push(&task); });
}

/// Called before the member's worker continues a suspended task: that may run for long, or wait for
/// the task in the slot where it does not look for tasks. Thieves are to see it, and to be woken.
LOOMP_INLINE void offer_next_task(Member &member) {
    if (LOOMP_UNLIKELY(member.successor_slot != nullptr))
        queue_ready(*std::exchange(member.successor_slot, nullptr));
}

} // namespace loomp::core
