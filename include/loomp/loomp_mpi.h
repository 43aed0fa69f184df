/* loomp's extensions to MPI: the functions of libloomp-mpi besides MPI's own. C and C++; link with
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
 * ranks. They discard tasks of later iterations that have not started, and cancel the receives in
 * which started ones wait. They also receive the messages that those have sent over the
 * communicator (R. Pereira's thesis, 2023, 7.2.4).
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
 * An iteration has the same number on all ranks. loomp_speculation_end() is collective over comm
 * and returns the same value on all ranks. The earliest cut of all ranks counts.
 *
 * While the series exists, only its tasks use comm. They may make blocking sends and receives
 * (MPI_Send, Ssend, Rsend, Recv, Sendrecv; no probes, and no nonblocking calls), and collectives.
 * Collectives in tasks after the decision must depend on it, because MPI cannot cancel them. A
 * cancelled MPI_Recv returns MPI_SUCCESS without data, and MPI_Test_cancelled() recognises its
 * status. So the rest of a task of a cancelled iteration runs with the old data. A cut may reach
 * ranks at different times: until then they run tasks of later iterations. */

/* Begins a series of the calling task, in a parallel region, on an intracommunicator. Collective
 * over comm; the first one on a communicator duplicates it. It needs MPI calls that loomp takes
 * over (MPI_THREAD_SERIALIZED or more). Returns null after an MPI error or wrong use, which one
 * line on stderr reports. */
LOOMP_FUNCTION loomp_speculation_t *loomp_speculation_begin_on(MPI_Comm comm);

#ifdef __cplusplus
}
#endif

#endif
