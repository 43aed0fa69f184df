// Numbers for communicators, by which the records name them: each process has its own; who their
// members are is written down when a number is given, so that they can be told apart afterwards.
#pragma once

#include <cstdint>
#include <mpi.h>

namespace loomp::record {

/// 0 of none. Numbers are given by the functions that make communicators, so that all members give
/// them in the same order, and else at the first use. Thread safety: any thread, between MPI's
/// initialization and its end.
std::uint32_t number_of(MPI_Comm comm);

} // namespace loomp::record
