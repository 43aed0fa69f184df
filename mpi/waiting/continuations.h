// Requests that nobody waits for: something is to be done when all of them are complete.
#pragma once

#include <mpi.h>

namespace loomp::mpi {

struct Call;

/// To be called then; `statuses`, one for each request, end with the call. Called in the poller, or
/// at once by the thread that asks for it.
struct Continuation {
    void (*call)(const Continuation &self, int count, MPI_Status *statuses);
    void *function; ///< for `call`
    void *data;     ///< for `call`
};

/// Whether the requests are tested before they are left to the poller. Not where the task that
/// starts them is to complete with them: tasks that complete at once would let what follows them
/// send or receive, too, and so on along one chain, past all others; and a receiver that gets ahead
/// in another one has each of its messages searched among all that came before.
enum class Look { at_once, in_turn };

/// Takes over the requests, which become MPI_REQUEST_NULL, and makes the call when all are
/// complete. Where MPI calls are not taken over it waits for them. `in_turn`: all are active.
/// `call`: the program's, of which no communicator is known. Returns an MPI error code.
int when_complete(const Call &call, int count, MPI_Request *requests,
                  const Continuation &continuation, Look look = Look::at_once);

} // namespace loomp::mpi
