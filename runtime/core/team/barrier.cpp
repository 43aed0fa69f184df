#include "runtime/core/team/barrier.h"

#include <algorithm>

#include "runtime/core/dependences/dependence_map.h"
#include "runtime/core/scheduling/scheduler.h"
#include "runtime/core/team/worksharing.h"

namespace loomp::core {

namespace {

/// All members that have not left have arrived, so nobody else changes the word.
void release_all(Team &team, std::uint64_t members) {
    team.barrier.set(members);
    // Those that wait read this line, so it is written only if that changes something.
    if (const std::uint64_t cancelled = team.work.cancelled.load(std::memory_order_relaxed);
        LOOMP_UNLIKELY(cancelled != team.work.cancelled_at_barrier))
        team.work.cancelled_at_barrier = cancelled;
    // release: every member's writes, and the count reset, reach all that pass. relaxed: nobody
    // else writes it now.
    Atomic<std::uint32_t> &generation = team.barrier.generation;
    generation.store(generation.load(std::memory_order_relaxed) + 1, std::memory_order_release);
    team.event.notify_all();
}

constexpr std::uint64_t kArrives = 1;
/// Arrives at this and all further barriers of the cancelled region.
constexpr std::uint64_t kLeaves = Arrivals::kMember + 1;

constexpr int groups_of(int members) { return (members + kGroup - 1) / kGroup; }

/// Counts the member in, in its groups. Returns what the largest of them does then at the barrier
/// itself: kArrives, kLeaves, or 0 if it waits for others.
LOOMP_NOINLINE std::uint64_t arrive_in_groups(Member &member, bool at_join, std::uint64_t change) {
    const Team &team = *member.team;
    int level = 0;
    int width = kGroup; // members of a group on this level
    for (int count = team.size; count > kGroup; count = groups_of(count)) {
        BarrierGroup &group = team.members[member.num / width * width]->groups[level];
        Arrivals &arrivals = at_join ? group.join : group.barrier;
        // acq_rel: every member's writes reach the last one.
        const std::uint64_t word =
            arrivals.pending.fetch_sub(change, std::memory_order_acq_rel) - change;
        if (Arrivals::unarrived(word) != 0)
            return 0;
        // Nobody else uses the group until the barrier ends, which publishes this.
        const std::uint64_t left = word / Arrivals::kMember;
        arrivals.set(left);
        change = left != 0 ? kArrives : kLeaves;
        ++level;
        width *= kGroup;
    }
    return change;
}

/// Counts the member in; the last one releases all.
LOOMP_INLINE void arrive(Member &member, bool at_join, std::uint64_t change) {
    Team &team = *member.team;
    if (LOOMP_UNLIKELY(is_large(team))) {
        change = arrive_in_groups(member, at_join, change);
        if (change == 0)
            return;
    }
    Barrier &barrier = at_join ? team.join : team.barrier;
    // acq_rel: every member's writes reach the last one, or the primary.
    const std::uint64_t word =
        barrier.pending.fetch_sub(change, std::memory_order_acq_rel) - change;
    if (Barrier::unarrived(word) != 0)
        return;
    if (at_join)
        team.event.notify_all(1u);
    else if (word != 0)
        release_all(team, word / Barrier::kMember);
}

LOOMP_NOINLINE void leave(Member &member) { arrive(member, false, kLeaves); }

/// Makes the groups of a large region that begins. Returns how many arrive at the barrier itself.
LOOMP_NOINLINE int expect_groups(Team &team, int size) {
    int count = size;
    int width = kGroup;
    for (int level = 0; count > kGroup; ++level, width *= kGroup) {
        const int groups = groups_of(count);
        for (int i = 0; i < groups && team.grouped != size; ++i) {
            BarrierGroup &group = team.members[i * width]->groups[level];
            const auto members = static_cast<std::uint64_t>(std::min(kGroup, count - i * kGroup));
            group.barrier.set(members);
            group.join.set(members);
        }
        count = groups;
    }
    team.grouped = size;
    return count;
}

/// Arrives now if no task is left below the member's implicit task; otherwise the last such task to
/// be released arrives.
LOOMP_INLINE void arrive_when_quiet(Member &member, bool at_join) {
    Task &task = member.implicit;
    if (LOOMP_LIKELY(task.created == 0 && task.children.load(std::memory_order_acquire) == 0)) {
        arrive(member, at_join, kArrives);
        return;
    }
    member.arriving_at_join = at_join;
    const std::uint64_t delta =
        std::uint64_t{task.created} * children::kOne + children::kWaitReleased;
    task.created = 0;
    const std::uint64_t word = task.children.fetch_add(delta, std::memory_order_acq_rel) + delta;
    if (children::all_released(word))
        arrive(member, at_join, kArrives);
}

/// Called after the barrier, when no task is below the implicit one.
LOOMP_INLINE void forget_children(Task &task) {
    task.children.store(0, std::memory_order_relaxed);
    if (task.map != nullptr)
        task.map->clear();
}

} // namespace

void expect_members(Team &team, int size) {
    const int count = size > kGroup ? expect_groups(team, size) : size;
    team.barrier.set(static_cast<std::uint64_t>(count));
    team.barrier.singles.store(0, std::memory_order_relaxed);
    team.join.set(static_cast<std::uint64_t>(count));
}

void arrive_for(Member &member) { arrive(member, member.arriving_at_join, kArrives); }

void barrier(Member &member, SyncKind kind) {
    const ToolSync sync(kind, member.implicit);
    Team &team = *member.team;
    if (team.size == 1 && member.implicit.created == 0 &&
        member.implicit.children.load(std::memory_order_acquire) == 0) {
        ++member.work.number;
        return;
    }
    Barrier &barrier = team.barrier;
    const std::uint32_t generation = barrier.generation.load(std::memory_order_relaxed);
    arrive_when_quiet(member, false);
    schedule_until([&barrier, generation] {
        return barrier.generation.load(std::memory_order_acquire) != generation;
    });
    member.work.number = WorkState::number_after(generation);
    forget_children(member.implicit);
}

bool barrier_cancellable(Member &member, SyncKind kind) {
    barrier(member, kind);
    return member.team->cancelled.load(std::memory_order_acquire);
}

void arrive_at_join(Member &member, SyncKind kind) {
    leave_work(member);
    // relaxed: a member that goes to the end because of a cancellation has seen it.
    if (LOOMP_UNLIKELY(member.team->cancelled.load(std::memory_order_relaxed)))
        leave(member);
    LOOMP_TOOL(exit_frame, member.implicit, nullptr);
    LOOMP_TOOL(sync_begin, kind, member.implicit);
    LOOMP_TOOL(wait_begin, kind, member.implicit);
    arrive_when_quiet(member, true);
}

void wait_for_join(Member &primary, SyncKind kind) {
    Team &team = *primary.team;
    schedule_until([&team] {
        return Barrier::unarrived(team.join.pending.load(std::memory_order_acquire)) == 0;
    });
    forget_children(primary.implicit);
    LOOMP_TOOL(wait_end, kind, primary.implicit, false);
    LOOMP_TOOL(sync_end, kind, primary.implicit, false);
}

} // namespace loomp::core
