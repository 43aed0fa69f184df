// Exchanges with neighbours: MPI_Neighbor_alltoall and its forms with lists.
//
// If the library's nonblocking form swaps two blocks (grid_neighbours.h), the layer passes the
// receives in swapped order, as MPI_Ineighbor_alltoallw, which has a place for each block. Messages
// stay as they are, so the ranks need no agreement.
#pragma once

#include <cstdlib>
#include <mpi.h>

#include "mpi/adapters/grid_neighbours.h"
#include "mpi/calls/call_kinds.h"
#include "mpi/interface/peers.h"

namespace loomp::mpi {

template <class Count> struct NeighbourBlock {
    Count count;
    MPI_Aint at; ///< in bytes
    MPI_Datatype type;
};

/// Lists of blocks, which the library reads until the operation is complete.
template <class Count> class NeighbourBlocks {
  public:
    /// `block(i)` returns block i.
    template <class Get>
    NeighbourBlocks(int count, Get block)
        : counts_(new_list<Count>(count)), offsets_(new_list<MPI_Aint>(count)),
          types_(new_list<MPI_Datatype>(count)) {
        for (int i = 0; i < count; ++i) {
            const NeighbourBlock<Count> from = block(i);
            counts_[i] = from.count;
            offsets_[i] = from.at;
            types_[i] = from.type;
        }
    }
    ~NeighbourBlocks() {
        std::free(counts_);
        std::free(offsets_);
        std::free(types_);
    }
    NeighbourBlocks(const NeighbourBlocks &) = delete;
    NeighbourBlocks &operator=(const NeighbourBlocks &) = delete;
    const Count *counts() const { return counts_; }
    const MPI_Aint *offsets() const { return offsets_; }
    const MPI_Datatype *types() const { return types_; }

  private:
    template <class T> static T *new_list(int count) {
        constexpr std::size_t size =
            sizeof(T); // NOLINT(bugprone-sizeof-expression): also of pointers
        void *list = std::malloc((static_cast<std::size_t>(count) + 1) * size);
        if (list == nullptr)
            std::abort();
        return static_cast<T *>(list);
    }

    Count *counts_;
    MPI_Aint *offsets_;
    MPI_Datatype *types_;
};

// The blocks of one side, by the arguments that describe it.

inline MPI_Aint extent_of(MPI_Datatype type) {
    MPI_Aint begin = 0;
    MPI_Aint extent = 0;
    PMPI_Type_get_extent(type, &begin, &extent);
    return extent;
}
template <class Count> auto neighbour_blocks(Count count, MPI_Datatype type) {
    return [count, type, extent = extent_of(type)](int i) {
        return NeighbourBlock<Count>{count, i * static_cast<MPI_Aint>(count) * extent, type};
    };
}
template <class Count, class Offset>
auto neighbour_blocks(const Count *counts, const Offset *offsets, MPI_Datatype type) {
    return [=, extent = extent_of(type)](int i) {
        return NeighbourBlock<Count>{counts[i], offsets[i] * extent, type};
    };
}
template <class Count>
auto neighbour_blocks(const Count *counts, const MPI_Aint *offsets, const MPI_Datatype *types) {
    return [=](int i) { return NeighbourBlock<Count>{counts[i], offsets[i], types[i]}; };
}

/// True if the layer starts the exchange in another way than the program has written.
inline bool puts_in_order(const Call &call, MPI_Comm comm) {
    return starts_collectives() && may_swap_neighbours(comm) && all_have_layer(call, comm);
}

/// The library's error, if the layer asks about a communicator that is none.
inline int check_grid(const Call &call, MPI_Comm comm) {
    return starts_collectives() && is_openmpi() ? check_comm(call, comm) : MPI_SUCCESS;
}

/// The nonblocking exchange on a grid where blocks may be swapped.
template <auto StartByTypes, class Count, class Out, class In>
int exchange_in_grid(const Call &call, const void *from, Out out, void *to, In in, MPI_Comm comm) {
    const int count = neighbours_in_grid(comm);
    const NeighbourBlocks<Count> sent(count, out);
    const NeighbourBlocks<Count> received(count,
                                          [&](int i) { return in(swapped_neighbour(comm, i)); });
    return start_and_wait(call, [&](MPI_Request *request) {
        return StartByTypes(from, sent.counts(), sent.offsets(), sent.types(), to,
                            received.counts(), received.offsets(), received.types(), comm, request);
    });
}

template <auto Blocking, auto Start, auto StartByTypes, class Count>
int neighbours(const Call &call, const void *from, Count from_count, MPI_Datatype from_type,
               void *to, Count count, MPI_Datatype type, MPI_Comm comm) {
    if (const int error = check_grid(call, comm); error != MPI_SUCCESS)
        return error;
    // The library reports wrong types.
    if (from_type == MPI_DATATYPE_NULL || type == MPI_DATATYPE_NULL || !puts_in_order(call, comm))
        return collective<Blocking, Start>(call, from, from_count, from_type, to, count, type,
                                           comm);
    return exchange_in_grid<StartByTypes, Count>(call, from,
                                                 neighbour_blocks(from_count, from_type), to,
                                                 neighbour_blocks(count, type), comm);
}

template <auto Blocking, auto Start, auto StartByTypes, class Count, class Offset>
int neighbours(const Call &call, const void *from, const Count *from_counts,
               const Offset *from_offsets, MPI_Datatype from_type, void *to, const Count *counts,
               const Offset *offsets, MPI_Datatype type, MPI_Comm comm) {
    if (const int error = check_grid(call, comm); error != MPI_SUCCESS)
        return error;
    if (from_type == MPI_DATATYPE_NULL || type == MPI_DATATYPE_NULL || !puts_in_order(call, comm))
        return collective<Blocking, Start>(call, from, from_counts, from_offsets, from_type, to,
                                           counts, offsets, type, comm);
    return exchange_in_grid<StartByTypes, Count>(
        call, from, neighbour_blocks(from_counts, from_offsets, from_type), to,
        neighbour_blocks(counts, offsets, type), comm);
}

template <auto Blocking, auto Start, auto StartByTypes, class Count>
int neighbours(const Call &call, const void *from, const Count *from_counts,
               const MPI_Aint *from_offsets, const MPI_Datatype *from_types, void *to,
               const Count *counts, const MPI_Aint *offsets, const MPI_Datatype *types,
               MPI_Comm comm) {
    if (const int error = check_grid(call, comm); error != MPI_SUCCESS)
        return error;
    if (!puts_in_order(call, comm))
        return collective<Blocking, Start>(call, from, from_counts, from_offsets, from_types, to,
                                           counts, offsets, types, comm);
    return exchange_in_grid<StartByTypes, Count>(
        call, from, neighbour_blocks(from_counts, from_offsets, from_types), to,
        neighbour_blocks(counts, offsets, types), comm);
}

} // namespace loomp::mpi
