// Collectives, blocking and not.
#include "mpi/interface/collectives.h"

#include "profiler/recorder/mpi/recorded_call.h"

using namespace loomp::record;

#define LOOMP_WITH_REQUEST(...) (__VA_ARGS__, MPI_Request * request)

#define LOOMP_COLLECTIVE(NAME, NONBLOCKING, SUFFIX, PARAMETERS, ...)                               \
    LOOMP_EXPORT int MPI_##NAME##SUFFIX PARAMETERS {                                               \
        Call call(Function::NAME);                                                                 \
        const Handle own = call.begin_own(Kind::collective, {.comm = comm});                       \
        const int error = LOOMP_NEXT(NAME##SUFFIX)(__VA_ARGS__);                                   \
        if (error == MPI_SUCCESS)                                                                  \
            call.end_own(own);                                                                     \
        return error;                                                                              \
    }                                                                                              \
    LOOMP_EXPORT int MPI_##NONBLOCKING##SUFFIX LOOMP_WITH_REQUEST PARAMETERS {                     \
        Call call(Function::NONBLOCKING);                                                          \
        const int error = LOOMP_NEXT(NONBLOCKING##SUFFIX)(__VA_ARGS__, request);                   \
        if (error == MPI_SUCCESS)                                                                  \
            call.started(handle_of(*request), Kind::collective, {.comm = comm});                   \
        return error;                                                                              \
    }

LOOMP_COLLECTIVE(Barrier, Ibarrier, , (MPI_Comm comm), comm)
LOOMP_FOR_COLLECTIVES(LOOMP_COLLECTIVE, , int, int)
LOOMP_FOR_NEIGHBOURS(LOOMP_COLLECTIVE, , int, int)
#if MPI_VERSION >= 4
LOOMP_FOR_COLLECTIVES(LOOMP_COLLECTIVE, _c, MPI_Count, MPI_Aint)
LOOMP_FOR_NEIGHBOURS(LOOMP_COLLECTIVE, _c, MPI_Count, MPI_Aint)
#endif
