// Calls the right error handler, and words the message of an error that ends the job.
//
// A blocking call's errors belong to its communicator. The layer replaces it by a nonblocking call,
// which another call completes. MPICH up to 4 raises errors of the completion on MPI_COMM_WORLD.
// There the layer completes a request without the program's handler (world_handler.h). It raises
// the error afterwards on the right communicator, in the calling task. Open MPI, and MPICH since 5,
// raise such errors on the request's communicator.
//
// If errors are fatal, the library would name the replacement call, such as MPI_Isend for a
// program's MPI_Send, or MPI_Testsome for hundreds of calls. Therefore the layer has its own
// handler that ends the job, which communicators inherit. For replacement calls, the layer names
// the program's call.
//
// MPICH 4.0's MPI_Testall fails for partitioned requests.
//
// Thread safety: everything from any thread.
#pragma once

#include <mpi.h>

#include "mpi/adapters/tools.h"
#include "mpi/waiting/call.h"
#include "mpi/waiting/callbacks.h"
#include "platform/common.h"

namespace loomp::mpi {

/// The program may handle errors from now on. Until then all errors are fatal everywhere, and
/// requests are tested together.
void expect_errors();
bool errors_expected();

/// Replaces the library's handler that ends the job by the layer's. Called once, before the program
/// has communicators.
void name_fatal_errors();
/// The handler to set where the program sets `handler`: the layer's instead of the one that ends
/// the job. Notes whether errors are expected now.
MPI_Errhandler given_handler(MPI_Errhandler handler);
/// MPI_Comm_create_errhandler, MPI_Comm_set_errhandler and MPI_Comm_get_errhandler for the program,
/// which sees its own handlers only.
int create_handler(MPI_Comm_errhandler_function *function, MPI_Errhandler *made);
int set_handler(MPI_Comm comm, MPI_Errhandler handler);
int get_handler(MPI_Comm comm, MPI_Errhandler *handler);
/// Returns the result of a call that made `made` from `parent`. A communicator inherits the
/// program's handler, not the layer's.
int inherited(MPI_Comm parent, const MPI_Comm *made, int error);
/// MPI_Comm_idup, whose communicator inherits at once.
int begin_duplicate(MPI_Comm comm, MPI_Comm *made, MPI_Request *request);

/// Reports that `call` failed and ends the job.
[[noreturn]] void end_job(const Call &call, int error);

/// Ends the job without a report.
[[noreturn]] void abort_job(int error);

/// Reports that an operation of `call` failed. The program handles errors, but the call has
/// returned, and no status takes the error.
void report_unreturned(const Call &call, int error);

/// While an object exists, the calling thread's fatal errors are noted and do not end the job. The
/// task must stay on its thread meanwhile.
class FatalErrors {
  public:
    FatalErrors() {
        if (noting_++ == 0)
            last_ = MPI_SUCCESS;
    }
    ~FatalErrors() { --noting_; }
    FatalErrors(const FatalErrors &) = delete;
    FatalErrors &operator=(const FatalErrors &) = delete;
    /// The last error; MPI_SUCCESS if there was none, or if an enclosing object handles it.
    static int noted() { return noting_ == 1 ? last_ : MPI_SUCCESS; }
    /// Notes `error` if an object exists; false otherwise.
    static bool takes(int error) {
        if (noting_ != 0)
            last_ = error;
        return noting_ != 0;
    }

  private:
    /// These belong to the calling thread. They lie in the memory that threads have from their
    /// start, because every call passes here.
    static LOOMP_THREAD_LOCAL int noting_ __attribute__((tls_model("initial-exec")));
    static LOOMP_THREAD_LOCAL int last_ __attribute__((tls_model("initial-exec")));
};

/// Returns the result of `make()`, which passes the library a replacement for the program's `call`.
/// The calling task is not suspended meanwhile.
template <class Make> int make_for(const Call &call, Make make) {
    const FatalErrors errors;
    const int result = possibly_calling_back(make);
    if (FatalErrors::noted() != MPI_SUCCESS)
        end_job(call, FatalErrors::noted());
    return result;
}

/// The library's error, if `comm` is no communicator. The layer calls this before it asks for more
/// about the communicator, because each such question would call the program's error handler.
inline int check_comm(const Call &call, MPI_Comm comm) {
    int joins_groups = 0;
    return make_for(call, [&] { return PMPI_Comm_test_inter(comm, &joins_groups); });
}

/// PMPI_Testsome while all errors are fatal and may be noted. MPI_ERR_IN_STATUS tells the caller to
/// check the statuses. It stands for every noted error, even if no status has one.
int test_some(int count, MPI_Request *requests, int *completed, int *indices, MPI_Status *statuses);

/// True if the layer completes the request of `call` in a tool's sight: the tool then sees no test
/// that finds nothing.
inline bool is_watched(const Call &call) { return tool_watches() && !call.is_layers; }
/// True if the request is complete, failed or inactive, without a completion: for tests that the
/// layer repeats while a tool watches, and for requests whose tests fail.
bool is_ready(MPI_Request request);

/// Requests may be partitioned from now on.
void expect_partitioned();
/// MPI_Testall, for partitioned requests, too.
int test_all(int count, MPI_Request *requests, int *flag, MPI_Status *statuses);

/// MPI_Test for a request that replaces `call`. It raises no error that raise() must raise.
/// Without a communicator, the request is the program's own, and this is MPI_Test itself. A tool
/// sees only the test that completes the request.
int test_for(const Call &call, MPI_Request *request, int *flag, MPI_Status *status);
/// MPI_Wait with the rules of test_for().
int wait_in_place(const Call &call, MPI_Request *request, MPI_Status *status);
/// Raises an error that test_for() or wait_in_place() returned, if they did not. Returns the result
/// of the call.
int raise(const Call &call, int error);

} // namespace loomp::mpi
