// How long a collective takes after all ranks have come, by the algorithm that is the fastest for
// its size and number of ranks.
//
// A message of n bytes takes a + n b. The times are those of Thakur, Rabenseifner and Gropp
// (Optimization of collective communication operations in MPICH, 2005), for p ranks, with
// l = log2 p, rounded up, and n the larger of what a rank gives and gets:
//
//     one tree            l (a + n b)                         any; broadcast, reduction, barrier
//     in parts            2 l a + 2 (p - 1)/p n b             broadcast, reduction, allreduce
//     doubling            l a + (p - 1)/p n b                 (all)gather, scatter, reduce-scatter
//     Bruck               l a + l n/2 b                       alltoall
//     pairs               (p - 1) a + (p - 1)/p n b           alltoall
#pragma once

#include <cstdint>
#include <string_view>

#include "profiler/trace/trace.h"

namespace loomp::analysis {

enum class CollectiveKind : std::uint8_t {
    tree,       ///< one tree only; also functions that are not known
    reduction,  ///< broadcasts and reductions, to one rank or to all
    parts,      ///< each rank has a part of the result, or of what is given
    all_to_all, ///< each rank has a part for each rank
};

/// The kind of the MPI function with that name.
CollectiveKind collective_kind(std::string_view function);
/// The kind of a collective that the request is a part of.
CollectiveKind collective_kind_of(const Trace &trace, Index request);

/// Nanoseconds. `latency` and `transfer` are a and n b.
double collective_time(CollectiveKind kind, Index ranks, double latency, double transfer);

} // namespace loomp::analysis
