// The processors of a team's threads: places for its members (OpenMP 5.2, 10.1.3), and binding.
#pragma once

#include "runtime/core/team/team.h"

namespace loomp::core {

class Worker;

/// Gives each member of a team about to fork its place and its place partition, by the team's
/// binding policy and the primary thread's place. The primary thread calls it.
void assign_places(Team &team);

/// Binds the calling thread to a place of its region; -1: gives it all processors.
void bind_to_place(Worker &worker, int place);

/// Sets the place of an initial thread. It is bound to that place before its first region, or when
/// it queries its place. A thread of the program that does neither keeps its processors.
void place_initial_thread(Member &member);
/// The initial thread calls it.
void bind_initial_thread();

/// Returns all processors to the calling thread.
void unbind(Worker &worker);
/// KMP_AFFINITY=reset: threads of the program get all their processors back after a region.
extern bool resets_affinity;

/// Sets the place of `member`, the initial thread of team `number` in a league of `teams`, which
/// run in sequence on one thread. Binds the thread.
void place_league_team(Member &member, int number, int teams);

} // namespace loomp::core
