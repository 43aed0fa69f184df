// Identifies the MPI implementation, for behaviour that differs. A layer for one library knows it
// at compile time. The layer for the standard ABI of MPI 5 asks the library at run time.
#pragma once

#include <mpi.h>

#include "mpi/interface/next_calls.h"

namespace loomp::mpi {

#ifdef LOOMP_MPI_ABI
/// Any thread may call it, also before MPI_Init.
bool is_openmpi();
/// MPICH or a library derived from it, like all others with the ABI.
inline bool is_mpich() { return !is_openmpi(); }
/// The next MPI_File_close. Debian's libmpi_abi of MPICH 5.0.2 has no PMPI_File_close.
int close_file(MPI_File *file);
#elif defined(OPEN_MPI)
constexpr bool is_openmpi() { return true; }
constexpr bool is_mpich() { return false; }
#else
constexpr bool is_openmpi() { return false; }
constexpr bool is_mpich() { return true; }
#endif
#ifndef LOOMP_MPI_ABI
inline int close_file(MPI_File *file) { return next::File_close(file); }
#endif

/// True if MPI_Init may return before all ranks have entered it: Open MPI's setting async_mpi_init.
/// Called after MPI_Init.
bool may_leave_init_early();

/// True for MPICH up to 4: it raises the errors of a request's completion on MPI_COMM_WORLD, not on
/// the request's communicator.
constexpr bool raises_on_world() {
#ifdef MPICH_NUMVERSION
    return MPICH_NUMVERSION < 50000000;
#else
    return false;
#endif
}

} // namespace loomp::mpi
