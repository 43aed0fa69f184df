// Collectives, all through their nonblocking forms: in tasks, to suspend the task; elsewhere too,
// since MPI does not match a blocking collective of one process with a nonblocking one of another
// (MPI 3.1, 5.12), and which processes are in a task when they call is the program's affair.
#include "mpi/interface/collectives.h"
#include "loomp/experimental.h"
#include "mpi/waiting/wait_in_task.h"
#include "platform/export.h"

using namespace loomp::mpi;

namespace {

template <class Start> int collective(const Call &call, Start start) {
    loomp_note_send(); // others wait for this one
    MPI_Request request = MPI_REQUEST_NULL;
    const int error = make_for(call, [&] { return start(&request); });
    return error != MPI_SUCCESS ? error : wait_for(call, &request, MPI_STATUS_IGNORE);
}

} // namespace

/// PARAMETERS in parentheses, then the arguments.
#define LOOMP_COLLECTIVE(NAME, NONBLOCKING, SUFFIX, PARAMETERS, ...)                               \
    LOOMP_EXPORT int MPI_##NAME##SUFFIX PARAMETERS {                                               \
        if (!active())                                                                             \
            return PMPI_##NAME##SUFFIX(__VA_ARGS__);                                               \
        return collective(                                                                         \
            {.name = "MPI_" #NAME #SUFFIX, .comm = comm, .from = LOOMP_CALLER},                    \
            [&](MPI_Request *r) { return PMPI_##NONBLOCKING##SUFFIX(__VA_ARGS__, r); });           \
    }

LOOMP_COLLECTIVE(Barrier, Ibarrier, , (MPI_Comm comm), comm)
LOOMP_FOR_COLLECTIVES(LOOMP_COLLECTIVE, , int, int)
LOOMP_FOR_NEIGHBOURS(LOOMP_COLLECTIVE, , int, int)
#if MPI_VERSION >= 4
LOOMP_FOR_COLLECTIVES(LOOMP_COLLECTIVE, _c, MPI_Count, MPI_Aint)
LOOMP_FOR_NEIGHBOURS(LOOMP_COLLECTIVE, _c, MPI_Count, MPI_Aint)
#endif
