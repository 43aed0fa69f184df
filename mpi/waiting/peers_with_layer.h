// Knows which processes have this layer. Only these make the nonblocking form of a collective, and
// MPI does not match it with the blocking form (MPI 3.1, 5.12). On a communicator that has other
// processes, too, every process makes the call as it is.
//
// Processes of MPI_COMM_WORLD are known from MPI_Init on (start/layered_ranks.h). Processes of
// other jobs, which the program spawns, accepts or connects to, count as processes without the
// layer.
//
// Invariant: all processes of a communicator that have the layer decide alike. In one job, all know
// the same processes. Between jobs, each side finds a process of the other, because a process calls
// expect_other_jobs() before it can get its first communicator with one.
//
// Some processes have the layer and a program without tasks: they make collectives like the others
// with the layer, and nothing else.
//
// Thread safety: any thread, once calls are intercepted. The answer for a communicator never
// changes.
#pragma once

#include <mpi.h>
#include <vector>

#include "mpi/waiting/call.h"
#include "mpi/waiting/errors.h"
#include "platform/atomic.h"

namespace loomp::mpi {

/// Called before calls are intercepted, with the ranks of MPI_COMM_WORLD that lack the layer, and
/// the ranks without tasks. All that lack the layer are among the ranks without tasks.
void learn_ranks(const std::vector<int> &without_layer, const std::vector<int> &without_tasks);
/// True if all ranks of MPI_COMM_WORLD have the layer.
bool job_has_layer();
/// Before a call that may make a communicator with processes of another job.
void expect_other_jobs();
/// After the last call, before MPI_Finalize.
void forget_layers();

namespace layer {
/// False: all processes that the program knows have the layer.
extern Atomic<bool> may_lack;
/// These decide by the groups of the communicator, and remember the answer there.
bool all_have(const Call &call, MPI_Comm comm);
bool all_have_tasks(const Call &call, MPI_Comm comm);
} // namespace layer

/// True if all processes of the communicator `comm` have the layer. It costs one test until the
/// program knows a process without it.
inline bool all_have_layer(const Call &call, MPI_Comm comm) {
    // relaxed: the thread that learned of such a process made the communicator, or gave it away.
    return !layer::may_lack.load(std::memory_order_relaxed) || layer::all_have(call, comm);
}

/// Stores in `all` what all_have_layer() returns. If that must ask the library, and `comm` is no
/// communicator, it returns the library's error, which the program's error handler has had.
inline int ask_for_layer(const Call &call, MPI_Comm comm, bool &all) {
    all = true;
    if (!layer::may_lack.load(std::memory_order_relaxed))
        return MPI_SUCCESS;
    const int error = check_comm(call, comm);
    all = error != MPI_SUCCESS || layer::all_have(call, comm);
    return error;
}

} // namespace loomp::mpi
