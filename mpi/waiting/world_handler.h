// The error handler of MPI_COMM_WORLD in MPICH up to 4, which raises the errors of a request's
// completion there, and not on the request's communicator.
//
// Once the program handles errors, that handler is the layer's. It calls the program's, with the
// library's arguments, unless the calling thread completes a request for the layer (NoHandler). The
// layer then raises the error itself, on the right communicator (raise() in errors.h).
//
// Invariant: from then on the library's handler of MPI_COMM_WORLD does not change. So every call
// that fails at the same moment in another thread finds the program's handler.
//
// Nothing here changes a handler of other libraries.
//
// Thread safety: everything from any thread, unless stated.
#pragma once

#include <mpi.h>

#include "platform/common.h"

namespace loomp::mpi {

/// Notes the function of a handler that was made. The layer calls that of MPI_COMM_WORLD's itself.
void note_handler(MPI_Errhandler made, MPI_Comm_errhandler_function *function);

/// Called once, before several threads call MPI.
void prepare_world_handler();
/// Puts the layer's handler in place. The program's stays the one that MPI_COMM_WORLD has.
void take_over_world_handler();
/// True if the layer's handler is MPI_COMM_WORLD's, and the program's calls ask for that of `comm`.
bool has_world_handler(MPI_Comm comm);
/// True if `handler` is the layer's. A communicator may inherit it by a call that the layer does
/// not replace.
bool is_world_handler(MPI_Errhandler handler);
/// Makes `handler` the program's handler of MPI_COMM_WORLD, if has_world_handler().
int set_world_handler(MPI_Errhandler handler);
/// The program's handler of MPI_COMM_WORLD, with a reference of its own.
int get_world_handler(MPI_Errhandler *handler);

/// While an object exists, errors that the calling thread meets on MPI_COMM_WORLD are returned
/// without the program's handler. The task must stay on its thread meanwhile.
class NoHandler {
  public:
    NoHandler() { ++depth_; }
    ~NoHandler() { --depth_; }
    NoHandler(const NoHandler &) = delete;
    NoHandler &operator=(const NoHandler &) = delete;
    static bool exists() { return depth_ != 0; }

  private:
    /// The calling thread's. It lies in the memory that threads have from their start.
    static LOOMP_THREAD_LOCAL int depth_ __attribute__((tls_model("initial-exec")));
};

} // namespace loomp::mpi
