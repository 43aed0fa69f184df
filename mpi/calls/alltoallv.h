// MPI_Alltoallv with a datatype of no bytes.
//
// Open MPI's MPI_Ialltoallv waits for a message for each count above zero, also if the datatype has
// no bytes (4.1). The other rank may have a count of zero, and then sends none. The layer then
// passes counts of zero on both sides.
#pragma once

#include <cstdlib>
#include <mpi.h>

#include "mpi/calls/call_kinds.h"
#include "mpi/interface/peers.h"

namespace loomp::mpi {

inline bool has_no_bytes(MPI_Datatype type) {
    MPI_Count size = 1;
    return type != MPI_DATATYPE_NULL && PMPI_Type_size_x(type, &size) == MPI_SUCCESS && size == 0;
}

/// A call's counts, or as many zeros if the datatype has no bytes. They live until the operation is
/// complete.
template <class Count> class CountsWithBytes {
  public:
    CountsWithBytes(const Count *counts, bool are_zero, MPI_Comm comm) : counts_(counts) {
        if (!are_zero)
            return;
        zeros_ = static_cast<Count *>(
            std::calloc(static_cast<std::size_t>(peers_of(comm)) + 1, sizeof(Count)));
        if (zeros_ == nullptr)
            std::abort();
        counts_ = zeros_;
    }
    ~CountsWithBytes() { std::free(zeros_); }
    CountsWithBytes(const CountsWithBytes &) = delete;
    CountsWithBytes &operator=(const CountsWithBytes &) = delete;
    const Count *get() const { return counts_; }

  private:
    const Count *counts_;
    Count *zeros_ = nullptr;
};

template <auto Blocking, auto Start, class Count, class Offset>
int alltoallv(const Call &call, const void *from, const Count *from_counts,
              const Offset *from_offsets, MPI_Datatype from_type, void *to, const Count *counts,
              const Offset *offsets, MPI_Datatype type, MPI_Comm comm) {
    const bool asks = is_openmpi() && starts_collectives();
    const bool sends_none = asks && from != MPI_IN_PLACE && has_no_bytes(from_type);
    const bool receives_none = asks && has_no_bytes(type);
    if (!sends_none && !receives_none)
        return collective<Blocking, Start>(call, from, from_counts, from_offsets, from_type, to,
                                           counts, offsets, type, comm);
    if (const int error = check_comm(call, comm); error != MPI_SUCCESS)
        return error;
    const CountsWithBytes<Count> sent(from_counts, sends_none, comm);
    const CountsWithBytes<Count> received(counts, receives_none, comm);
    return collective<Blocking, Start>(call, from, sent.get(), from_offsets, from_type, to,
                                       received.get(), offsets, type, comm);
}

} // namespace loomp::mpi
