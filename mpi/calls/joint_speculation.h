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

#include <mpi.h>

#include "mpi/waiting/call.h"

namespace loomp::mpi {

/// Called before a send by a task. Returns false if its iteration has been cancelled: nobody
/// receives it. Costs one test if no series exists.
bool is_worth_sending(MPI_Comm comm);
/// A send by a task has begun.
void count_send(MPI_Comm comm, int target);
/// Waits like wait_for(), for the request of a receive by a task.
int wait_for_receive(const Call &call, MPI_Request *request, MPI_Status *status);

} // namespace loomp::mpi
