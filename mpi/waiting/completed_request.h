// Recognises requests that are complete without a test.
//
// Libraries have one handle for all sends that complete at once, because the message is small and
// was copied. A test of it is not free: MPICH polls the network first. A wait takes MPICH's lock.
//
// Thread safety: any thread, once the handle is known.
#pragma once

#include <mpi.h>

namespace loomp::mpi {

/// Learns the handle, if the library has one. Called once, before calls are intercepted.
void learn_complete_handle();

namespace complete_handle {
/// MPI_REQUEST_NULL: the library has none. Constant once calls are intercepted.
extern MPI_Request known;
/// The library has this one request forever: a wait for it changes nothing. Constant once calls are
/// intercepted.
extern bool is_permanent;
} // namespace complete_handle

/// True if an active request is known to be complete: PMPI_Wait does not wait.
inline bool is_complete(MPI_Request request) { return request == complete_handle::known; }
/// True if nothing is left of the operation of a request that is_complete(): PMPI_Wait does
/// nothing.
inline bool needs_no_completion() { return complete_handle::is_permanent; }

} // namespace loomp::mpi
