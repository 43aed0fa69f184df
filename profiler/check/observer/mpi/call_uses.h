// The uses of an MPI call: its memory, and the places of its messages in their order.
#pragma once

#include <cstddef>
#include <cstdint>
#include <mpi.h>
#include <vector>

#include "mpi/interface/peers.h"

namespace loomp::check {

struct Range {
    std::uintptr_t begin;
    std::size_t size;
    bool writes;
};

/// MPI matches the messages of an envelope in the order of the calls.
struct Envelope {
    unsigned kind; ///< LOOMP_CHECK_RECEIVES and so on
    int peer, tag;
    MPI_Comm comm;
};

/// The calls of MPI describe themselves by its functions, which return true if the call has that
/// part (mpi/interface/functions.txt).
class Uses {
  public:
    const std::vector<Range> &ranges() const { return ranges_; }
    const std::vector<Envelope> &envelopes() const { return envelopes_; }

    /// A receive with wildcards takes messages in any order.
    bool receives(int peer, int tag, MPI_Comm comm);
    bool sends(int peer, int tag, MPI_Comm comm);
    bool joins(MPI_Comm comm);

    /// Elements that the call reads or writes, unless the buffer is MPI_IN_PLACE; with `ranks`, as
    /// many blocks of them.
    template <class Count> bool in(const void *buffer, Count count, MPI_Datatype type) {
        return add(buffer, static_cast<MPI_Count>(count), type, false);
    }
    template <class Count> bool out(const void *buffer, Count count, MPI_Datatype type) {
        return add(buffer, static_cast<MPI_Count>(count), type, true);
    }
    template <class Count> bool in(int ranks, const void *buffer, Count count, MPI_Datatype type) {
        return add(buffer, ranks * static_cast<MPI_Count>(count), type, false);
    }
    template <class Count> bool out(int ranks, const void *buffer, Count count, MPI_Datatype type) {
        return add(buffer, ranks * static_cast<MPI_Count>(count), type, true);
    }
    /// Blocks whose offsets are in elements, or in bytes if each has a type of its own.
    template <class Count, class Offset, class Types>
    bool in(int ranks, const void *buffer, const Count *counts, const Offset *offsets,
            Types types) {
        return blocks(ranks, buffer, counts, offsets, types, false);
    }
    template <class Count, class Offset, class Types>
    bool out(int ranks, const void *buffer, const Count *counts, const Offset *offsets,
             Types types) {
        return blocks(ranks, buffer, counts, offsets, types, true);
    }

  private:
    bool add(const void *buffer, MPI_Count count, MPI_Datatype type, bool writes);
    void add_type(std::uintptr_t at, MPI_Count count, MPI_Datatype type, bool writes);
    void add_parts(std::uintptr_t at, MPI_Datatype type, bool writes);
    void add_range(std::uintptr_t begin, std::size_t size, bool writes);

    template <class Count, class Offset, class Types>
    bool blocks(int ranks, const void *buffer, const Count *counts, const Offset *offsets,
                Types types, bool writes) {
        for (int i = 0; buffer != MPI_IN_PLACE && i < ranks; ++i)
            add(static_cast<const char *>(buffer) + offset_of(offsets[i], i, types),
                static_cast<MPI_Count>(counts[i]), type_of(types, i), writes);
        return true;
    }
    static MPI_Datatype type_of(MPI_Datatype type, int /*block*/) { return type; }
    static MPI_Datatype type_of(const MPI_Datatype *types, int block) { return types[block]; }
    static MPI_Aint offset_of(MPI_Aint offset, int /*block*/, const MPI_Datatype * /*types*/) {
        return offset;
    }
    static MPI_Aint offset_of(MPI_Aint offset, int /*block*/, MPI_Datatype type) {
        MPI_Aint lowest = 0, extent = 0;
        PMPI_Type_get_extent(type, &lowest, &extent);
        return offset * extent;
    }

    std::vector<Range> ranges_;
    std::vector<Envelope> envelopes_;
};

inline int ranks(MPI_Comm comm) { return mpi::peers_of(comm); }
inline int targets(MPI_Comm comm) { return mpi::neighbours_of(comm).targets; }
inline int sources(MPI_Comm comm) { return mpi::neighbours_of(comm).sources; }
inline int own_rank(MPI_Comm comm) {
    int rank = 0;
    PMPI_Comm_rank(comm, &rank);
    return rank;
}
inline bool is_root(int root, MPI_Comm comm) { return root == own_rank(comm); }
template <class Count> MPI_Count sum(MPI_Comm comm, const Count *counts) {
    MPI_Count all = 0;
    for (int i = 0; i < ranks(comm); ++i)
        all += counts[i];
    return all;
}

} // namespace loomp::check
