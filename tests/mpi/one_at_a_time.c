/* Checks how the layer calls MPI: this library is preloaded before MPI's. Each of these functions
 * reports calls that overlap. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <stdatomic.h>
#include <stdio.h>

static atomic_int inside;

static void enter(const char *call) {
    if (atomic_fetch_add(&inside, 1) != 0)
        fprintf(stderr, "%s while another call is being made\n", call);
}
static void leave(void) { atomic_fetch_sub(&inside, 1); }

#define WATCHED(NAME, PARAMETERS, ...)                                                             \
    int PMPI_##NAME PARAMETERS {                                                                   \
        static int(*next) PARAMETERS;                                                              \
        if (next == NULL)                                                                          \
            next = (int(*) PARAMETERS)dlsym(RTLD_NEXT, "PMPI_" #NAME);                             \
        enter(#NAME);                                                                              \
        const int error = next(__VA_ARGS__);                                                       \
        leave();                                                                                   \
        return error;                                                                              \
    }
WATCHED(Isend,
        (const void *buffer, int count, MPI_Datatype type, int target, int tag, MPI_Comm comm,
         MPI_Request *request),
        buffer, count, type, target, tag, comm, request)
WATCHED(Irecv,
        (void *buffer, int count, MPI_Datatype type, int source, int tag, MPI_Comm comm,
         MPI_Request *request),
        buffer, count, type, source, tag, comm, request)
WATCHED(Test, (MPI_Request * request, int *flag, MPI_Status *status), request, flag, status)
WATCHED(Testsome,
        (int count, MPI_Request requests[], int *completed, int indices[], MPI_Status statuses[]),
        count, requests, completed, indices, statuses)
WATCHED(Comm_rank, (MPI_Comm comm, int *rank), comm, rank)
WATCHED(Comm_size, (MPI_Comm comm, int *size), comm, size)
