// Compares the collectives that the ranks of a communicator call (LOOMP_MPI_CHECK).
//
// All ranks must call the collectives of a communicator in the same order (MPI 3.1, 5.12). Tasks
// without dependences between them call theirs in any order. Ranks that are then in different
// collectives hang, or get each other's data.
//
// A checked call first makes an MPI_Iallgather of its name. Every rank's n-th call makes the same
// one, whatever it is, so these match. If the names differ, one rank reports them, and the job
// ends.
//
// Invariant: from its check until it has begun, or until it has ended if a stand-in makes it, a
// call is alone on its communicator in this process. Otherwise two calls could begin in another
// order than their checks. A task is suspended until then. That hangs no program by itself: a later
// call cannot end before all ranks have called the earlier one. A call that cannot wait, such as
// one in a poller's callback, ends the job instead: MPI forbids two collectives on a communicator
// at the same time in a process (4.1, 6.14).
//
// A correct program can hang by the check in one case: a callback in a poller waits for a rank that
// waits for a checked call of this one. The poller, which would resume that call after its check,
// waits in the callback.
//
// Thread safety: any thread.
#pragma once

#include <cstdint>
#include <mpi.h>
#include <mutex>

#include "loomp/loomp.h"
#include "mpi/waiting/call.h"
#include "mpi/waiting/stuck.h"
#include "platform/atomic.h"
#include "platform/system_mutex.h"

namespace loomp::mpi {

namespace collective_order {
/// Constant while calls are intercepted.
extern Atomic<bool> is_checked;
} // namespace collective_order

/// Calls are checked while they are intercepted. The first is called before they are, the last
/// after they were.
void begin_checking_order();
void end_checking_order();
/// Adds the calls that wait for the beginning of others. They stay while the caller has the lock.
std::unique_lock<SystemMutex> list_calls_in_order(WaitingCalls &calls);

/// Exists from the check of a call at least until the call has begun.
class CheckedOrder {
  public:
    CheckedOrder() = default;
    ~CheckedOrder() { end(); }
    CheckedOrder(const CheckedOrder &) = delete;
    CheckedOrder &operator=(const CheckedOrder &) = delete;

    /// Called once, before the call. Returns the library's error, which the program's error handler
    /// has had, if `comm` is no communicator. Nothing is checked if it is null.
    int check(const Call &call, MPI_Comm comm) {
        // relaxed: the flag is constant.
        return collective_order::is_checked.load(std::memory_order_relaxed) ? compare(call, comm)
                                                                            : MPI_SUCCESS;
    }
    /// Lets the next call begin. The calling task, or a thread that this task waits for, calls it.
    void end() {
        if (comm_ != MPI_COMM_NULL)
            leave();
    }

  private:
    friend std::unique_lock<SystemMutex> list_calls_in_order(WaitingCalls &calls);
    int compare(const Call &call, MPI_Comm comm);
    /// Returns false if it must wait for an earlier call, and cannot.
    bool enter();
    void leave();

    MPI_Comm comm_ = MPI_COMM_NULL; ///< the communicator that this call has, or waits for
    const Call *call_ = nullptr;    ///< while it waits
    std::int64_t since_ = 0;        ///< when it began to wait, of core::coarse_nanoseconds()
    CheckedOrder *next_ = nullptr;  ///< in the list of all of them, in the order of their calls
    bool waits_ = false;            ///< leave() of another resumes it
    loomp_suspension_t free_ = LOOMP_SUSPENSION_INIT;
};

} // namespace loomp::mpi
