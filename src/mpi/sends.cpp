// Nonblocking sends. They wait for nobody and stay what they are; the scheduler is told that the
// task sends, for preset FA.
#include "mpi/export.h"

#include <mpi.h>

#include "loomp/loomp.h"

#define LOOMP_NOTED_SEND(NAME)                                                                     \
    LOOMP_EXPORT int MPI_##NAME(const void *buffer, int count, MPI_Datatype type, int target,      \
                                int tag, MPI_Comm comm, MPI_Request *request) {                    \
        loomp_note_send();                                                                         \
        return PMPI_##NAME(buffer, count, type, target, tag, comm, request);                       \
    }
LOOMP_NOTED_SEND(Isend)
LOOMP_NOTED_SEND(Issend)
LOOMP_NOTED_SEND(Irsend)
LOOMP_NOTED_SEND(Ibsend)

LOOMP_EXPORT int MPI_Bsend(const void *buffer, int count, MPI_Datatype type, int target, int tag,
                           MPI_Comm comm) {
    loomp_note_send();
    return PMPI_Bsend(buffer, count, type, target, tag, comm);
}

LOOMP_EXPORT int MPI_Start(MPI_Request *request) {
    loomp_note_send(); // or receives: what a persistent request is it does not tell
    return PMPI_Start(request);
}
