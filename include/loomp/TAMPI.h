/* Task-aware MPI under the names of BSC's TAMPI library (4.0; and TAMPI_Iwait, TAMPI_Iwaitall of
 * earlier versions), so that programs written for it build and run: cc -I<prefix>/include/loomp ...
 * -lloomp-mpi-openmpi (or -mpich).
 *
 * Blocking MPI calls in tasks always suspend the task on loomp. MPI_TASK_MULTIPLE adds nothing
 * to MPI_THREAD_MULTIPLE, but is granted on request.
 *
 * All functions: return an MPI error code, and may be called by any thread. */
#pragma once

#include <mpi.h>

#ifdef __cplusplus
extern "C" {
#endif

#define TAMPI_VERSION_MAJOR 4
#define TAMPI_VERSION_MINOR 0

/* A thread level: blocking calls suspend tasks. */
#define MPI_TASK_MULTIPLE (MPI_THREAD_MULTIPLE + 1)

/* 0 or 1, read only: whether blocking calls suspend tasks, whether TAMPI_I* complete them. */
#define TAMPI_PROPERTY_BLOCKING_MODE 0x1
#define TAMPI_PROPERTY_NONBLOCKING_MODE 0x2
/* Always 1: everything starts and ends with MPI. Setting it has no effect. */
#define TAMPI_PROPERTY_AUTO_INIT 0x3
/* Whether the calling thread's blocking calls suspend tasks; 1 until set to 0. */
#define TAMPI_PROPERTY_THREAD_TASKAWARE 0x4

/* MPI_ERR_ARG for an unknown property, and for setting one that cannot be set. */
int TAMPI_Property_get(int property, int *value);
int TAMPI_Property_set(int property, int value);

/* `provided` becomes the actual thread level. MPI_Init has done all the work. */
int TAMPI_Init(int required, int *provided);
int TAMPI_Finalize(void);

/* `flag` becomes 1 if blocking calls suspend tasks, or TAMPI_I* complete them later; else 0. */
int TAMPI_Blocking_enabled(int *flag);
int TAMPI_Nonblocking_enabled(int *flag);

/* The calling task completes when its code has ended and the requests are complete. They become
 * MPI_REQUEST_NULL at once; statuses, unless ignored, are written until the task completes. The
 * functions wait if a task cannot complete later (loomp_hold_task()), and outside tasks. If errors
 * are returned and an operation fails, the task completes, and MPI_ERROR of the operation's status
 * has the error. */
int TAMPI_Iwait(MPI_Request *request, MPI_Status *status);
int TAMPI_Iwaitall(int count, MPI_Request requests[], MPI_Status *statuses);

/* Starts the nonblocking operation, then calls TAMPI_Iwait. */
int TAMPI_Irecv(void *buffer, int count, MPI_Datatype type, int source, int tag, MPI_Comm comm,
                MPI_Status *status);
int TAMPI_Isend(const void *buffer, int count, MPI_Datatype type, int target, int tag,
                MPI_Comm comm);
int TAMPI_Ibsend(const void *buffer, int count, MPI_Datatype type, int target, int tag,
                 MPI_Comm comm);
int TAMPI_Issend(const void *buffer, int count, MPI_Datatype type, int target, int tag,
                 MPI_Comm comm);
int TAMPI_Irsend(const void *buffer, int count, MPI_Datatype type, int target, int tag,
                 MPI_Comm comm);
int TAMPI_Ibarrier(MPI_Comm comm);
int TAMPI_Ibcast(void *buffer, int count, MPI_Datatype type, int root, MPI_Comm comm);
int TAMPI_Igather(const void *from, int from_count, MPI_Datatype from_type, void *to, int count,
                  MPI_Datatype type, int root, MPI_Comm comm);
int TAMPI_Igatherv(const void *from, int from_count, MPI_Datatype from_type, void *to,
                   const int counts[], const int offsets[], MPI_Datatype type, int root,
                   MPI_Comm comm);
int TAMPI_Iscatter(const void *from, int from_count, MPI_Datatype from_type, void *to, int count,
                   MPI_Datatype type, int root, MPI_Comm comm);
int TAMPI_Iscatterv(const void *from, const int counts[], const int offsets[],
                    MPI_Datatype from_type, void *to, int count, MPI_Datatype type, int root,
                    MPI_Comm comm);
int TAMPI_Iallgather(const void *from, int from_count, MPI_Datatype from_type, void *to, int count,
                     MPI_Datatype type, MPI_Comm comm);
int TAMPI_Iallgatherv(const void *from, int from_count, MPI_Datatype from_type, void *to,
                      const int counts[], const int offsets[], MPI_Datatype type, MPI_Comm comm);
int TAMPI_Ialltoall(const void *from, int from_count, MPI_Datatype from_type, void *to, int count,
                    MPI_Datatype type, MPI_Comm comm);
int TAMPI_Ialltoallv(const void *from, const int from_counts[], const int from_offsets[],
                     MPI_Datatype from_type, void *to, const int counts[], const int offsets[],
                     MPI_Datatype type, MPI_Comm comm);
int TAMPI_Ialltoallw(const void *from, const int from_counts[], const int from_offsets[],
                     const MPI_Datatype from_types[], void *to, const int counts[],
                     const int offsets[], const MPI_Datatype types[], MPI_Comm comm);
int TAMPI_Ireduce(const void *from, void *to, int count, MPI_Datatype type, MPI_Op op, int root,
                  MPI_Comm comm);
int TAMPI_Iallreduce(const void *from, void *to, int count, MPI_Datatype type, MPI_Op op,
                     MPI_Comm comm);
int TAMPI_Ireduce_scatter(const void *from, void *to, const int counts[], MPI_Datatype type,
                          MPI_Op op, MPI_Comm comm);
int TAMPI_Ireduce_scatter_block(const void *from, void *to, int count, MPI_Datatype type, MPI_Op op,
                                MPI_Comm comm);
int TAMPI_Iscan(const void *from, void *to, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm);
int TAMPI_Iexscan(const void *from, void *to, int count, MPI_Datatype type, MPI_Op op,
                  MPI_Comm comm);

#ifdef __cplusplus
}
#endif
