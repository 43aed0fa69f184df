// The order of neighbours in a Cartesian topology, which libraries' nonblocking exchanges may
// confuse.
//
// In a periodic dimension of one or two ranks, both neighbours are the same rank. Data that a rank
// sends in the positive direction is then received from the negative neighbour (MPI 4.0, 8.6). Open
// MPI's blocking exchanges do so, but its nonblocking ones match messages only by their order, and
// swap the two blocks (4.1).
//
// Thread safety: any thread, once the order is known.
#pragma once

#include <mpi.h>

namespace loomp::mpi {

/// Learns whether the nonblocking exchange differs from the blocking one. Called once, before calls
/// are intercepted.
void learn_order_of_neighbours();

/// True if nonblocking exchanges may swap blocks on `comm`, which may be null.
bool may_swap_neighbours(MPI_Comm comm);
/// The place of the block that MPI's nonblocking exchange confuses with block `i`; `i` if none.
int swapped_neighbour(MPI_Comm comm, int i);

} // namespace loomp::mpi
