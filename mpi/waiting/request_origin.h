// Records which call started each of the program's own requests, with rank and tag, for the report
// of a stuck program.
//
// A lossy hash table: a newer request overwrites an older one. Libraries reuse handles, so a
// request is removed before anything may complete or free it.
//
// Thread safety: everything from any thread.
#pragma once

#include <mpi.h>

namespace loomp::mpi {

struct Call;

/// Notes that the program's `call` has started the request. Its communicator is kept if it is
/// MPI_COMM_WORLD; others may be freed.
void note_started(const Call &call, MPI_Request request);
void forget_started(int count, const MPI_Request *requests);
/// The call that started the request; its communicator is MPI_COMM_WORLD, or none, and then the
/// call is_elsewhere. False if it is unknown. The request's
/// waiter must call this, or must be waiting meanwhile.
bool what_started(MPI_Request request, Call &call);

} // namespace loomp::mpi
