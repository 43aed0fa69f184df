// How MPICH's routines for `use mpi_f08` are taken over, by the layer and by the recorder.
#pragma once

#include <mpi.h>

#include "platform/export.h"

// MPICH 4.2 has them in its library for Fortran, which programs in C do not load. Some versions do
// not declare the last two.
extern "C" int MPIR_F08_MPI_BOTTOM;   // NOLINT(readability-redundant-declaration)
extern "C" int MPIR_F08_MPI_IN_PLACE; // NOLINT(readability-redundant-declaration)
#pragma weak MPI_F08_STATUS_IGNORE
#pragma weak MPI_F08_STATUSES_IGNORE
#pragma weak MPIR_F08_MPI_BOTTOM
#pragma weak MPIR_F08_MPI_IN_PLACE

namespace loomp::mpi {

inline bool is_f08_status_ignore(const void *status) {
    return &MPI_F08_STATUS_IGNORE != nullptr && status == MPI_F08_STATUS_IGNORE;
}
inline bool is_f08_statuses_ignore(const void *statuses) {
    return &MPI_F08_STATUSES_IGNORE != nullptr && statuses == MPI_F08_STATUSES_IGNORE;
}

/// Returns what C functions take for a status or an array of them.
inline MPI_Status *wanted(MPI_Status *status) {
    return is_f08_status_ignore(status) ? MPI_STATUS_IGNORE : status;
}
inline MPI_Status *wanted_all(MPI_Status *statuses) {
    return is_f08_statuses_ignore(statuses) ? MPI_STATUSES_IGNORE : statuses;
}

/// C's constant for one of mpi_f08, which the routines for mpif.h do not know; another address is
/// unchanged.
inline void *buffer_in_c(void *address) {
    if (&MPIR_F08_MPI_IN_PLACE != nullptr && address == &MPIR_F08_MPI_IN_PLACE)
        return MPI_IN_PLACE;
    if (&MPIR_F08_MPI_BOTTOM != nullptr && address == &MPIR_F08_MPI_BOTTOM)
        return MPI_BOTTOM;
    return address;
}

/// `code` is null where ierror was not given.
inline void give(int *code, int error) {
    if (code != nullptr)
        *code = error;
}

} // namespace loomp::mpi
