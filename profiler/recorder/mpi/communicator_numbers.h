// Numbers for communicators, which name them in the records. Each process has its own numbers; the
// members are recorded when a number is given, so that a reader can match the numbers.
#pragma once

#include <cstdint>
#include <mpi.h>

namespace loomp::record {

/// 0 for none. The functions that make communicators give the numbers, so that all members give
/// them in one order; other communicators get them at the first use. Thread safety: any thread,
/// between MPI's initialization and its end.
std::uint32_t number_of(MPI_Comm comm);
/// Numbers a communicator that will have the members of `origin`. It may not be used yet.
void reserve_number(MPI_Comm made, MPI_Comm origin);

} // namespace loomp::record
