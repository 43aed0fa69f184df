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

LOOMP_EXPORT void mpi_comm_create_errhandler_f08_(MPI_Comm_errhandler_function *function,
                                                  MPI_Errhandler *made, int *code) {
    give(code, MPI_Comm_create_errhandler(function, made));
}
LOOMP_EXPORT void mpi_comm_set_errhandler_f08_(MPI_Comm *comm, MPI_Errhandler *handler, int *code) {
    give(code, MPI_Comm_set_errhandler(*comm, *handler));
}
LOOMP_EXPORT void mpi_comm_get_errhandler_f08_(MPI_Comm *comm, MPI_Errhandler *handler, int *code) {
    give(code, MPI_Comm_get_errhandler(*comm, handler));
}

// --- Functions of the program
// ------------------------------------------------------------------------

#define LOOMP_F08_GIVES_FUNCTIONS(NAME, COUNT)                                                     \
    LOOMP_LIBRARYS pmpir_##NAME##_f08_(LOOMP_ARGUMENTS_##COUNT);                                   \
    LOOMP_EXPORT void mpi_##NAME##_f08_(LOOMP_ARGUMENTS_##COUNT) {                                 \
        expect_callbacks();                                                                        \
        pmpir_##NAME##_f08_(LOOMP_VALUES_##COUNT);                                                 \
    }
LOOMP_F08_GIVES_FUNCTIONS(op_create, 4)
LOOMP_F08_GIVES_FUNCTIONS(grequest_start, 6)

// --- Made by stand-ins ---------------------------------------------------------------------------

namespace {

/// inherited() for the arguments of a call that made a communicator, if there are both.
int inherited_in_fortran(const void *parent, const void *made, int error) {
    return parent == nullptr || made == nullptr
               ? error
               : inherited(*static_cast<const MPI_Comm *>(parent),
                           static_cast<const MPI_Comm *>(made), error);
}

/// The communicator of all calling ranks, if the call names one.
MPI_Comm members(const void *comm) {
    return comm == nullptr ? MPI_COMM_NULL : *static_cast<const MPI_Comm *>(comm);
}

} // namespace

#define LOOMP_F08_BY_STAND_IN(WAITS, NAME, COUNT, MEMBERS, MADE)                                   \
    LOOMP_LIBRARYS pmpir_##NAME##_f08_(LOOMP_ARGUMENTS_##COUNT, int *code);                        \
    LOOMP_EXPORT void mpi_##NAME##_f08_(LOOMP_ARGUMENTS_##COUNT, int *code) {                      \
        const auto make = [&] {                                                                    \
            int error = MPI_SUCCESS;                                                               \
            pmpir_##NAME##_f08_(LOOMP_VALUES_##COUNT, &error);                                     \
            return inherited_in_fortran(MEMBERS, MADE, error);                                     \
        };                                                                                         \
        give(code, elsewhere({.name = "mpi_" #NAME, .from = LOOMP_CALLER}, Waits::WAITS, make,     \
                             members(MEMBERS)));                                                   \
    }
LOOMP_OTHER_CALLS(LOOMP_F08_BY_STAND_IN)

// Large counts.
#define LOOMP_F08_LARGE(NAME, COUNT)                                                               \
    LOOMP_LIBRARYS pmpir_##NAME##_f08_large_(LOOMP_ARGUMENTS_##COUNT, int *code);                  \
    LOOMP_EXPORT void mpi_##NAME##_f08_large_(LOOMP_ARGUMENTS_##COUNT, int *code) {                \
        const auto make = [&] {                                                                    \
            int error = MPI_SUCCESS;                                                               \
            pmpir_##NAME##_f08_large_(LOOMP_VALUES_##COUNT, &error);                               \
            return error;                                                                          \
        };                                                                                         \
        give(code, elsewhere({.name = "mpi_" #NAME, .from = LOOMP_CALLER}, Waits::for_ranks, make, \
                             members(d)));                                                         \
    }
LOOMP_F08_LARGE(win_allocate, 6)
LOOMP_F08_LARGE(win_allocate_shared, 6)

