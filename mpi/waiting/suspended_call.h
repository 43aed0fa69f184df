// What a suspended task waits for: on its stack, and in the hands of those who complete it.
#pragma once

#include <cstdint>
#include <mpi.h>

#include "loomp/loomp.h"
#include "mpi/waiting/call.h"

namespace loomp::mpi {

/// A call that a task is suspended in, on whose stack it lives. Debuggers find it by `done`
/// (debugger.h).
struct SuspendedCall {
    Call call;              ///< with its communicator where a single request stands for it
    std::int64_t since = 0; ///< when others took it over, of coarse_nanoseconds()
    loomp_suspension_t done = LOOMP_SUSPENSION_INIT;
};

/// Something that a suspended task waits for. The poller's from leave_to_poller() until `completed`
/// is called.
struct Operation : SuspendedCall {
    /// By the poller, when it is complete: the operation is no longer needed.
    void (*completed)(Operation &) = resume;
    /// Whether it is complete; called by the poller, one thread at a time. Null: it is when all
    /// `requests` are.
    bool (*test)(Operation &) = nullptr;
    MPI_Request *requests = nullptr; ///< active ones; changed as MPI_Test does
    MPI_Status *statuses = nullptr;  ///< null: not wanted
    /// Which ones of `requests` (and of `statuses`) are meant; null: the first `count`.
    const int *indices = nullptr;
    int count = 1;
    int error = MPI_SUCCESS;
    /// An error is also stored in its request's status, as it is by calls for many requests.
    bool errors_in_statuses = false;
    int pending = 0; ///< the poller's: requests under test
    int entry = -1;  ///< the poller's: in a report, which is made once
    int total = 0;   ///< requests of the call, where they are told apart; `count` may be less
    Operation *next = nullptr;

    static void resume(Operation &self) { loomp_resume(&self.done); }
};

} // namespace loomp::mpi
