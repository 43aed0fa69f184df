// MPICH's bindings for mpif.h and `use mpi`, and those of `use mpi_f08` that take a buffer, call C
// functions by their replaceable names: nothing to do. Those of mpi_f08 that take none call the
// library's own, so they are taken over here, under the names that the module calls (4.0).
//
// Handles are C's: types that hold an integer. `code` is null where ierror was not given.
#include "mpi/interface/fortran_mpich.h"
#include "mpi/interface/fortran.h"
#include "mpi/waiting/errors.h"
#include "mpi/waiting/stand_in.h"
#include "platform/export.h"

using namespace loomp::mpi;

LOOMP_EXPORT void mpi_comm_set_errhandler_f08_(MPI_Comm *comm, MPI_Errhandler *handler, int *code) {
    give(code, MPI_Comm_set_errhandler(*comm, *handler));
}
LOOMP_EXPORT void mpi_comm_get_errhandler_f08_(MPI_Comm *comm, MPI_Errhandler *handler, int *code) {
    give(code, MPI_Comm_get_errhandler(*comm, handler));
}

// --- Made by stand-ins ---------------------------------------------------------------------------

namespace {

/// inherited() for the arguments of a call that made a communicator, if there are both.
int inherited_in_fortran(const void *parent, const void *made, int error) {
    return parent == nullptr || made == nullptr
               ? error
               : inherited(*static_cast<const MPI_Comm *>(parent),
                           static_cast<const MPI_Comm *>(made), error);
}

} // namespace

#define LOOMP_F08_BY_STAND_IN(WAITS, NAME, COUNT, MEMBERS, MADE)                                   \
    LOOMP_LIBRARYS pmpir_##NAME##_f08_(LOOMP_ARGUMENTS_##COUNT, int *code);                        \
    LOOMP_EXPORT void mpi_##NAME##_f08_(LOOMP_ARGUMENTS_##COUNT, int *code) {                      \
        elsewhere({.name = "mpi_" #NAME, .from = LOOMP_CALLER}, Waits::WAITS, [&] {                \
            int error = MPI_SUCCESS;                                                               \
            pmpir_##NAME##_f08_(LOOMP_VALUES_##COUNT, &error);                                     \
            give(code, inherited_in_fortran(MEMBERS, MADE, error));                                \
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
