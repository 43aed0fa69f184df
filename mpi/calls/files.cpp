// Files: all calls that access data or wait for other ranks, made by stand-ins. Nonblocking forms
// exist for most, but they are not the same: collective ones do not match other ranks' blocking
// calls outside tasks, Open MPI's leave out collective buffering, and errors that MPICH finds when
// it completes a request would go to a communicator's handler, not to the file's.
//
// Left as they are: the two halves of split collectives, which the same thread must call.
#ifdef LOOMP_MPI_ABI
#include <dlfcn.h>
#endif

#include "mpi/adapters/thread_level.h"
#include "mpi/waiting/stand_in.h"
#include "platform/export.h"

using namespace loomp::mpi;

namespace {

int close_file(MPI_File *file) {
#ifdef LOOMP_MPI_ABI
    // Debian's libmpi_abi of MPICH 5.0.2 has no PMPI_File_close.
    static const auto close =
        reinterpret_cast<int (*)(MPI_File *)>(dlsym(RTLD_NEXT, "MPI_File_close"));
    int error = MPI_SUCCESS;
    inside_gate([&] { error = close(file); });
    return error;
#else
    return PMPI_File_close(file);
#endif
}

} // namespace

/// PARAMETERS in parentheses, then the arguments.
#define LOOMP_BY_STAND_IN(WAITS, NAME, PARAMETERS, ...)                                            \
    LOOMP_EXPORT int MPI_File_##NAME PARAMETERS {                                                  \
        return elsewhere({.name = "MPI_File_" #NAME, .from = LOOMP_CALLER}, Waits::WAITS,          \
                         [&] { return PMPI_File_##NAME(__VA_ARGS__); });                           \
    }

/// CONST for what is written.
#define LOOMP_ACCESS(WAITS, NAME, CONST, COUNT)                                                    \
    LOOMP_BY_STAND_IN(                                                                             \
        WAITS, NAME,                                                                               \
        (MPI_File file, CONST void *buffer, COUNT count, MPI_Datatype type, MPI_Status *status),   \
        file, buffer, count, type, status)
#define LOOMP_ACCESS_AT(WAITS, NAME, CONST, COUNT)                                                 \
    LOOMP_BY_STAND_IN(WAITS, NAME,                                                                 \
                      (MPI_File file, MPI_Offset at, CONST void *buffer, COUNT count,              \
                       MPI_Datatype type, MPI_Status *status),                                     \
                      file, at, buffer, count, type, status)
#define LOOMP_ACCESSES(SUFFIX, COUNT)                                                              \
    LOOMP_ACCESS(for_device, read##SUFFIX, , COUNT)                                                \
    LOOMP_ACCESS(for_device, write##SUFFIX, const, COUNT)                                          \
    LOOMP_ACCESS(for_device, read_shared##SUFFIX, , COUNT)                                         \
    LOOMP_ACCESS(for_device, write_shared##SUFFIX, const, COUNT)                                   \
    LOOMP_ACCESS(for_ranks, read_all##SUFFIX, , COUNT)                                             \
    LOOMP_ACCESS(for_ranks, write_all##SUFFIX, const, COUNT)                                       \
    LOOMP_ACCESS(for_ranks, read_ordered##SUFFIX, , COUNT)                                         \
    LOOMP_ACCESS(for_ranks, write_ordered##SUFFIX, const, COUNT)                                   \
    LOOMP_ACCESS_AT(for_device, read_at##SUFFIX, , COUNT)                                          \
    LOOMP_ACCESS_AT(for_device, write_at##SUFFIX, const, COUNT)                                    \
    LOOMP_ACCESS_AT(for_ranks, read_at_all##SUFFIX, , COUNT)                                       \
    LOOMP_ACCESS_AT(for_ranks, write_at_all##SUFFIX, const, COUNT)

LOOMP_ACCESSES(, int)
#if MPI_VERSION >= 4
LOOMP_ACCESSES(_c, MPI_Count)
#endif

LOOMP_EXPORT int MPI_File_open(MPI_Comm comm, const char *name, int mode, MPI_Info info,
                               MPI_File *file) {
    return elsewhere(
        {.name = "MPI_File_open", .from = LOOMP_CALLER}, Waits::for_ranks,
        [&] { return PMPI_File_open(comm, name, mode, info, file); }, comm);
}
LOOMP_EXPORT int MPI_File_close(MPI_File *file) {
    return elsewhere({.name = "MPI_File_close", .from = LOOMP_CALLER}, Waits::for_ranks,
                     [&] { return close_file(file); });
}
LOOMP_BY_STAND_IN(for_ranks, sync, (MPI_File file), file)
LOOMP_BY_STAND_IN(for_ranks, set_size, (MPI_File file, MPI_Offset size), file, size)
LOOMP_BY_STAND_IN(for_ranks, preallocate, (MPI_File file, MPI_Offset size), file, size)
LOOMP_BY_STAND_IN(for_ranks, set_view,
                  (MPI_File file, MPI_Offset at, MPI_Datatype unit, MPI_Datatype type,
                   const char *representation, MPI_Info info),
                  file, at, unit, type, representation, info)
LOOMP_BY_STAND_IN(for_ranks, seek_shared, (MPI_File file, MPI_Offset at, int whence), file, at,
                  whence)
LOOMP_BY_STAND_IN(for_ranks, set_atomicity, (MPI_File file, int atomic), file, atomic)
