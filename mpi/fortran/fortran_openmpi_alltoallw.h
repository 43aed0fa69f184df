// Open MPI's Fortran routines for MPI_Ialltoallw and MPI_Ineighbor_alltoallw free C's forms of the
// datatypes when they return, but the library reads them until the operation is complete (4.1). The
// layer therefore calls C's functions, with lists that live as long.
#pragma once

#include <cstdlib>
#include <mpi.h>

#include "mpi/calls/alltoallw.h"
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

} // namespace loomp::mpi
