// Open MPI's Fortran routines for MPI_Ialltoallw and MPI_Ineighbor_alltoallw free C's forms of the
// datatypes when they return, but the library reads them until the operation is complete (4.1). The
// layer therefore calls C's functions, with lists that live as long.
#pragma once

#include <cstdlib>
#include <mpi.h>

#include "mpi/interface/fortran_openmpi.h"

namespace loomp::mpi {

/// C's forms of a call's datatypes, in a block that is freed when the operation is complete: this
/// object does not do it.
struct Datatypes {
    /// `from_handles`: null if nothing is sent from a buffer.
    Datatypes(const MPI_Fint *from_handles, int from_count, const MPI_Fint *handles, int count) {
        from = static_cast<MPI_Datatype *>(std::malloc(
            (static_cast<std::size_t>(from_count) + static_cast<std::size_t>(count) + 1) *
            sizeof(MPI_Datatype)));
        if (from == nullptr)
            std::abort();
        to = from + from_count;
        for (int i = 0; from_handles != nullptr && i < from_count; ++i)
            from[i] = PMPI_Type_f2c(from_handles[i]);
        for (int i = 0; i < count; ++i)
            to[i] = PMPI_Type_f2c(handles[i]);
    }

    MPI_Datatype *from; ///< the block's begin
    MPI_Datatype *to;
};

/// How many ranks each rank exchanges data with in MPI_Ialltoallw.
inline int peers_of(MPI_Comm comm) {
    int is_inter = 0;
    int count = 0;
    if (comm == MPI_COMM_NULL)
        return 0; // the library reports it
    PMPI_Comm_test_inter(comm, &is_inter);
    if (is_inter != 0)
        PMPI_Comm_remote_size(comm, &count);
    else
        PMPI_Comm_size(comm, &count);
    return count;
}

} // namespace loomp::mpi
