// The launcher's words about this rank, in the environment: known before MPI_Init. Those of Open
// MPI's launcher and of MPICH's are understood. Each library has its own launcher, and the words of
// the other one may be inherited from an enclosing job, so only one's words are read.
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
/// True if the launcher says that all ranks of the job run one command. It may be a script.
bool is_one_program();

/// The number of this job for the names of its processes (platform/node_names.h).
std::uint64_t launched_job();

} // namespace loomp::mpi
