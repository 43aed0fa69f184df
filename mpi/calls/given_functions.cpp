// Calls that give the library functions of the program (mpi/waiting/callbacks.h). Those of error
// handlers are in mpi/start/init.cpp.
#include "mpi/interface/next_calls.h"
#include "mpi/waiting/callbacks.h"
#include "platform/export.h"

using namespace loomp::mpi;

LOOMP_EXPORT int MPI_Op_create(MPI_User_function *function, int commutes, MPI_Op *made) {
    expect_callbacks();
    return next::Op_create(function, commutes, made);
}

#if MPI_VERSION >= 4
LOOMP_EXPORT int MPI_Op_create_c(MPI_User_function_c *function, int commutes, MPI_Op *made) {
    expect_callbacks();
    return next::Op_create_c(function, commutes, made);
}
#endif

LOOMP_EXPORT int MPI_Grequest_start(MPI_Grequest_query_function *query,
                                    MPI_Grequest_free_function *free,
                                    MPI_Grequest_cancel_function *cancel, void *data,
                                    MPI_Request *request) {
    expect_callbacks();
    return next::Grequest_start(query, free, cancel, data, request);
}
