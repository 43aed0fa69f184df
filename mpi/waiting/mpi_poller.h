// The layer's poller: starts and stops the interception of calls, and completes pending operations.
#pragma once

namespace loomp::mpi {

/// Called after MPI_Init, if any thread may call MPI.
void start();
/// Called after MPI_Init instead, in a program without tasks whose job has programs with tasks:
/// only collectives are intercepted. There is no poller, and libloomp is not used.
void join();
/// Called before MPI_Finalize. Returns when no operation that count_unwaited() counts is pending.
void stop();

} // namespace loomp::mpi
