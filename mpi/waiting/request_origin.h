// What the program's own requests are, for the report of a program that is stuck: which call has
// started each, with which rank and tag.
//
// A table with one place for many handles: who comes later has it. As a library uses handles again,
// a request is forgotten before anything may complete or free it.
//
// Thread safety: everything from any thread.
#pragma once

#include <mpi.h>

namespace loomp::mpi {

struct Call;

/// The program's `call` has started the request; its communicator is not kept, as it may be freed.
void note_started(const Call &call, MPI_Request request);
void forget_started(int count, const MPI_Request *requests);
/// What has started it, without its communicator. False: it is not known. By who waits for it, or
/// while somebody does.
bool what_started(MPI_Request request, Call &call);

} // namespace loomp::mpi
