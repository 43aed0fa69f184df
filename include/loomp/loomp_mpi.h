/* loomp's extensions to MPI: what libloomp-mpi offers besides MPI's own names. C and C++; link with
 * -lloomp-mpi-openmpi or -lloomp-mpi-mpich, or run by `loomp run`. */
#ifndef LOOMP_LOOMP_MPI_H
#define LOOMP_LOOMP_MPI_H

#include <mpi.h>

#ifdef __cplusplus
extern "C" {
#endif

/* --- Cancelling a task graph on all ranks --------------------------------------------------------
 *
 * An iterative code over MPI that creates the tasks of many iterations ahead learns in a task, on
 * one rank or on all, that one of them was the last. Tasks of later iterations that have not
 * started are then discarded on all ranks, receives that they wait in are cancelled, and messages
 * that they have sent are taken from the communicator (R. Pereira's thesis, 2023, 7.2.4).
 *
 *     loomp_graph_begin(comm);
 *     while (loomp_graph_next(comm) >= 0) {
 *         ... create the tasks of an iteration, which communicate over comm. The one that decides:
 *         #pragma omp task depend(in : norm)
 *         if (norm < tolerance)
 *             loomp_graph_cancel(comm);
 *     }
 *     loomp_graph_end(comm, &iterations);
 *
 * While the graph exists, comm is for its tasks only: blocking sends and receives (MPI_Send, Ssend,
 * Rsend, Recv, Sendrecv; no probes, and nothing nonblocking), and collectives, which in tasks after
 * the decision are to depend on it, as MPI cannot cancel those. A cancelled MPI_Recv returns
 * MPI_SUCCESS, with a status of which MPI_Test_cancelled() tells it and with nothing received: the
 * rest of a task of a cancelled iteration runs with what was there. Ranks may be told at different
 * times: until then they run tasks of later iterations.
 *
 * All return MPI_SUCCESS or an MPI error code, except loomp_graph_next(). What is wrongly used is
 * said in one line on stderr and gives MPI_ERR_OTHER (MPI_ERR_COMM: no graph on comm). */

/* Begins a graph of the calling task, in a parallel region, on an intracommunicator. Collective
 * over comm; the first one on a communicator duplicates it. Needs MPI calls that are taken over
 * (MPI_THREAD_MULTIPLE). */
int loomp_graph_begin(MPI_Comm comm);
/* Begins the next iteration, of the same number on all ranks; by the task that began the graph.
 * Returns its number, from 0; or -1: it has been cancelled, or there is no graph. */
int loomp_graph_next(MPI_Comm comm);
/* The calling task's iteration is the last one. By a task of the graph, on any rank or on several;
 * a rank's first word counts, and of several ranks' that with the earliest iteration. */
int loomp_graph_cancel(MPI_Comm comm);
/* Waits for the tasks of all iterations, and for the other ranks to call it. Collective over comm,
 * by the task that began the graph. `iterations`, if not null, gets how many were completed on all
 * ranks. Afterwards there is nothing of the graph on comm. */
int loomp_graph_end(MPI_Comm comm, int *iterations);

#ifdef __cplusplus
}
#endif

#endif
