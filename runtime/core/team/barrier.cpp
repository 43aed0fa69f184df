#include "runtime/core/team/barrier.h"

#include "runtime/core/dependences/dependence_map.h"
#include "runtime/core/scheduling/scheduler.h"
#include "runtime/core/team/worksharing.h"

namespace loomp::core {

namespace {

/// All members that have not left have arrived, so nobody else changes the word.
void release_all(Team &team, std::uint64_t members) {
    team.barrier.set(members);
    team.work.cancelled_at_barrier = team.work.cancelled.load(std::memory_order_relaxed);
    // release: every member's writes, and the count reset, reach all that pass.
    team.barrier.generation.fetch_add(1, std::memory_order_release);
    team.event.notify_all();
}

/// Counts one member in; the last one releases all.
void arrive(Team &team, bool at_join) {
    Barrier &barrier = at_join ? team.join : team.barrier;
    // acq_rel: every member's writes reach the last one, or the primary.
    const std::uint64_t word = barrier.pending.fetch_sub(1, std::memory_order_acq_rel) - 1;
    if (Barrier::unarrived(word) != 0)
        return;
    if (at_join)
        team.event.notify(0x7fffffff, 1u);
    else
        release_all(team, word / Barrier::kMember);
}

/// One member arrives at this and all further barriers of the cancelled region.
LOOMP_NOINLINE void leave(Team &team) {
    constexpr std::uint64_t both = Barrier::kMember + 1;
    // acq_rel: see arrive().
    const std::uint64_t word =
        team.barrier.pending.fetch_sub(both, std::memory_order_acq_rel) - both;
    if (Barrier::unarrived(word) == 0 && word != 0)
        release_all(team, word / Barrier::kMember);
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

/// Called after the barrier, when no task is below the implicit one.
LOOMP_INLINE void forget_children(Task &task) {
    task.children.store(0, std::memory_order_relaxed);
    if (task.map != nullptr)
        task.map->clear();
}

} // namespace

void arrive_for(Member &member) { arrive(*member.team, member.arriving_at_join); }

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
        leave(*member.team);
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
