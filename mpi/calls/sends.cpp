// Nonblocking sends and receives. They wait for nobody and stay what they are; the scheduler is
// told that the task sends, for preset FA, and what the requests are is noted.
#include "platform/export.h"

#include <mpi.h>

#include "loomp/experimental.h"
#include "mpi/waiting/call.h"
#include "mpi/waiting/errors.h"
#include "mpi/waiting/request_origin.h"

using namespace loomp::mpi;

namespace {

/// `start()` is what `call` is.
template <class Start> int note(const Call &call, const MPI_Request *request, Start start) {
    const int error = make_for(call, start);
    if (error == MPI_SUCCESS)
        note_started(call, *request);
    return error;
}

} // namespace

/// What is told of a call whose arguments have these names.
#define LOOMP_STARTING(NAME, PEER)                                                                 \
    {.name = "MPI_" #NAME, .comm = comm, .peer = PEER, .tag = tag, .from = LOOMP_CALLER}

#define LOOMP_NOTED_SEND(NAME, COUNT)                                                              \
    LOOMP_EXPORT int MPI_##NAME(const void *buffer, COUNT count, MPI_Datatype type, int target,    \
                                int tag, MPI_Comm comm, MPI_Request *request) {                    \
        loomp_note_send();                                                                         \
        return note(LOOMP_STARTING(NAME, target), request,                                         \
                    [&] { return PMPI_##NAME(buffer, count, type, target, tag, comm, request); }); \
    }

#define LOOMP_NOTED_CALLS(SUFFIX, COUNT)                                                           \
    LOOMP_NOTED_SEND(Isend##SUFFIX, COUNT)                                                         \
    LOOMP_NOTED_SEND(Issend##SUFFIX, COUNT)                                                        \
    LOOMP_NOTED_SEND(Irsend##SUFFIX, COUNT)                                                        \
    LOOMP_NOTED_SEND(Ibsend##SUFFIX, COUNT)                                                        \
    LOOMP_EXPORT int MPI_Irecv##SUFFIX(void *buffer, COUNT count, MPI_Datatype type, int source,   \
                                       int tag, MPI_Comm comm, MPI_Request *request) {             \
        return note(LOOMP_STARTING(Irecv##SUFFIX, source), request, [&] {                          \
            return PMPI_Irecv##SUFFIX(buffer, count, type, source, tag, comm, request);            \
        });                                                                                        \
    }                                                                                              \
    LOOMP_EXPORT int MPI_Bsend##SUFFIX(const void *buffer, COUNT count, MPI_Datatype type,         \
                                       int target, int tag, MPI_Comm comm) {                       \
        loomp_note_send();                                                                         \
        return PMPI_Bsend##SUFFIX(buffer, count, type, target, tag, comm);                         \
    }

LOOMP_NOTED_CALLS(, int)
#if MPI_VERSION >= 4
LOOMP_NOTED_CALLS(_c, MPI_Count)
#endif

LOOMP_EXPORT int MPI_Start(MPI_Request *request) {
    loomp_note_send(); // or receives: what a persistent request is it does not tell
    return PMPI_Start(request);
}
