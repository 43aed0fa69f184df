// Tunes the library's nonblocking collectives. The layer makes all collectives nonblocking
// (call_kinds.h), and programs wait for them like for blocking ones.
#pragma once

namespace loomp::mpi {

/// Called after MPI_Init and before the program's first collective, on all ranks alike. The user's
/// choice stays.
void choose_collective_algorithms();
/// True if MPI_Iallreduce uses recursive doubling for all lengths, because the layer chose that.
/// All ranks have the same answer.
bool nonblocking_sums_double();

} // namespace loomp::mpi
