// Numbers for communicators, which name them in the records. Each process has its own numbers; the
// members are recorded when a number is given, so that a reader can match the numbers.
#pragma once

#include <cstdint>
#include <mpi.h>

namespace loomp::record {

// Thread safety: any thread, between MPI's initialization and its end.

/// The number that the communicator has; 0: none. Calls no function of MPI, so `comm` may be
/// anything.
std::uint32_t known_number(MPI_Comm comm);
/// 0 for none. The functions that make communicators give the numbers, so that all members give
/// them in one order; others get them at the first use. MPI must have accepted the communicator.
std::uint32_t number_of(MPI_Comm comm);
/// Numbers a communicator that will have the members of `origin`. It may not be used yet.
void reserve_number(MPI_Comm made, MPI_Comm origin);
/// The program frees a communicator, of which MPI may not have been used since reserve_number().
void forget_reserved(MPI_Comm comm);

} // namespace loomp::record
