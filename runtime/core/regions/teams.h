// The creation and end of teams: their memory, the threads that they hire, and the teams that a
// worker keeps for its next regions.
#pragma once

#include "runtime/core/scheduling/named_queues.h"
#include "runtime/core/team/team.h"

namespace loomp::core {

class Worker;

/// Makes a team whose only member is `primary`.
Team &make_team(Worker &primary);
/// Makes such a team for a region, and has the thread's stack overflows reported from then on. A
/// program that has only called routines keeps its own handlers, and other libraries find none.
Team &make_team_for_region(Worker &primary);
/// Returns a team for a region of the calling worker: one from `list`, the worker's own, or a new
/// one.
LOOMP_INLINE Team &take_cached_team(Worker &worker, Team *&list) {
    if (Team *team = list) {
        list = team->next_cached;
        return *team;
    }
    return make_team_for_region(worker);
}
/// The team begins a region: nothing of an earlier one is left when the caller has made the
/// region's description at the returned place. It is called before the members start.
LOOMP_INLINE RegionDescription *begin_region(Team &team) {
    const std::uint32_t met =
        queues_have_orders.load(std::memory_order_relaxed) ? Team::kOrders : 0;
    // relaxed: members see it with the fork. Those of the previous region only look in vain.
    if (LOOMP_UNLIKELY(team.unusual.load(std::memory_order_relaxed) != met))
        team.unusual.store(met, std::memory_order_relaxed);
    return &team;
}
/// Gives the team threads for `count` members, or as many as there are. Returns the number of
/// members with threads.
int hire_up_to(Team &team, int count);
/// Starts a region of `size` members. Members that see the new word see everything written before.
/// Its members from number `docked` on may be docked.
void announce_fork(Team &team, int size, int docked);
/// Returns whether there are more threads than nested teams shall keep between their regions.
bool more_threads_than_worth_keeping();
/// Sends a team's threads to the pool; the team is spare when the last has left.
void disband(Team &team);

/// Makes a team of one outside of parallel regions, with the initial ICVs and a contention group of
/// its own. Its implicit task has not begun.
Team &make_initial_team(Worker &worker);
/// Makes the implicit team around a thread that loomp did not make.
void make_root_team(Worker &worker);
/// The foreign thread ends: its threads go to the pool.
void dissolve_root(Worker &worker);
/// The root's last task, whose event was open when the thread ended, has completed, on any thread.
void give_up_root(Team &root);
/// Gives up the teams that the calling worker keeps for its next regions, and ends their threads.
void retire_teams(Worker &worker);
/// Visits the locks of the lists of all teams of the calling worker, including those that it keeps.
void visit_list_locks(Worker &worker, void (*each)(SpinLock &));
/// Drops the calling worker's kept teams in the child of fork(), because they have lost their
/// threads.
void drop_teams_after_fork(Worker &worker);

} // namespace loomp::core
