// Whose error handler is called. A blocking call's errors belong to its communicator. The layer
// makes a nonblocking call of it, completed by another call, and MPICH raises what that finds on
// MPI_COMM_WORLD, whatever the request belongs to; so there it is completed with no handler in
// force, and the error is raised afterwards, on the right communicator, in the task that made the
// call. Open MPI raises such errors on the request's communicator: nothing to do.
//
// Thread safety: everything from any thread.
#pragma once

#include <mpi.h>

namespace loomp::mpi {

/// From now on the program may see errors: until then all of them are fatal, wherever raised, and
/// requests are tested together.
void expect_errors();
bool errors_expected();

/// As PMPI_Test, for a request that stands for a blocking call on `comm`; raises no error that
/// raise() is to raise. MPI_COMM_NULL: the program's own request, PMPI_Test itself.
int test_for(MPI_Comm comm, MPI_Request *request, int *flag, MPI_Status *status);
/// As PMPI_Wait, likewise.
int wait_for(MPI_Comm comm, MPI_Request *request, MPI_Status *status);
/// Raises an error that they returned; returns what the call is to return.
int raise(MPI_Comm comm, int error);

} // namespace loomp::mpi
