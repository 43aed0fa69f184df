// Requests that belong to a task: it completes when they do (TAMPI_Iwait and its kin).
#pragma once

#include "mpi/waiting/call.h"
#include "mpi/waiting/continuations.h"
#include "mpi/waiting/errors.h"

namespace loomp::mpi {

/// Outside tasks it waits. `statuses`: null if they are not wanted.
int bind(const Call &call, int count, MPI_Request *requests, MPI_Status *statuses,
         Look look = Look::at_once);

/// `Start` is MPI's own name for a nonblocking call, before which a recorder may stand.
template <auto Start, class... Arguments>
int start_and_bind(const Call &call, MPI_Status *status, Arguments... arguments) {
    MPI_Request request = MPI_REQUEST_NULL;
    const int error = make_for(call, [&] { return Start(arguments..., &request); });
    if (error != MPI_SUCCESS)
        return error;
    return bind(call, 1, &request, status == MPI_STATUS_IGNORE ? nullptr : status, Look::in_turn);
}

} // namespace loomp::mpi
