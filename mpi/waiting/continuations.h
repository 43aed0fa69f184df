// Calls a function when all of some requests are complete, without a waiting task.
#pragma once

#include <mpi.h>

namespace loomp::mpi {

struct Call;

/// The function to call; `statuses`, one for each request, end with the call. The poller calls it,
/// or the thread in when_complete() if the requests are complete there.
struct Continuation {
    void (*call)(const Continuation &self, int count, MPI_Status *statuses);
    void *function;      ///< for `call`
    void *data;          ///< for `call`
    bool gives_statuses; ///< `call` passes them to the program, with the errors of the operations
    bool holds_task = false; ///< the task that hands the requests over completes after them
};

/// Selects whether the requests are tested before the poller gets them. They are not if the
/// starting task is to complete with them. Tasks that complete at once would let their successors
/// send or receive, too, and one chain would run ahead of all others. The messages of a receiver
/// that runs ahead would then be searched among all earlier ones.
enum class Look { at_once, in_turn };

/// Takes over the requests, which become MPI_REQUEST_NULL, and calls the function when all are
/// complete. If MPI calls are not intercepted, it waits for them. `in_turn`: all are active. `call`
/// is the program's call, with an unknown communicator. Returns an MPI error code.
int when_complete(const Call &call, int count, MPI_Request *requests,
                  const Continuation &continuation, Look look = Look::at_once);

} // namespace loomp::mpi