// Those with strings, whose lengths come last.
#define LOOMP_F08_TEXT_CALL(WAITS, NAME, MEMBERS, ARGUMENTS, VALUES)                               \
    LOOMP_LIBRARYS pmpir_##NAME##_f08_ ARGUMENTS;                                                  \
    LOOMP_EXPORT void mpi_##NAME##_f08_ ARGUMENTS {                                                \
        int error = MPI_SUCCESS;                                                                   \
        int *const returned = code;                                                                \
        code = &error; /* in VALUES */                                                             \
        const auto make = [&] {                                                                    \
            pmpir_##NAME##_f08_ VALUES;                                                            \
            return error;                                                                          \
        };                                                                                         \
        give(returned, elsewhere({.name = "mpi_" #NAME, .from = LOOMP_CALLER}, Waits::WAITS, make, \
                                 members(MEMBERS)));                                               \
    }

LOOMP_F08_TEXT_CALL(for_ranks, file_open, a, (LOOMP_ARGUMENTS_5, int *code, std::size_t length),
                    (LOOMP_VALUES_5, code, length))
LOOMP_F08_TEXT_CALL(for_ranks, file_set_view, nullptr,
                    (LOOMP_ARGUMENTS_6, int *code, std::size_t length),
                    (LOOMP_VALUES_6, code, length))
LOOMP_F08_TEXT_CALL(for_other_jobs, comm_accept, d,
                    (LOOMP_ARGUMENTS_5, int *code, std::size_t length),
                    (LOOMP_VALUES_5, code, length))
LOOMP_F08_TEXT_CALL(for_other_jobs, comm_connect, d,
                    (LOOMP_ARGUMENTS_5, int *code, std::size_t length),
                    (LOOMP_VALUES_5, code, length))
LOOMP_F08_TEXT_CALL(for_other_jobs, comm_spawn, f,
                    (LOOMP_ARGUMENTS_8, int *code, std::size_t command_length,
                     std::size_t arguments_length),
                    (LOOMP_VALUES_8, code, command_length, arguments_length))
LOOMP_F08_TEXT_CALL(for_other_jobs, comm_spawn_multiple, g,
                    (LOOMP_ARGUMENTS_9, int *code, std::size_t commands_length,
                     std::size_t arguments_length),
                    (LOOMP_VALUES_9, code, commands_length, arguments_length))

LOOMP_LIBRARYS pmpir_comm_create_from_group_f08_(void *, void *, void *, MPI_Errhandler *, void *,
                                                 int *, std::size_t);
LOOMP_EXPORT void mpi_comm_create_from_group_f08_(void *group, void *tag, void *info,
                                                  MPI_Errhandler *handler, void *made, int *code,
                                                  std::size_t length) {
    MPI_Errhandler given = given_handler(*handler);
    elsewhere({.name = "mpi_comm_create_from_group", .from = LOOMP_CALLER}, Waits::for_other_jobs,
              [&] {
                  pmpir_comm_create_from_group_f08_(group, tag, info, &given, made, code, length);
                  return MPI_SUCCESS;
              });
}
LOOMP_LIBRARYS pmpir_intercomm_create_from_groups_f08_(void *, void *, void *, void *, void *,
                                                       void *, MPI_Errhandler *, void *, int *,
                                                       std::size_t);
LOOMP_EXPORT void mpi_intercomm_create_from_groups_f08_(void *group, void *leader,
                                                        void *remote_group, void *remote_leader,
                                                        void *tag, void *info,
                                                        MPI_Errhandler *handler, void *made,
                                                        int *code, std::size_t length) {
    MPI_Errhandler given = given_handler(*handler);
    elsewhere({.name = "mpi_intercomm_create_from_groups", .from = LOOMP_CALLER},
              Waits::for_other_jobs, [&] {
                  pmpir_intercomm_create_from_groups_f08_(group, leader, remote_group,
                                                          remote_leader, tag, info, &given, made,
                                                          code, length);
                  return MPI_SUCCESS;
              });
}

LOOMP_EXPORT void mpi_win_wait_f08_(MPI_Win *window, int *code) {
    give(code, MPI_Win_wait(*window));
}
