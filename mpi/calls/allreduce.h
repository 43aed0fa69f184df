// MPI_Allreduce of large data where the library's nonblocking form has one algorithm for all
// lengths (collective_algorithms.h).
//
// Recursive doubling sends all data log2(ranks) times. Large data is reduced in blocks instead, one
// a rank: each rank gets its block from all others, reduces it in the ranks' order, and sends the
// result to all. That sends the data about twice. All ranks must decide alike: the decision depends
// only on arguments that MPI requires to be equal everywhere.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <limits>
#include <mpi.h>

#include "mpi/adapters/collective_algorithms.h"
#include "mpi/calls/call_kinds.h"

namespace loomp::mpi {

/// MPI_Allreduce in blocks. The arguments are right, and `bytes` is the size of an element.
int allreduce_in_blocks(const Call &call, const void *from, void *to, int count, int bytes,
                        MPI_Datatype type, MPI_Op op, MPI_Comm comm);

/// True if the call may be made in blocks: its data is large, and the library need not check its
/// other arguments. This does not depend on the communicator.
bool may_divide(MPI_Count count, MPI_Datatype type, MPI_Op op);
/// The size of an element, if the call is made in blocks; 0 otherwise. may_divide() is true, and
/// `comm` is a communicator.
int bytes_in_blocks(MPI_Count count, MPI_Datatype type, MPI_Comm comm);

template <auto Blocking, auto Start, class Count>
int allreduce(const Call &call, const void *from, void *to, Count count, MPI_Datatype type,
              MPI_Op op, MPI_Comm comm) {
    // The library reports wrong buffers.
    const bool may_be_right = to != MPI_IN_PLACE && from != to;
    int bytes = 0;
    if (starts_collectives() && may_be_right && may_divide(count, type, op)) {
        if (const int error = check_comm(call, comm); error != MPI_SUCCESS)
            return error;
        bytes = all_have_layer(call, comm) ? bytes_in_blocks(count, type, comm) : 0;
    }
    return bytes > 0
               ? allreduce_in_blocks(call, from, to, static_cast<int>(count), bytes, type, op, comm)
               : collective<Blocking, Start>(call, from, to, count, type, op, comm);
}

} // namespace loomp::mpi
