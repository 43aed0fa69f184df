// Barriers with tasks (OpenMP 5.2, 15.3): a barrier ends when every member has arrived and every
// explicit task of the team has completed.
//
// A member *arrives* when the tree of tasks below its implicit task is empty. If the tree is not
// empty when the member reaches the barrier, the worker that completes the tree's last task arrives
// for it (runtime/core/task/task.h, kWaitReleased). An empty tree stays empty, because only its own
// tasks grow it. So after all have arrived, the team has no task left.
//
// A region has two alternating barriers: the inner one (generation) and the join (only the primary
// thread waits, the others wait for the next fork).
//
// Members of a large team arrive in groups of neighbours, and the last of each group arrives for it
// at the next level, so a barrier writes no line more than kGroup times. Groups of groups are
// groups.
//
// A member of a cancelled region that goes to the join *leaves* the inner barrier: it counts as
// arrived from then on. So every barrier ends, whether the compiler asks afterwards for the
// cancellation or not, and no member leaves data that others may still copy (copyprivate).
#pragma once

#include <cstdint>

#include "platform/atomic.h"
#include "platform/common.h"
#include "runtime/core/task/tool.h"

namespace loomp::core {

struct Member;
struct Team;

/// Counts the members, or smaller groups, that are still missing at a barrier or in one of its
/// groups.
struct Arrivals {
    /// Bits 31..0: members that have not arrived. Bits 63..32: members that have not left.
    Atomic<std::uint64_t> pending{0};

    static constexpr std::uint64_t kMember = std::uint64_t{1} << 32;
    static std::uint32_t unarrived(std::uint64_t word) { return static_cast<std::uint32_t>(word); }
    /// Called when no member is in the barrier: it is for `members` from now on.
    void set(std::uint64_t members) {
        pending.store(members * (kMember + 1), std::memory_order_relaxed);
    }
};

struct alignas(kFalseSharing) Barrier : Arrivals {
    /// How many single regions of the parallel region have their executor (enter_single()). It is
    /// here because a barrier usually follows: then the line has to come only once.
    Atomic<std::uint32_t> singles{0};
    /// Members that wait read it again and again.
    alignas(kFalseSharing) Atomic<std::uint32_t> generation{0};
};

/// A group of a large team has this many members, or smaller groups.
inline constexpr int kGroup = 8;

/// Neighbouring members of a large team.
struct BarrierGroup {
    alignas(kFalseSharing) Arrivals barrier;
    alignas(kFalseSharing) Arrivals join;
};

/// The team begins a region of `size` members; none of them has been forked for it.
void expect_members(Team &team, int size);

/// The barrier construct and the implied ones inside a region; tools see `kind`.
void barrier(Member &member, SyncKind kind = SyncKind::barrier_implementation);
/// Returns true after it if the region is cancelled.
bool barrier_cancellable(Member &member, SyncKind kind = SyncKind::barrier_implementation);

/// Arrives at the region's end. The primary thread then waits with wait_for_join(). Tools see the
/// end of the other members' barrier when they leave for the next region.
void arrive_at_join(Member &member, SyncKind kind = SyncKind::barrier_parallel);
void wait_for_join(Member &primary, SyncKind kind = SyncKind::barrier_parallel);

/// Arrives for `member`, which waits: the last task below it was released. Any worker of the team
/// calls it.
void arrive_for(Member &member);

} // namespace loomp::core
