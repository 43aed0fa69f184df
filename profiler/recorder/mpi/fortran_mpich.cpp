// The routines that programs with `use mpi_f08` on MPICH call, if its bindings do not come by C's
// functions (see mpi/fortran/fortran_mpich.cpp of the layer).
#include "mpi/interface/fortran_mpich.h"
#include "mpi/interface/fortran.h"
#include "profiler/recorder/mpi/recorded_call.h"

using namespace loomp::record;
using loomp::mpi::give;
using loomp::mpi::wanted;
using loomp::mpi::wanted_all;

LOOMP_EXPORT void mpi_start_f08_(MPI_Request *request, int *code) {
    give(code, MPI_Start(request));
}
LOOMP_EXPORT void mpi_startall_f08_(const int *count, MPI_Request *requests, int *code) {
    give(code, MPI_Startall(*count, requests));
}
LOOMP_EXPORT void mpi_ibarrier_f08_(MPI_Comm *comm, MPI_Request *request, int *code) {
    give(code, MPI_Ibarrier(*comm, request));
}
LOOMP_EXPORT void mpi_improbe_f08_(const int *source, const int *tag, MPI_Comm *comm, int *flag,
                                   MPI_Message *message, MPI_Status *status, int *code) {
    give(code, MPI_Improbe(*source, *tag, *comm, flag, message, wanted(status)));
}

LOOMP_EXPORT void mpi_test_f08_(MPI_Request *request, int *flag, MPI_Status *status, int *code) {
    give(code, MPI_Test(request, flag, wanted(status)));
}
LOOMP_EXPORT void mpi_request_get_status_f08_(MPI_Request *request, int *flag, MPI_Status *status,
                                              int *code) {
    give(code, MPI_Request_get_status(*request, flag, wanted(status)));
}
LOOMP_EXPORT void mpi_cancel_f08_(MPI_Request *request, int *code) {
    give(code, MPI_Cancel(request));
}
LOOMP_EXPORT void mpi_testall_f08_(const int *count, MPI_Request *requests, int *flag,
                                   MPI_Status *statuses, int *code) {
    give(code, MPI_Testall(*count, requests, flag, wanted_all(statuses)));
}
LOOMP_EXPORT void mpi_testany_f08_(const int *count, MPI_Request *requests, int *index, int *flag,
                                   MPI_Status *status, int *code) {
    give(code, MPI_Testany(*count, requests, index, flag, wanted(status)));
    if (*flag != 0 && *index != MPI_UNDEFINED)
        ++*index;
}
LOOMP_EXPORT void mpi_testsome_f08_(const int *count, MPI_Request *requests, int *completed,
                                    int *indices, MPI_Status *statuses, int *code) {
    give(code, MPI_Testsome(*count, requests, completed, indices, wanted_all(statuses)));
    for (int i = 0; *completed != MPI_UNDEFINED && i < *completed; ++i)
        ++indices[i];
}

// --- Communicators: COUNT arguments, then the new one
// ---------------------------------------------

#define LOOMP_MAKES(NAME, IN_C, COUNT)                                                             \
    LOOMP_EXPORT void mpi_##NAME##_f08_(LOOMP_ARGUMENTS_##COUNT, MPI_Comm *made, int *code) {      \
        static const auto next = reinterpret_cast<decltype(&mpi_##NAME##_f08_)>(                   \
            dlsym(RTLD_NEXT, "mpi_" #NAME "_f08_"));                                               \
        const Call call(Function::IN_C);                                                           \
        int error = MPI_SUCCESS;                                                                   \
        next(LOOMP_VALUES_##COUNT, made, &error);                                                  \
        if (error == MPI_SUCCESS)                                                                  \
            number_of(*made);                                                                      \
        give(code, error);                                                                         \
    }
LOOMP_FOR_MAKERS(LOOMP_MAKES)

LOOMP_EXPORT void mpi_comm_free_f08_(MPI_Comm *comm, int *code) { give(code, MPI_Comm_free(comm)); }
LOOMP_EXPORT void mpi_comm_disconnect_f08_(MPI_Comm *comm, int *code) {
    give(code, MPI_Comm_disconnect(comm));
}
