// How many bytes a rank gives or gets in a collective, whichever is more. MPI defines which of the
// arguments a rank may leave undefined; these functions do not read them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <mpi.h>

#include "mpi/interface/peers.h"
#include "profiler/recorder/mpi/recorded_call.h"

namespace loomp::record {

// The blocks of `ranks` others: of one size, of several sizes, and of several types.
template <class Count> std::uint64_t blocks(int ranks, Count count, MPI_Datatype type) {
    return static_cast<std::uint64_t>(ranks) * bytes_of(count, type);
}
template <class Count> std::uint64_t blocks(int ranks, const Count *counts, MPI_Datatype type) {
    MPI_Count sum = 0;
    for (int i = 0; i < ranks; ++i)
        sum += counts[i];
    return bytes_of(sum, type);
}
template <class Count>
std::uint64_t blocks(int ranks, const Count *counts, const MPI_Datatype *types) {
    std::uint64_t sum = 0;
    for (int i = 0; i < ranks; ++i)
        sum += bytes_of(counts[i], types[i]);
    return sum;
}

inline bool is_root(int root, MPI_Comm comm) {
    int rank = 0;
    PMPI_Comm_rank(comm, &rank);
    int inter = 0;
    PMPI_Comm_test_inter(comm, &inter);
    return inter != 0 ? root == MPI_ROOT : root == rank;
}
/// One block, unless the rank is one of the root's group that has no part in it.
template <class Count> std::uint64_t one(int root, Count count, MPI_Datatype type) {
    return root == MPI_PROC_NULL ? 0 : bytes_of(count, type);
}
/// One block of each rank.
template <class Counts, class Types>
std::uint64_t all(MPI_Comm comm, const Counts &counts, const Types &types) {
    return blocks(mpi::peers_of(comm), counts, types);
}
/// One block of each rank of the own group.
template <class Counts>
std::uint64_t group(MPI_Comm comm, const Counts &counts, MPI_Datatype type) {
    int size = 0;
    PMPI_Comm_size(comm, &size);
    return blocks(size, counts, type);
}
/// Blocks to all ranks, and blocks from all.
template <class Count, class Types>
std::uint64_t both(const void *from, MPI_Comm comm, const Count *from_counts,
                   const Types &from_types, const Count *counts, const Types &types) {
    const std::uint64_t given = from == MPI_IN_PLACE ? 0 : all(comm, from_counts, from_types);
    return std::max(given, all(comm, counts, types));
}

/// Blocks to and from the neighbours in the communicator's topology.
template <class FromCounts, class FromTypes, class Counts, class Types>
std::uint64_t neighbours(MPI_Comm comm, const FromCounts &from_counts, const FromTypes &from_types,
                         const Counts &counts, const Types &types) {
    const mpi::Neighbours found = mpi::neighbours_of(comm);
    return std::max(blocks(found.targets, from_counts, from_types),
                    blocks(found.sources, counts, types));
}

} // namespace loomp::record
