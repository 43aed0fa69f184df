// How the library's nonblocking collectives work, since the layer makes all of a program's
// collectives nonblocking (collectives.cpp) and programs wait for them as they do for blocking
// ones.
#pragma once

namespace loomp::mpi {

/// After MPI_Init and before the program's first collective, on all ranks alike. What the user has
/// chosen stays.
void choose_collective_algorithms();

} // namespace loomp::mpi
