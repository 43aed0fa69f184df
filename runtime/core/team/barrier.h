// Barriers with tasks (OpenMP 5.2, 15.3): a barrier ends when every member has arrived and every
// explicit task of the team has completed.
//
// A member *arrives* when the tree of tasks below its implicit task is empty; if it is not empty
// when the member gets there, the worker that completes the tree's last task arrives in the
// member's name (runtime/core/task/task.h, kWaitReleased). A tree that is empty stays so, because
// only its own tasks grow it. Hence: all arrived implies no task is left in the team.
//
// Two barriers alternate in a region: the inner one (generation) and the join (the primary alone
// waits, the others wait for the next fork).
#pragma once

#include <cstdint>

#include "platform/atomic.h"
#include "platform/common.h"
#include "runtime/core/task/tool.h"

namespace loomp::core {

struct Member;
struct Team;

struct alignas(kFalseSharing) Barrier {
    Atomic<int> pending{0};
    Atomic<std::uint32_t> generation{0};
};

/// The barrier construct and the implied ones inside a region; `kind` is what tools are told.
void barrier(Member &member, SyncKind kind = SyncKind::barrier_implementation);
/// As barrier(), but ends early when the region is cancelled; true if it was.
bool barrier_cancellable(Member &member, SyncKind kind = SyncKind::barrier_implementation);

/// Arrives at the region's end. The primary then waits with wait_for_join(); for the others tools
/// see the end of the barrier when they leave for the next region.
void arrive_at_join(Member &member, SyncKind kind = SyncKind::barrier_parallel);
void wait_for_join(Member &primary, SyncKind kind = SyncKind::barrier_parallel);

/// The last task below `member`'s implicit task was released while the member waits: arrives for
/// it. Called by any worker of the team.
void arrive_for(Member &member);
/// The same where the member asked only to be woken.
void wake_up(Member &member);

} // namespace loomp::core
