// MPICH's bindings for mpif.h and `use mpi`, and those of `use mpi_f08` that take a buffer, call C
// functions by their replaceable names: nothing to do. Those of mpi_f08 that take none call the
// library's own, so they are taken over here, under the names that the module calls (4.0).
//
// Handles are C's: types that hold an integer. `code` is null where ierror was not given.
#include "mpi/export.h"
#include "mpi/fortran.h"
#include "mpi/stand_in.h"
#include "mpi/wait.h"

using namespace loomp::mpi;

namespace {

/// What C functions take for a status or an array of them.
MPI_Status *wanted(MPI_Status *status) {
    return status == static_cast<void *>(MPI_F08_STATUS_IGNORE) ? MPI_STATUS_IGNORE : status;
}
MPI_Status *wanted_all(MPI_Status *statuses) {
    return statuses == static_cast<void *>(MPI_F08_STATUSES_IGNORE) ? MPI_STATUSES_IGNORE
                                                                    : statuses;
}

void give(int *code, int error) {
    if (code != nullptr)
        *code = error;
}

} // namespace

LOOMP_EXPORT void mpi_init_f08_(int *code) { give(code, MPI_Init(nullptr, nullptr)); }
LOOMP_EXPORT void mpi_init_thread_f08_(const int *required, int *provided, int *code) {
    give(code, MPI_Init_thread(nullptr, nullptr, *required, provided));
}
LOOMP_EXPORT void mpi_finalize_f08_(int *code) { give(code, MPI_Finalize()); }
LOOMP_EXPORT void mpi_comm_set_errhandler_f08_(MPI_Comm *comm, MPI_Errhandler *handler, int *code) {
    give(code, MPI_Comm_set_errhandler(*comm, *handler));
}
LOOMP_EXPORT void mpi_comm_get_errhandler_f08_(MPI_Comm *comm, MPI_Errhandler *handler, int *code) {
    give(code, MPI_Comm_get_errhandler(*comm, handler));
}

LOOMP_EXPORT void mpi_barrier_f08_(MPI_Comm *comm, int *code) { give(code, MPI_Barrier(*comm)); }

LOOMP_EXPORT void mpi_probe_f08_(const int *source, const int *tag, MPI_Comm *comm,
                                 MPI_Status *status, int *code) {
    give(code, MPI_Probe(*source, *tag, *comm, wanted(status)));
}
LOOMP_EXPORT void mpi_mprobe_f08_(const int *source, const int *tag, MPI_Comm *comm,
                                  MPI_Message *message, MPI_Status *status, int *code) {
    give(code, MPI_Mprobe(*source, *tag, *comm, message, wanted(status)));
}

LOOMP_EXPORT void mpi_wait_f08_(MPI_Request *request, MPI_Status *status, int *code) {
    give(code, MPI_Wait(request, wanted(status)));
}
LOOMP_EXPORT void mpi_waitall_f08_(const int *count, MPI_Request *requests, MPI_Status *statuses,
                                   int *code) {
    give(code, MPI_Waitall(*count, requests, wanted_all(statuses)));
}
LOOMP_EXPORT void mpi_waitany_f08_(const int *count, MPI_Request *requests, int *index,
                                   MPI_Status *status, int *code) {
    give(code, MPI_Waitany(*count, requests, index, wanted(status)));
    if (*index != MPI_UNDEFINED)
        ++*index;
}
LOOMP_EXPORT void mpi_waitsome_f08_(const int *count, MPI_Request *requests, int *completed,
                                    int *indices, MPI_Status *statuses, int *code) {
    give(code, MPI_Waitsome(*count, requests, completed, indices, wanted_all(statuses)));
    for (int i = 0; *completed != MPI_UNDEFINED && i < *completed; ++i)
        ++indices[i];
}

// --- Made by stand-ins ---------------------------------------------------------------------------

#define LOOMP_F08_BY_STAND_IN(WAITS, NAME, COUNT)                                                  \
    LOOMP_LIBRARYS pmpir_##NAME##_f08_(LOOMP_ARGUMENTS_##COUNT, int *code);                        \
    LOOMP_EXPORT void mpi_##NAME##_f08_(LOOMP_ARGUMENTS_##COUNT, int *code) {                      \
        elsewhere({.name = "mpi_" #NAME, .from = LOOMP_CALLER}, Waits::WAITS, [&] {                \
            pmpir_##NAME##_f08_(LOOMP_VALUES_##COUNT, code);                                       \
            return MPI_SUCCESS;                                                                    \
        });                                                                                        \
    }
LOOMP_OTHER_CALLS(LOOMP_F08_BY_STAND_IN)

LOOMP_LIBRARYS pmpir_file_open_f08_(void *, void *, void *, void *, void *, int *, std::size_t);
LOOMP_EXPORT void mpi_file_open_f08_(void *comm, void *name, void *mode, void *info, void *file,
                                     int *code, std::size_t length) {
    elsewhere({.name = "mpi_file_open", .from = LOOMP_CALLER}, Waits::for_ranks, [&] {
        pmpir_file_open_f08_(comm, name, mode, info, file, code, length);
        return MPI_SUCCESS;
    });
}
LOOMP_LIBRARYS pmpir_file_set_view_f08_(void *, void *, void *, void *, void *, void *, int *,
                                        std::size_t);
LOOMP_EXPORT void mpi_file_set_view_f08_(void *file, void *at, void *unit, void *type,
                                         void *representation, void *info, int *code,
                                         std::size_t length) {
    elsewhere({.name = "mpi_file_set_view", .from = LOOMP_CALLER}, Waits::for_ranks, [&] {
        pmpir_file_set_view_f08_(file, at, unit, type, representation, info, code, length);
        return MPI_SUCCESS;
    });
}
