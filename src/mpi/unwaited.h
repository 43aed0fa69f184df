// Requests that nobody waits for: something is to be done when all of them are complete.
#pragma once

#include <mpi.h>

namespace loomp::mpi {

/// What is done then; `statuses`, one for each request, end with the call. Called in the poller, or
/// at once by the thread that asks for it.
struct Continuation {
    void (*call)(const Continuation &self, int count, MPI_Status *statuses);
    void *function; ///< for `call`
    void *data;     ///< for `call`
};

/// Takes over the requests, which become MPI_REQUEST_NULL, and makes the call when all are
/// complete. Where MPI calls are not taken over it waits for them. Returns an MPI error code.
int when_complete(int count, MPI_Request *requests, const Continuation &continuation);

} // namespace loomp::mpi
