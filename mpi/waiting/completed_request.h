// Requests that are known to be complete without a test.
//
// Libraries have one handle for all sends that were complete when they began: small messages, which
// were copied. A test of it is not free: MPICH's asks the network first.
//
// Thread safety: everything from any thread, once the handle is known.
#pragma once

#include <mpi.h>

namespace loomp::mpi {

/// Learns the handle, where the library has one. Called once, before calls are taken over.
void learn_complete_handle();

namespace complete_handle {
/// MPI_REQUEST_NULL: the library has none. Not changed once calls are taken over.
extern MPI_Request known;
} // namespace complete_handle

/// Whether a request that is active is known to be complete: PMPI_Wait does not wait.
inline bool is_complete(MPI_Request request) { return request == complete_handle::known; }

} // namespace loomp::mpi
