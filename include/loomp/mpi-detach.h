/* Callbacks for completed MPI requests, under the names of RWTH's mpi-detach library, so that
 * programs written for it build and run: cc -I<prefix>/include/loomp ... -lloomp-mpi-openmpi (or
 * -mpich).
 *
 * A callback is called once, by some thread, when the requests are complete; perhaps before the
 * call that names it returns. It may start MPI operations and detach them, and resume or complete
 * tasks (omp_fulfill_event()). It must neither wait nor create tasks. loomp polls, so no progress
 * thread is needed (MPIX_DETACH is ignored). MPI_Finalize waits for outstanding requests.
 *
 * All functions: the requests become MPI_REQUEST_NULL; return an MPI error code; callable by any
 * thread. The library owns the statuses, which end with the callback. If errors are returned and an
 * operation fails, the callback is called, and MPI_ERROR of the operation's status has the error.
 * If the callback gets no status, a line on stderr reports the error.
 */
#pragma once

#include <mpi.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef void MPIX_Detach_function(void *data);
typedef void MPIX_Detach_status_function(void *data, MPI_Status *status);
typedef void MPIX_Detach_all_statuses_function(void *data, int count, MPI_Status statuses[]);

typedef MPIX_Detach_function MPIX_Detach_callback;
typedef MPIX_Detach_status_function MPIX_Detach_callback_status;
typedef MPIX_Detach_all_statuses_function MPIX_Detach_all_callback_statuses;

/* These detach one request. */
int MPIX_Detach(MPI_Request *request, MPIX_Detach_callback *callback, void *data);
int MPIX_Detach_status(MPI_Request *request, MPIX_Detach_callback_status *callback, void *data);

/* One call for each of several. */
int MPIX_Detach_each(int count, MPI_Request requests[], MPIX_Detach_callback *callback,
                     void *data[]);
int MPIX_Detach_each_status(int count, MPI_Request requests[],
                            MPIX_Detach_callback_status *callback, void *data[]);

/* One call when all of several are complete. */
int MPIX_Detach_all(int count, MPI_Request requests[], MPIX_Detach_callback *callback, void *data);
int MPIX_Detach_all_status(int count, MPI_Request requests[],
                           MPIX_Detach_all_callback_statuses *callback, void *data);

/* Is meant for polling services; does nothing here. Returns 0. */
int MPIX_Progress(void *data);

#ifdef __cplusplus
}
#endif
