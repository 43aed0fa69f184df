// Calls that change how errors are reported.
#include <mpi.h>

#include "mpi/waiting/errors.h"
#include "platform/export.h"

using namespace loomp::mpi;

LOOMP_EXPORT int MPI_Comm_create_errhandler(MPI_Comm_errhandler_function *function,
                                            MPI_Errhandler *made) {
    return create_handler(function, made);
}
LOOMP_EXPORT int MPI_Comm_set_errhandler(MPI_Comm comm, MPI_Errhandler handler) {
    return set_handler(comm, handler);
}
LOOMP_EXPORT int MPI_Comm_get_errhandler(MPI_Comm comm, MPI_Errhandler *handler) {
    return get_handler(comm, handler);
}
LOOMP_EXPORT int MPI_Comm_idup(MPI_Comm comm, MPI_Comm *made, MPI_Request *request) {
    return begin_duplicate(comm, made, request);
}

#ifndef LOOMP_MPI_ABI // their names of MPI 1, which Open MPI's header refuses
LOOMP_EXPORT int(MPI_Errhandler_create)(MPI_Comm_errhandler_function *function,
                                        MPI_Errhandler *made) {
    return create_handler(function, made);
}
LOOMP_EXPORT int(MPI_Errhandler_set)(MPI_Comm comm, MPI_Errhandler handler) {
    return set_handler(comm, handler);
}
LOOMP_EXPORT int(MPI_Errhandler_get)(MPI_Comm comm, MPI_Errhandler *handler) {
    return get_handler(comm, handler);
}
#endif
