// The report of a job that seems to hang: the likely cause on the first line, then the calls in
// which tasks and threads wait, those at the same place together, rare ones first.
//
// It compares the states of the ranks: a send whose receiver waits for another tag or on another
// communicator; ranks in different collectives, or in none; ranks that wait for each other in a
// cycle; a rank that waits for one that has ended or is in MPI_Finalize. A finding is a likely
// cause and no proof: tasks may be about to make other calls.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "mpi/waiting/hang_state.h"

namespace loomp::mpi {

/// The ranks of a job.
struct JobOfRanks {
    int size = 1;
    int on_node = 1;
    std::vector<int> ended;     ///< ranks of this node that have ended
    std::vector<int> finishing; ///< ranks of this node that have called MPI_Finalize
};

/// True if the states leave little doubt that the job hangs. False, for example, if all ranks are
/// in one collective, or a send has its receive: the library may transfer much data.
bool is_explained(const std::vector<RankState> &states, const JobOfRanks &job);

/// `states` has at least one state, and at most one of each rank. `now`: nanoseconds of the
/// monotonic clock.
std::string hang_report(const std::vector<RankState> &states, const JobOfRanks &job,
                        std::int64_t now);

} // namespace loomp::mpi
