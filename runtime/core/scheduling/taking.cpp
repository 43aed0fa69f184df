#include "runtime/core/scheduling/taking.h"

#include <utility>

#include "runtime/core/scheduling/resume.h"
#include "runtime/core/scheduling/sources.h"

namespace loomp::core {

void give_back(Member &member, Task &task) {
    // A batch is chained by the inbox's link.
    for (Task *others = part_from_batch(task); others != nullptr;)
        enqueue_from_outside(*std::exchange(others, others->next));
    enqueue_from_outside(task);
    while (Task *brought = member.ready.take())
        enqueue_from_outside(*brought);
}

Task *take_task(Worker &worker, Member &member) { return AllSources::take(worker, member); }

Task *take_fresh_task(Worker &worker, Member &member) { return FreshSources::take(worker, member); }

bool work_visible(const Member &member) {
    return resumable_visible(member) || tasks_visible(member);
}

bool much_work_visible(const Member &member) {
    constexpr std::int64_t several = 4;
    const Team &team = *member.team;
    for (int i = 0; i < team.size; ++i)
        if (team.members[i]->ready.size_hint() >= several)
            return true;
    return false;
}

bool tasks_visible(const Member &member) {
    // While the region has queued no task, no thread looks into deques.
    return member.team->has_tasks.load(std::memory_order_relaxed) && AllSources::visible(member);
}

bool fresh_tasks_visible(const Member &member) {
    return member.team->has_tasks.load(std::memory_order_relaxed) && FreshSources::visible(member);
}

bool resumable_visible(const Member &member) {
    return !member.resumable.empty() || !member.team->resumable.empty();
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
