// An operation that a suspended task waits for. It is on the task's stack; the threads that
// complete it use it.
#pragma once

#include <cstdint>
#include <mpi.h>

#include "loomp/loomp.h"
#include "mpi/waiting/call.h"

namespace loomp::mpi {

/// A call that a task is suspended in, on the task's stack. Debuggers find it through `done`
/// (debugger.h).
struct SuspendedCall {
    Call call;              ///< with its communicator where a single request stands for it
    std::int64_t since = 0; ///< when others took it over, of coarse_nanoseconds()
    loomp_suspension_t done = LOOMP_SUSPENSION_INIT;
};

/// An operation that a suspended task waits for. The poller owns it from leave_to_poller() until it
/// calls `completed`.
struct Operation : SuspendedCall {
    /// The poller calls this when the operation is complete, and does not use it afterwards.
    void (*completed)(Operation &) = resume;
    /// True if it is complete; the poller calls this, one thread at a time. Null means that it is
    /// complete when all `requests` are.
    bool (*test)(Operation &) = nullptr;
    MPI_Request *requests = nullptr; ///< active ones; changed like MPI_Test does
    MPI_Status *statuses = nullptr;  ///< null: not wanted
    /// Indices of the active ones in `requests` (and in `statuses`); null: the first `count`.
    const int *indices = nullptr;
    int count = 1;
    int error = MPI_SUCCESS;
    /// An error is also stored in its request's status, like calls for many requests do.
    bool errors_in_statuses = false;
    int pending = 0; ///< the poller's: requests under test
    int entry = -1;  ///< the poller's: in the last list of waiting calls
    int total = 0;   ///< count of the call's requests, if distinguished; `count` may be less
    Operation *next = nullptr;

    static void resume(Operation &self) { loomp_resume(&self.done); }
};

} // namespace loomp::mpi
