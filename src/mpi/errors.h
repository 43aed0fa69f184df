// Whose error handler is called. A blocking call's errors belong to its communicator. The layer
// makes a nonblocking call of it, completed by another call, and MPICH raises what that finds on
// MPI_COMM_WORLD, whatever the request belongs to; so there it is completed with no handler in
// force, and the error is raised afterwards, on the right communicator, in the task that made the
// call. Open MPI raises such errors on the request's communicator: nothing to do. Of a fatal error
// among the requests that are tested together MPICH says only that there is one; so there the
// handler that ends the job is the layer's own. And its MPI_Testall fails where a request is
// partitioned (4.0).
//
// Thread safety: everything from any thread.
#pragma once

#include <mpi.h>

namespace loomp::mpi {

struct Call;

/// From now on the program may see errors: until then all of them are fatal, wherever raised, and
/// requests are tested together.
void expect_errors();
bool errors_expected();

/// Where the library would end the job without saying what went wrong, says it from now on. Called
/// once, while all errors are fatal.
void name_fatal_errors();
/// Whether `handler` is the one that does; the program is not to see it.
bool is_own(MPI_Errhandler handler);
/// As PMPI_Testsome, while all errors are fatal: returns even so, perhaps, and leaves it to the
/// caller to call end_job().
int test_some(int count, MPI_Request *requests, int *completed, int *indices, MPI_Status *statuses);

/// From now on requests may be partitioned.
void expect_partitioned();
/// As PMPI_Testall.
int test_all(int count, MPI_Request *requests, int *flag, MPI_Status *statuses);

/// Says that `call` failed and ends the job.
[[noreturn]] void end_job(const Call &call, int error);

/// As PMPI_Test, for a request that stands for a blocking call on `comm`; raises no error that
/// raise() is to raise. MPI_COMM_NULL: the program's own request, PMPI_Test itself.
int test_for(MPI_Comm comm, MPI_Request *request, int *flag, MPI_Status *status);
/// As PMPI_Wait, likewise.
int wait_in_place(MPI_Comm comm, MPI_Request *request, MPI_Status *status);
/// Raises an error that they returned; returns what the call is to return.
int raise(MPI_Comm comm, int error);

} // namespace loomp::mpi
