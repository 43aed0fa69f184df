// The layer's poller: begins and ends the taking over of calls, and completes what is pending.
#pragma once

namespace loomp::mpi {

/// After MPI_Init, if any thread may call MPI.
void start();
/// Before MPI_Finalize. Returns when nothing is pending that count_unwaited() counts.
void stop();

} // namespace loomp::mpi
