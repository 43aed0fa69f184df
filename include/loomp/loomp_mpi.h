/* loomp's extensions to MPI: what libloomp-mpi offers besides MPI's own names. C and C++; link with
 * -lloomp-mpi-openmpi or -lloomp-mpi-mpich, and with -lloomp. */
#ifndef LOOMP_LOOMP_MPI_H
#define LOOMP_LOOMP_MPI_H

#include <mpi.h>

#include <loomp/experimental.h>

#ifdef __cplusplus
extern "C" {
#endif

/* --- Iterations that are cut off on all ranks ----------------------------------------------------
 *
 * An iterative code over MPI that creates the tasks of many iterations ahead learns in a task, on
 * one rank or on all, that one of them was the last. loomp_speculation_cut() then reaches all
 * ranks: they discard tasks of later iterations that have not started, cancel the receives that
 * started ones wait in, and take the messages that those have sent from the communicator
 * (R. Pereira's thesis, 2023, 7.2.4).
 *
 *     loomp_speculation_t *s = loomp_speculation_begin_on(comm);
 *     while (loomp_speculation_next(s) >= 0) {
 *         ... create the tasks of an iteration, which communicate over comm. The one that decides:
 *         #pragma omp task depend(in : norm)
 *         if (norm < tolerance)
 *             loomp_speculation_cut(s, loomp_speculation_iteration(s));
 *     }
 *     int iterations = loomp_speculation_end(s);
 *
 * An iteration has the same number on all ranks, and so has what loomp_speculation_end() returns,
 * which is collective over comm. The earliest cut of all ranks counts.
 *
 * While the series exists, comm is for its tasks only: blocking sends and receives (MPI_Send,
 * Ssend, Rsend, Recv, Sendrecv; no probes, and nothing nonblocking), and collectives, which in
 * tasks after the decision are to depend on it, as MPI cannot cancel those. A cancelled MPI_Recv
 * returns MPI_SUCCESS, with a status of which MPI_Test_cancelled() tells it and with nothing
 * received: the rest of a task of a cancelled iteration runs with what was there. Ranks may hear of
 * a cut at different times: until then they run tasks of later iterations. */

/* Begins a series of the calling task, in a parallel region, on an intracommunicator. Collective
 * over comm; the first one on a communicator duplicates it. Needs MPI calls that are taken over
 * (MPI_THREAD_SERIALIZED or more). Returns null after an MPI error, or wrong use, which one line on
 * stderr reports. */
LOOMP_FUNCTION loomp_speculation_t *loomp_speculation_begin_on(MPI_Comm comm);

#ifdef __cplusplus
}
#endif

#endif
