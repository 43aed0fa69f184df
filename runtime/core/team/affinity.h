// Where the threads of a team run: places for its members (OpenMP 5.2, 10.1.3), binding.
#pragma once

#include "runtime/core/team/team.h"

namespace loomp::core {

class Worker;

/// Gives each member of a team about to fork its place and its place partition, by the team's
/// binding policy and the primary's place. By the primary.
void assign_places(Team &team);

/// Binds the calling thread to a place of its region; -1: gives it all processors.
void bind_to_place(Worker &worker, int place);

/// The place of an initial thread. It is bound to it before its first region, or when it asks where
/// it is: a thread of the program that does not come to either keeps the processors that it has.
void place_initial_thread(Member &member);
/// By that thread.
void bind_initial_thread();

/// Gives the calling thread all processors back.
void unbind(Worker &worker);
/// KMP_AFFINITY=reset: threads of the program get all their processors back after a region.
extern bool resets_affinity;

/// The places of the teams of a league that its thread runs one after the other: the n-th is member
/// `member`'s. Binds the thread.
void place_league_team(Member &member, int number, int teams);

} // namespace loomp::core
