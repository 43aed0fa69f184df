// A thread that has begun a region nested in a task belongs to that region until its end, and does
// not take up what the enclosing region has to do. One exception: while somebody in the nested
// region or in an enclosing one waits for a lock, the holder may be a task that was suspended on
// this thread before, and can go on only here; and the nested region may wait for the waiter. Then
// the thread, when it has nothing else to do, lets suspended tasks of enclosing regions go first,
// and comes back to the nested region as to any loop that looks for work. It starts no task there
// that has not been started.
//
// Only a team's primary has a place in the enclosing team: its `parent`. So of the team of each
// level the primary looks, as long as it is the primary one level further out, too.
//
// Invariant: such a thread does not sleep while there is such a task and such a waiter. It sleeps
// on the nested team's event: it announces itself there, passes a full fence, and looks for both. A
// lock's waiter counts itself, and the thread that lets the suspended task continue puts it into
// its list; both notify the nested team after that (platform/futex.h). If a waiter does not see a
// region begun, the region's thread sees the waiter: the waiter passes a full fence between its
// count and its look for regions.
#pragma once

#include "runtime/core/team/team.h"
#include "runtime/core/worker/worker.h"

namespace loomp::core {

/// The caller waits for a lock, asleep or suspended, while this lives.
class LockWait {
  public:
    LockWait();
    ~LockWait();
    LockWait(const LockWait &) = delete;
    LockWait &operator=(const LockWait &) = delete;

  private:
    Team *team_;
};

namespace enclosing {
/// Returns whether a task or thread waits for a lock in the team, in one around it or, from there,
/// in one nested.
LOOMP_NOINLINE bool lock_awaited(const Team &team);
/// The member in the next enclosing team that has a suspended task that may go on; or null.
LOOMP_NOINLINE Member *holder_may_go_on(const Member &member);
LOOMP_NOINLINE void notify_nested(Team &team);
} // namespace enclosing

/// Returns whether a suspended task of an enclosing region is to go first. Only the primary looks
/// at the description of its team's region: other members may look for work between two regions.
LOOMP_INLINE bool enclosing_goes_first(const Worker &worker, const Member &member) {
    return LOOMP_UNLIKELY(worker.suspended_here.load(std::memory_order_relaxed) > 0) &&
           member.num == 0 && enclosing::lock_awaited(*member.team) &&
           enclosing::holder_may_go_on(member) != nullptr;
}
/// A task that `member` suspended may go on, and is in its list. Called after a notification of the
/// member's own team.
LOOMP_INLINE void notify_nested(Member &member) {
    if (Team *team = member.nested; LOOMP_UNLIKELY(team != nullptr))
        enclosing::notify_nested(*team);
}

} // namespace loomp::core
