// The layer's poller: begins and ends the taking over of calls, and completes what is pending.
#pragma once

namespace loomp::mpi {

/// After MPI_Init: `provided` is the thread level. Without MPI_THREAD_MULTIPLE every call stays
/// what it was, with one line on stderr.
void start(int provided);
/// Before MPI_Finalize. Returns when nothing is pending that count_unwaited() counts.
void stop();

} // namespace loomp::mpi
