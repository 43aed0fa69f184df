// Controls the interception of MPI calls, and passes operations to the poller until they are
// complete.
//
// mpi_poller.h has the poller itself; waiting code needs only this header.
//
// Thread safety: everything from any thread.
#pragma once

#include "loomp/loomp.h"
#include "mpi/adapters/thread_level.h"
#include "mpi/adapters/tools.h"
#include "mpi/waiting/suspended_call.h"
#include "platform/common.h"

namespace loomp::mpi {

/// For thread_is_aware(). It lies in the memory that threads have from their start, because every
/// call in a task asks for it.
extern LOOMP_THREAD_LOCAL bool thread_aware __attribute__((tls_model("initial-exec")));

/// True while calls are intercepted. False before MPI_Init and after MPI_Finalize, and if only one
/// thread may call MPI.
bool active();
/// True if collectives are made by their nonblocking forms: while calls are intercepted, and in a
/// program without tasks if other programs of its job have some. That one makes its other calls as
/// they are. False for a tool's calls.
bool starts_collectives();
/// True if the calling thread's calls are intercepted; the program may disable it (tampi.cpp).
inline bool thread_is_aware() { return thread_aware; }
inline void set_thread_aware(bool aware) { thread_aware = aware; }
/// True if the caller can wait without MPI: in a task, which is suspended, or outside tasks if
/// calls pass the gate one at a time.
inline bool can_wait() { return is_gated() ? !is_inside_gate() : loomp_in_task() != 0; }
/// The layer's MPI_Init runs.
void note_start();
/// False. The first task that calls MPI although MPI was started past the layer is reported.
bool report_missed_start();
/// True if the caller's blocking calls become nonblocking. This mostly happens in tasks, hence the
/// name. If calls pass the gate, a tool is inside it, and cannot wait.
inline bool in_task() {
    return can_wait() && (active() || report_missed_start()) &&
           ((thread_is_aware() && !is_inside_tool()) || is_gated());
}

/// The poller tests the operation from now on. `completed` functions may call this.
void leave_to_poller(Operation &operation);
/// Notifies the poller of one more pending operation or stand-in's call, which it will find.
void expect_one();
/// Changes the count of pending operations that do more than resume a task.
void count_unwaited(int change);

// For the poller:

/// Starts intercepting calls. From now on, `poller` is notified of each pending operation.
void begin_taking_over(loomp_poller_t *poller);
/// Stops intercepting calls. Returns the poller; null if there was none.
loomp_poller_t *end_taking_over();
/// For a program without tasks, while no other thread calls MPI.
void set_joining(bool joins);
/// The operations passed to leave_to_poller() since the last call: a list, the oldest first.
Operation *take_incoming();
/// The count of count_unwaited().
int unwaited();

} // namespace loomp::mpi
