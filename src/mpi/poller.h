// The layer's poller: begins and ends the taking over of calls, and completes what is pending.
#pragma once

#include "mpi/gate.h"

namespace loomp::mpi {

/// What the thread that makes all MPI calls does between them (gate.h).
GateDuty gate_duty();

/// After MPI_Init: `provided` is the thread level that the program has. Without MPI_THREAD_MULTIPLE
/// every call stays what it was, with one line on stderr.
void start(int provided);
/// Before MPI_Finalize. Returns when nothing is pending that count_unwaited() counts.
void stop();

} // namespace loomp::mpi
