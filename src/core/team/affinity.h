// Where the threads of a team run: places for its members (OpenMP 5.2, 10.1.3), binding.
#pragma once

#include "core/team/team.h"

namespace loomp::core {

class Worker;

/// Gives each member of a team about to fork its place and its place partition, by the team's
/// binding policy and the primary's place. By the primary.
void assign_places(Team &team);

/// Binds the calling thread to a place; -1: leaves it as it is.
void bind_to_place(Worker &worker, int place);

/// Places of an initial thread.
void place_initial_thread(Member &member);

} // namespace loomp::core
