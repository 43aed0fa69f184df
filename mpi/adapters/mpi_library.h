// Who made the MPI library, for what differs among them beside the names. A layer for one library
// knows that when it is compiled; that for the standard ABI of MPI 5 asks the library that it
// meets.
#pragma once

#include <mpi.h>

namespace loomp::mpi {

#ifdef LOOMP_MPI_ABI
/// From any thread, also before MPI_Init.
bool is_openmpi();
/// Or derived from MPICH, as all others are that have the ABI.
inline bool is_mpich() { return !is_openmpi(); }
/// PMPI_File_close. Debian's libmpi_abi of MPICH 5.0.2 has none.
int close_file(MPI_File *file);
#elif defined(OPEN_MPI)
constexpr bool is_openmpi() { return true; }
constexpr bool is_mpich() { return false; }
#else
constexpr bool is_openmpi() { return false; }
constexpr bool is_mpich() { return true; }
#endif
#ifndef LOOMP_MPI_ABI
inline int close_file(MPI_File *file) { return PMPI_File_close(file); }
#endif

/// Whether what is found when a request is completed is raised on MPI_COMM_WORLD, whatever
/// communicator it belongs to: in MPICH up to 4.
constexpr bool raises_on_world() {
#ifdef MPICH_NUMVERSION
    return MPICH_NUMVERSION < 50000000;
#else
    return false;
#endif
}

} // namespace loomp::mpi
