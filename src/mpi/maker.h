// Who made the MPI library, for what differs among them beside the names. A layer for one library knows that
// when it is compiled; that for the standard ABI of MPI 5 asks the library that it meets.
#pragma once

#include <mpi.h>

namespace loomp::mpi {

#ifdef LOOMP_MPI_ABI
/// From any thread, also before MPI_Init.
bool is_openmpi();
/// Or derived from MPICH, as all others are that have the ABI.
inline bool is_mpich() { return !is_openmpi(); }
#elif defined(OPEN_MPI)
constexpr bool is_openmpi() { return true; }
constexpr bool is_mpich() { return false; }
#else
constexpr bool is_openmpi() { return false; }
constexpr bool is_mpich() { return true; }
#endif

} // namespace loomp::mpi
