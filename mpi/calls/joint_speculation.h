// Iterations that are cut off on all ranks (include/loomp/loomp_mpi.h): a speculation that has more
// than one participant.
//
// Each rank tells each other one, over a communicator of the series' own, where tasks have cut it
// off, and when its tasks are complete, so that it has no more to tell. A rank that is told cuts
// the same off (loomp_speculation_cut()). From there on
// - tasks that have not started are discarded by the runtime;
// - receives of started ones are cancelled, by the poller, which alone tests them;
// - sends of started ones have left, or wait for a rank that will not receive: once all iterations
//   until the last one's end are complete on a rank, with all that they receive, whatever arrives
//   there belongs to later ones, and is received and forgotten. When its tasks are complete, a rank
//   learns from the others how much they have sent to it in all, and does so until it has that.
//
// Thread safety: calls by tasks from any thread; the poller, which makes all calls of MPI's until
// the tasks are complete, is one thread at a time. A series' mutex guards what both use.
#pragma once

#include <cstddef>
#include <mpi.h>

#include "mpi/waiting/call.h"
#include "mpi/waiting/wait_in_task.h"
#include "platform/atomic.h"

namespace loomp::mpi {

namespace joint_speculation {
/// The count of series, so that calls cost one test if there is none.
extern Atomic<std::size_t> series_count;
// relaxed: a series begins before the calls of its iterations, and changing it has a lock.
inline bool exists() { return series_count.load(std::memory_order_relaxed) != 0; }

bool is_worth_sending(MPI_Comm comm);
void count_send(MPI_Comm comm, int target);
int wait_for_receive(const Call &call, MPI_Request *request, MPI_Status *status);
} // namespace joint_speculation

/// Called before a send by a task. Returns false if its iteration has been cancelled: nobody
/// receives it.
inline bool is_worth_sending(MPI_Comm comm) {
    return !joint_speculation::exists() || joint_speculation::is_worth_sending(comm);
}
/// A send by a task has begun.
inline void count_send(MPI_Comm comm, int target) {
    if (joint_speculation::exists())
        joint_speculation::count_send(comm, target);
}
/// Waits like wait_for(), for the request of a receive by a task.
inline int wait_for_receive(const Call &call, MPI_Request *request, MPI_Status *status) {
    return joint_speculation::exists() ? joint_speculation::wait_for_receive(call, request, status)
                                       : wait_for(call, request, status);
}

} // namespace loomp::mpi
