// MPI_Alltoallw on a communicator with a topology.
//
// Open MPI's MPI_Ialltoallw reads as many datatypes as a rank has neighbours (4.1), which may be
// more than there are ranks. The layer then passes longer lists.
#pragma once

#include <algorithm>
#include <cstdlib>
#include <mpi.h>

#include "mpi/calls/call_kinds.h"
#include "mpi/interface/peers.h"

namespace loomp::mpi {

/// Both lists, with an entry for each neighbour at least. They live until the operation is
/// complete.
class LongLists {
  public:
    LongLists(MPI_Comm comm, const MPI_Datatype *from, const MPI_Datatype *to)
        : from_(from), to_(to) {
        const Neighbours found = neighbours_of(comm);
        const int most = std::max(found.targets, found.sources);
        const int peers = most > 0 ? peers_of(comm) : 0;
        if (most <= peers)
            return;
        from_ = from == nullptr ? nullptr : copy(from, peers, most);
        to_ = copy(to, peers, most);
        are_copies_ = true;
    }
    ~LongLists() {
        if (are_copies_) {
            std::free(const_cast<MPI_Datatype *>(from_));
            std::free(const_cast<MPI_Datatype *>(to_));
        }
    }
    LongLists(const LongLists &) = delete;
    LongLists &operator=(const LongLists &) = delete;
    const MPI_Datatype *from() const { return from_; }
    const MPI_Datatype *to() const { return to_; }

  private:
    static const MPI_Datatype *copy(const MPI_Datatype *types, int count, int most) {
        constexpr std::size_t size =
            sizeof(MPI_Datatype); // NOLINT(bugprone-sizeof-expression): also of pointers
        auto *list =
            static_cast<MPI_Datatype *>(std::malloc(static_cast<std::size_t>(most) * size));
        if (list == nullptr)
            std::abort();
        std::fill(std::copy(types, types + count, list), list + most, MPI_BYTE);
        return list;
    }

    const MPI_Datatype *from_;
    const MPI_Datatype *to_;
    bool are_copies_ = false;
};

template <auto Blocking, auto Start, class Count, class Offset>
int alltoallw(const Call &call, const void *from, const Count *from_counts,
              const Offset *from_offsets, const MPI_Datatype *from_types, void *to,
              const Count *counts, const Offset *offsets, const MPI_Datatype *types,
              MPI_Comm comm) {
    if (!starts_collectives() || !is_openmpi() || types == nullptr)
        return collective<Blocking, Start>(call, from, from_counts, from_offsets, from_types, to,
                                           counts, offsets, types, comm);
    if (const int error = check_comm(call, comm); error != MPI_SUCCESS)
        return error;
    const LongLists lists(comm, from == MPI_IN_PLACE ? nullptr : from_types, types);
    return collective<Blocking, Start>(call, from, from_counts, from_offsets, lists.from(), to,
                                       counts, offsets, lists.to(), comm);
}

} // namespace loomp::mpi
