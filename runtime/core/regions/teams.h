// How teams come and go: their memory, the threads that they hire, and the teams that a worker
// keeps for its next regions.
#pragma once

#include "runtime/core/team/team.h"

namespace loomp::core {

class Worker;

/// A team whose only member is `primary`.
Team &make_team(Worker &primary);
/// A team for a region of the calling worker: one that `list`, the worker's own, keeps, or a new
/// one.
LOOMP_INLINE Team &take_cached_team(Worker &worker, Team *&list) {
    if (Team *team = list) {
        list = team->next_cached;
        return *team;
    }
    return make_team(worker);
}
/// Gives the team threads for `count` members, or as many as there are. Returns for how many.
int hire_up_to(Team &team, int count);
/// Starts a region of `size` members. Everything written before reaches the members that see the
/// new word. Of those whom it concerns, members from number `docked` on may be docked.
void announce_fork(Team &team, int size, int docked);
/// Whether there are more threads than nested teams are to keep between their regions.
bool more_threads_than_worth_keeping();
/// Sends a team's threads to the pool; the team is spare when the last has left.
void disband(Team &team);

/// The implicit team around a thread that loomp did not make.
void make_root_team(Worker &worker);
/// The foreign thread ends: its threads go to the pool.
void dissolve_root(Worker &worker);
/// Its last task, whose event was open at that time, has completed, on any thread.
void give_up_root(Team &root);
/// Gives up the teams that the calling worker keeps for its next regions, and ends their threads.
void retire_teams(Worker &worker);
/// The locks of the lists of all teams that the calling worker is in, or keeps for itself alone.
void visit_list_locks(Worker &worker, void (*each)(SpinLock &));
/// In the child of fork(): the teams that the calling worker keeps have lost their threads.
void drop_teams_after_fork(Worker &worker);

} // namespace loomp::core
