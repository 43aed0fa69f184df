#include "runtime/core/team/barrier.h"

#include "runtime/core/dependences/dependence_map.h"
#include "runtime/core/scheduling/scheduler.h"
#include "runtime/core/team/worksharing.h"

namespace loomp::core {

namespace {

/// Counts one member in; the last one releases all.
void arrive(Team &team, bool at_join) {
    if (at_join) {
        // acq_rel: every member's writes reach the primary.
        if (team.join.pending.fetch_sub(1, std::memory_order_acq_rel) == 1)
            team.event.notify(0x7fffffff, 1u);
        return;
    }
    if (team.barrier.pending.fetch_sub(1, std::memory_order_acq_rel) == 1) {
        team.barrier.pending.store(team.size, std::memory_order_relaxed);
        team.work_cancelled.store(false, std::memory_order_relaxed);
        // release: every member's writes, and the count reset, reach all that pass.
        team.barrier.generation.fetch_add(1, std::memory_order_release);
        team.event.notify_all();
    }
}

/// Arrives now if no task is left below the member's implicit task; otherwise the last such task to
/// be released arrives.
LOOMP_INLINE void arrive_when_quiet(Member &member, bool at_join) {
    Task &task = member.implicit;
    if (LOOMP_LIKELY(task.created == 0 && task.children.load(std::memory_order_acquire) == 0)) {
        arrive(*member.team, at_join);
        return;
    }
    member.arriving_at_join = at_join;
    const std::uint64_t delta =
        std::uint64_t{task.created} * children::kOne + children::kWaitReleased;
    task.created = 0;
    const std::uint64_t word = task.children.fetch_add(delta, std::memory_order_acq_rel) + delta;
    if (children::all_released(word))
        arrive(*member.team, at_join);
}

/// Waits until no task is left below the member's implicit task, or until `cancelled`.
template <class Cancelled> void wait_until_quiet(Member &member, Cancelled cancelled) {
    Task &task = member.implicit;
    if (LOOMP_LIKELY(task.created == 0 && task.children.load(std::memory_order_acquire) == 0))
        return;
    constexpr std::uint64_t flags = children::kWaitReleased | children::kWaitOnly;
    const std::uint64_t delta = std::uint64_t{task.created} * children::kOne + flags;
    task.created = 0;
    task.children.fetch_add(delta, std::memory_order_acq_rel);
    schedule_until([&] {
        return children::all_released(task.children.load(std::memory_order_acquire)) || cancelled();
    });
    task.children.fetch_and(~flags, std::memory_order_relaxed);
}

/// Called after the barrier, when no task is below the implicit one.
LOOMP_INLINE void forget_children(Task &task) {
    task.children.store(0, std::memory_order_relaxed);
    if (task.map != nullptr)
        task.map->clear();
}

} // namespace

void arrive_for(Member &member) { arrive(*member.team, member.arriving_at_join); }

void wake_up(Member &member) { member.team->event.notify(0x7fffffff, member_bit(member)); }

void barrier(Member &member, SyncKind kind) {
    const ToolSync sync(kind, member.implicit);
    Team &team = *member.team;
    if (team.size == 1 && member.implicit.created == 0 &&
        member.implicit.children.load(std::memory_order_acquire) == 0) {
        team.work_cancelled.store(false, std::memory_order_relaxed);
        return;
    }
    Barrier &barrier = team.barrier;
    const std::uint32_t generation = barrier.generation.load(std::memory_order_relaxed);
    arrive_when_quiet(member, false);
    schedule_until([&barrier, generation] {
        return barrier.generation.load(std::memory_order_acquire) != generation;
    });
    forget_children(member.implicit);
}

bool barrier_cancellable(Member &member, SyncKind kind) {
    const ToolSync sync(kind, member.implicit);
    Team &team = *member.team;
    const auto cancelled = [&team] { return team.cancelled.load(std::memory_order_acquire); };
    if (cancelled())
        return true;
    // No other worker arrives for it here, because an arrival cannot be undone when the region is
    // cancelled.
    wait_until_quiet(member, cancelled);
    if (cancelled())
        return true;
    Barrier &barrier = team.barrier;
    const std::uint32_t generation = barrier.generation.load(std::memory_order_relaxed);
    arrive(team, false);
    schedule_until([&] {
        return barrier.generation.load(std::memory_order_acquire) != generation || cancelled();
    });
    if (barrier.generation.load(std::memory_order_acquire) != generation)
        forget_children(member.implicit);
    // If tasks are left, the region is cancelled, and its join waits for them.
    return cancelled();
}

void arrive_at_join(Member &member, SyncKind kind) {
    leave_work(member);
    LOOMP_TOOL(exit_frame, member.implicit, nullptr);
    LOOMP_TOOL(sync_begin, kind, member.implicit);
    LOOMP_TOOL(wait_begin, kind, member.implicit);
    arrive_when_quiet(member, true);
}

void wait_for_join(Member &primary, SyncKind kind) {
    Team &team = *primary.team;
    schedule_until([&team] { return team.join.pending.load(std::memory_order_acquire) == 0; });
    forget_children(primary.implicit);
    LOOMP_TOOL(wait_end, kind, primary.implicit, false);
    LOOMP_TOOL(sync_end, kind, primary.implicit, false);
}

} // namespace loomp::core
