#include "runtime/core/scheduling/taking.h"

#include <utility>

#include "runtime/core/scheduling/completion.h"
#include "runtime/core/scheduling/fusion.h"
#include "runtime/core/scheduling/named_queues.h"
#include "runtime/core/scheduling/priority.h"
#include "runtime/core/scheduling/shared_queues.h"
#include "runtime/core/scheduling/suspend.h"
#include "runtime/core/team/victims.h"
#include "runtime/core/worker/worker.h"

namespace loomp::core {

bool oldest_first = false;

namespace {

/// If many tasks wait, taking some more at once saves the next steals: each one alone would take
/// the line with the queue's ends from its owner again.
LOOMP_INLINE void bring_more(TaskDeque &from, TaskDeque &to) {
    constexpr std::int64_t many = 32;
    constexpr int some = 7;
    if (from.size_hint() < many)
        return;
    for (int i = 0; i < some; ++i) {
        Task *task = from.steal();
        if (task == nullptr)
            return;
        to.push(task);
    }
}

Task *steal_from_others(Worker &worker, Member &member) {
    if (member.team->size < 2)
        return nullptr;
    // A victim's task may go to somebody else meanwhile: then there may be others.
    while (Member *victim = nearest_victim(worker, member))
        if (Task *task = victim->ready.steal()) {
            ++worker.discovery.steals;
            bring_more(victim->ready, member.ready);
            return task;
        }
    return nullptr;
}

} // namespace

namespace {

/// Takes what comes before the member's own queue: tasks with a priority, and queues with names
/// that the worker looks into first.
LOOMP_NOINLINE Task *take_before_own(Worker &worker, Member &member) {
    if (member.team->has_met(Team::kPriorities))
        if (Task *task = take_prioritized(worker, member))
            return task;
    return member.team->has_met(Team::kOrders) ? take_named_first(worker, member) : nullptr;
}

} // namespace

bool comes_before_own(const Worker &worker) {
    Team &team = *worker.member->team;
    return (team.has_met(Team::kPriorities) && prioritized_visible(team)) ||
           (team.has_met(Team::kOrders) && named_first_visible(worker));
}

Task *take_own_task(Member &member) {
    if (Task *task = member.successor_slot) {
        member.successor_slot = nullptr;
        return task;
    }
    if (LOOMP_UNLIKELY(oldest_first)) {
        while (!member.ready.looks_empty())
            if (Task *task = member.ready.steal())
                return task;
        return nullptr;
    }
    // In a team of one thread, which never had others, nobody else looks into the queue.
    return member.alone ? member.ready.take_unshared() : member.ready.take();
}

void give_back(Member &member, Task &task) {
    enqueue_from_outside(task);
    while (Task *brought = member.ready.take())
        enqueue_from_outside(*brought);
}

Task *take_task(Worker &worker, Member &member) {
    if (Task *task = take_fresh_task(worker, member))
        return task;
    return member.team->unstarted.pop();
}

Task *take_fresh_task(Worker &worker, Member &member) {
    Team &team = *member.team;
    if (LOOMP_UNLIKELY(team.is_taken_from_unusually()))
        if (Task *task = take_before_own(worker, member)) {
            offer_next_task(member);
            return task;
        }
    if (Task *task = take_own_task(member))
        return task;
    flush_completions(worker);
    if (Task *task = take_fused(worker, member))
        return task;
    if (Task *task = team.targets.pop())
        return task;
    if (Task *task = take_placed(member))
        return task;
    if (Task *task = team.inbox.pop())
        return task;
    if (Task *task = steal_from_others(worker, member))
        return task;
    return LOOMP_LIKELY(!team.has_met(Team::kOrders)) ? nullptr : take_named_last(worker, member);
}

bool work_visible(const Member &member) {
    return !member.resumable.empty() || !member.team->resumable.empty() || tasks_visible(member);
}

bool tasks_visible(const Member &member) {
    return fresh_tasks_visible(member) || !member.team->unstarted.looks_empty();
}

bool fresh_tasks_visible(const Member &member) {
    return member.successor_slot != nullptr || shared_tasks_visible(*member.team);
}

bool shared_tasks_visible(Team &team) {
    if (!team.has_tasks.load(std::memory_order_relaxed))
        return false;
    if (!team.inbox.looks_empty() || fusible_visible(team) || !team.targets.looks_empty() ||
        placed_visible(team))
        return true;
    if (team.has_met(Team::kPriorities) && prioritized_visible(team))
        return true;
    for (int i = 0; i < team.size; ++i)
        if (!team.members[i]->ready.looks_empty())
            return true;
    return false;
}

Suspension *take_creator(Member &member) {
    if (member.ready.holds_more_than(kFewReady) || prioritized_count(member) > kManyPrioritized / 2)
        return nullptr;
    return std::exchange(member.throttled, nullptr);
}

namespace {

/// Takes none of the team's next region if the member is not in it. That happens where the member's
/// own loop, which would notice, waits to be continued. The list's lock orders the fork before what
/// came after it.
Suspension *take_untied(Member &member) {
    Team &team = *member.team;
    Suspension *untied = team.resumable.pop();
    // The primary is in all of its team's regions, even if it has been forked for none.
    if (untied == nullptr || member.num == 0 ||
        LOOMP_LIKELY(member.num < size_of_fork(team.fork_word.load(std::memory_order_relaxed))))
        return untied;
    make_resumable(*untied);
    return nullptr;
}

} // namespace

Suspension *take_resumable_in_turn(Member &member) {
    member.untied_first = !member.untied_first;
    if (member.untied_first)
        if (Suspension *untied = take_untied(member))
            return untied;
    Suspension *tied = member.resumable.pop();
    return tied != nullptr ? tied : take_untied(member);
}

} // namespace loomp::core
