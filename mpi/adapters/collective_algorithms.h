// Tunes the library's nonblocking collectives. The layer makes all collectives nonblocking
// (collectives.cpp), and programs wait for them like for blocking ones.
#pragma once

namespace loomp::mpi {

/// Called after MPI_Init and before the program's first collective, on all ranks alike. The user's
/// choice stays.
void choose_collective_algorithms();

} // namespace loomp::mpi
