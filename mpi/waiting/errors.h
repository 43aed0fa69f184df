// Whose error handler is called, and what is said of an error that ends the job.
//
// A blocking call's errors belong to its communicator. The layer makes a nonblocking call of it,
// completed by another call, and MPICH up to 4 raises what that finds on MPI_COMM_WORLD, whatever
// the request belongs to; so there it is completed with no handler in force, and the error is
// raised afterwards, on the right communicator, in the task that made the call. Open MPI, and MPICH
// since 5, raise such errors on the request's communicator: nothing to do.
//
// Where errors are fatal, the library would name the call that it was given, such as MPI_Isend for
// a program's MPI_Send, or MPI_Testsome for one of hundreds of calls. So the handler that ends the
// job is the layer's own, which communicators inherit: of a call that was made for the program's,
// it leaves it to the layer to name that one.
//
// MPICH's MPI_Testall fails where a request is partitioned (4.0).
//
// Thread safety: everything from any thread.
#pragma once

#include <mpi.h>

#include "platform/common.h"

namespace loomp::mpi {

struct Call;

/// From now on the program may see errors: until then all of them are fatal, wherever raised, and
/// requests are tested together.
void expect_errors();
bool errors_expected();

/// Has the layer's handler end the job where the library's would. Called once, before there are
/// communicators of the program's.
void name_fatal_errors();
/// Whether `handler` is the one that does; the program is not to see it.
bool is_own(MPI_Errhandler handler);

/// Says that `call` failed and ends the job.
[[noreturn]] void end_job(const Call &call, int error);

/// While one lives, a fatal error is noted, and not the end. The thread must not be left meanwhile.
class FatalErrors {
  public:
    FatalErrors() {
        if (noting_++ == 0)
            last_ = MPI_SUCCESS;
    }
    ~FatalErrors() { --noting_; }
    FatalErrors(const FatalErrors &) = delete;
    FatalErrors &operator=(const FatalErrors &) = delete;
    /// The last one; MPI_SUCCESS: there was none, or it is the affair of another that lives.
    static int noted() { return noting_ == 1 ? last_ : MPI_SUCCESS; }
    /// Whether one lives that is to note `error`.
    static bool takes(int error) {
        if (noting_ != 0)
            last_ = error;
        return noting_ != 0;
    }

  private:
    /// Of the calling thread. In the memory that threads have from their start, for calls pass
    /// here.
    static LOOMP_THREAD_LOCAL int noting_ __attribute__((tls_model("initial-exec")));
    static LOOMP_THREAD_LOCAL int last_ __attribute__((tls_model("initial-exec")));
};

/// What `make()` returns, which gives the library a call that stands for the program's `call`; the
/// task that made that is not suspended meanwhile.
template <class Make> int make_for(const Call &call, Make make) {
    const FatalErrors errors;
    const int result = make();
    if (FatalErrors::noted() != MPI_SUCCESS)
        end_job(call, FatalErrors::noted());
    return result;
}

/// As PMPI_Testsome, while all errors are fatal, and may be noted. MPI_ERR_IN_STATUS: look into the
/// statuses, also where there was another one than theirs.
int test_some(int count, MPI_Request *requests, int *completed, int *indices, MPI_Status *statuses);

/// From now on requests may be partitioned.
void expect_partitioned();
/// As PMPI_Testall.
int test_all(int count, MPI_Request *requests, int *flag, MPI_Status *statuses);

/// As PMPI_Test, for a request that stands for `call`; raises no error that raise() is to raise.
/// Without a communicator: the program's own request, PMPI_Test itself.
int test_for(const Call &call, MPI_Request *request, int *flag, MPI_Status *status);
/// As PMPI_Wait, likewise.
int wait_in_place(const Call &call, MPI_Request *request, MPI_Status *status);
/// Raises an error that they returned; returns what the call is to return.
int raise(const Call &call, int error);

} // namespace loomp::mpi
