// How MPICH's routines for `use mpi_f08` are taken over, by the layer and by the recorder.
#pragma once

#include <mpi.h>

#include "mpi/export.h"

namespace loomp::mpi {

/// What C functions take for a status or an array of them.
inline MPI_Status *wanted(MPI_Status *status) {
    return status == static_cast<void *>(MPI_F08_STATUS_IGNORE) ? MPI_STATUS_IGNORE : status;
}
inline MPI_Status *wanted_all(MPI_Status *statuses) {
    return statuses == static_cast<void *>(MPI_F08_STATUSES_IGNORE) ? MPI_STATUSES_IGNORE
                                                                    : statuses;
}

/// `code` is null where ierror was not given.
inline void give(int *code, int error) {
    if (code != nullptr)
        *code = error;
}

} // namespace loomp::mpi
