// The launcher's words about this rank, in the environment: known before MPI_Init. Those of Open
// MPI's launcher and of MPICH's are understood.
#pragma once

#include <cstdint>

namespace loomp::mpi {

/// This rank's number in the node and the count of the job's ranks there; count 0: unknown.
struct PlaceInNode {
    int number = 0;
    int count = 0;
};
PlaceInNode place_in_node();

/// This process's rank in its job; -1 if the launcher does not say.
int launched_rank();
/// True if a program of MPICH has spawned this process. Open MPI gives such processes a job of
/// their own.
bool is_spawned();

/// The number of this job for the names of its processes (platform/node_names.h).
std::uint64_t launched_job();

} // namespace loomp::mpi
