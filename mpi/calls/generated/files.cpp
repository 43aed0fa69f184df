// Written by mpi/interface/generate.py from mpi/interface/functions.txt; change that table.
#include "mpi/calls/call_kinds.h"
#include "platform/export.h"

using namespace loomp::mpi;

LOOMP_EXPORT int MPI_File_open(MPI_Comm comm, const char *name, int mode, MPI_Info info,
                               MPI_File *file) {
    return elsewhere(
        {.name = "MPI_File_open", .from = LOOMP_CALLER}, Waits::for_ranks,
        [&] { return next::File_open(comm, name, mode, info, file); }, comm);
}

LOOMP_EXPORT int MPI_File_close(MPI_File *file) {
    return elsewhere({.name = "MPI_File_close", .from = LOOMP_CALLER}, Waits::for_ranks,
                     [&] { return close_file(file); });
}

LOOMP_EXPORT int MPI_File_read(MPI_File file, void *buffer, int count, MPI_Datatype type,
                               MPI_Status *status) {
    return elsewhere({.name = "MPI_File_read", .from = LOOMP_CALLER}, Waits::for_device,
                     [&] { return next::File_read(file, buffer, count, type, status); });
}

LOOMP_EXPORT int MPI_File_write(MPI_File file, const void *buffer, int count, MPI_Datatype type,
                                MPI_Status *status) {
    return elsewhere({.name = "MPI_File_write", .from = LOOMP_CALLER}, Waits::for_device,
                     [&] { return next::File_write(file, buffer, count, type, status); });
}

LOOMP_EXPORT int MPI_File_read_shared(MPI_File file, void *buffer, int count, MPI_Datatype type,
                                      MPI_Status *status) {
    return elsewhere({.name = "MPI_File_read_shared", .from = LOOMP_CALLER}, Waits::for_device,
                     [&] { return next::File_read_shared(file, buffer, count, type, status); });
}

LOOMP_EXPORT int MPI_File_write_shared(MPI_File file, const void *buffer, int count,
                                       MPI_Datatype type, MPI_Status *status) {
    return elsewhere({.name = "MPI_File_write_shared", .from = LOOMP_CALLER}, Waits::for_device,
                     [&] { return next::File_write_shared(file, buffer, count, type, status); });
}

LOOMP_EXPORT int MPI_File_read_all(MPI_File file, void *buffer, int count, MPI_Datatype type,
                                   MPI_Status *status) {
    return elsewhere({.name = "MPI_File_read_all", .from = LOOMP_CALLER}, Waits::for_ranks,
                     [&] { return next::File_read_all(file, buffer, count, type, status); });
}

LOOMP_EXPORT int MPI_File_write_all(MPI_File file, const void *buffer, int count, MPI_Datatype type,
                                    MPI_Status *status) {
    return elsewhere({.name = "MPI_File_write_all", .from = LOOMP_CALLER}, Waits::for_ranks,
                     [&] { return next::File_write_all(file, buffer, count, type, status); });
}

LOOMP_EXPORT int MPI_File_read_ordered(MPI_File file, void *buffer, int count, MPI_Datatype type,
                                       MPI_Status *status) {
    return elsewhere({.name = "MPI_File_read_ordered", .from = LOOMP_CALLER}, Waits::for_ranks,
                     [&] { return next::File_read_ordered(file, buffer, count, type, status); });
}

LOOMP_EXPORT int MPI_File_write_ordered(MPI_File file, const void *buffer, int count,
                                        MPI_Datatype type, MPI_Status *status) {
    return elsewhere({.name = "MPI_File_write_ordered", .from = LOOMP_CALLER}, Waits::for_ranks,
                     [&] { return next::File_write_ordered(file, buffer, count, type, status); });
}

LOOMP_EXPORT int MPI_File_read_at(MPI_File file, MPI_Offset at, void *buffer, int count,
                                  MPI_Datatype type, MPI_Status *status) {
    return elsewhere({.name = "MPI_File_read_at", .from = LOOMP_CALLER}, Waits::for_device,
                     [&] { return next::File_read_at(file, at, buffer, count, type, status); });
}

LOOMP_EXPORT int MPI_File_write_at(MPI_File file, MPI_Offset at, const void *buffer, int count,
                                   MPI_Datatype type, MPI_Status *status) {
    return elsewhere({.name = "MPI_File_write_at", .from = LOOMP_CALLER}, Waits::for_device,
                     [&] { return next::File_write_at(file, at, buffer, count, type, status); });
}

LOOMP_EXPORT int MPI_File_read_at_all(MPI_File file, MPI_Offset at, void *buffer, int count,
                                      MPI_Datatype type, MPI_Status *status) {
    return elsewhere({.name = "MPI_File_read_at_all", .from = LOOMP_CALLER}, Waits::for_ranks,
                     [&] { return next::File_read_at_all(file, at, buffer, count, type, status); });
}

LOOMP_EXPORT int MPI_File_write_at_all(MPI_File file, MPI_Offset at, const void *buffer, int count,
                                       MPI_Datatype type, MPI_Status *status) {
    return elsewhere(
        {.name = "MPI_File_write_at_all", .from = LOOMP_CALLER}, Waits::for_ranks,
        [&] { return next::File_write_at_all(file, at, buffer, count, type, status); });
}

LOOMP_EXPORT int MPI_File_sync(MPI_File file) {
    return elsewhere({.name = "MPI_File_sync", .from = LOOMP_CALLER}, Waits::for_ranks,
                     [&] { return next::File_sync(file); });
}

LOOMP_EXPORT int MPI_File_set_size(MPI_File file, MPI_Offset size) {
    return elsewhere({.name = "MPI_File_set_size", .from = LOOMP_CALLER}, Waits::for_ranks,
                     [&] { return next::File_set_size(file, size); });
}

LOOMP_EXPORT int MPI_File_preallocate(MPI_File file, MPI_Offset size) {
    return elsewhere({.name = "MPI_File_preallocate", .from = LOOMP_CALLER}, Waits::for_ranks,
                     [&] { return next::File_preallocate(file, size); });
}

LOOMP_EXPORT int MPI_File_set_view(MPI_File file, MPI_Offset at, MPI_Datatype unit,
                                   MPI_Datatype type, const char *representation, MPI_Info info) {
    return elsewhere({.name = "MPI_File_set_view", .from = LOOMP_CALLER}, Waits::for_ranks, [&] {
        return next::File_set_view(file, at, unit, type, representation, info);
    });
}

LOOMP_EXPORT int MPI_File_seek_shared(MPI_File file, MPI_Offset at, int whence) {
    return elsewhere({.name = "MPI_File_seek_shared", .from = LOOMP_CALLER}, Waits::for_ranks,
                     [&] { return next::File_seek_shared(file, at, whence); });
}

LOOMP_EXPORT int MPI_File_set_atomicity(MPI_File file, int atomic) {
    return elsewhere({.name = "MPI_File_set_atomicity", .from = LOOMP_CALLER}, Waits::for_ranks,
                     [&] { return next::File_set_atomicity(file, atomic); });
}

LOOMP_EXPORT int MPI_File_read_all_begin(MPI_File file, void *buffer, int count,
                                         MPI_Datatype type) {
    return elsewhere({.name = "MPI_File_read_all_begin", .from = LOOMP_CALLER}, Waits::for_ranks,
                     [&] { return next::File_read_all_begin(file, buffer, count, type); });
}

LOOMP_EXPORT int MPI_File_read_all_end(MPI_File file, void *buffer, MPI_Status *status) {
    return elsewhere({.name = "MPI_File_read_all_end", .from = LOOMP_CALLER}, Waits::for_ranks,
                     [&] { return next::File_read_all_end(file, buffer, status); });
}

LOOMP_EXPORT int MPI_File_read_at_all_begin(MPI_File file, MPI_Offset at, void *buffer, int count,
                                            MPI_Datatype type) {
    return elsewhere({.name = "MPI_File_read_at_all_begin", .from = LOOMP_CALLER}, Waits::for_ranks,
                     [&] { return next::File_read_at_all_begin(file, at, buffer, count, type); });
}

LOOMP_EXPORT int MPI_File_read_at_all_end(MPI_File file, void *buffer, MPI_Status *status) {
    return elsewhere({.name = "MPI_File_read_at_all_end", .from = LOOMP_CALLER}, Waits::for_ranks,
                     [&] { return next::File_read_at_all_end(file, buffer, status); });
}

LOOMP_EXPORT int MPI_File_read_ordered_begin(MPI_File file, void *buffer, int count,
                                             MPI_Datatype type) {
    return elsewhere({.name = "MPI_File_read_ordered_begin", .from = LOOMP_CALLER},
                     Waits::for_ranks,
                     [&] { return next::File_read_ordered_begin(file, buffer, count, type); });
}

LOOMP_EXPORT int MPI_File_read_ordered_end(MPI_File file, void *buffer, MPI_Status *status) {
    return elsewhere({.name = "MPI_File_read_ordered_end", .from = LOOMP_CALLER}, Waits::for_ranks,
                     [&] { return next::File_read_ordered_end(file, buffer, status); });
}

LOOMP_EXPORT int MPI_File_write_all_begin(MPI_File file, const void *buffer, int count,
                                          MPI_Datatype type) {
    return elsewhere({.name = "MPI_File_write_all_begin", .from = LOOMP_CALLER}, Waits::for_ranks,
                     [&] { return next::File_write_all_begin(file, buffer, count, type); });
}

LOOMP_EXPORT int MPI_File_write_all_end(MPI_File file, const void *buffer, MPI_Status *status) {
    return elsewhere({.name = "MPI_File_write_all_end", .from = LOOMP_CALLER}, Waits::for_ranks,
                     [&] { return next::File_write_all_end(file, buffer, status); });
}

LOOMP_EXPORT int MPI_File_write_at_all_begin(MPI_File file, MPI_Offset at, const void *buffer,
                                             int count, MPI_Datatype type) {
    return elsewhere({.name = "MPI_File_write_at_all_begin", .from = LOOMP_CALLER},
                     Waits::for_ranks,
                     [&] { return next::File_write_at_all_begin(file, at, buffer, count, type); });
}

LOOMP_EXPORT int MPI_File_write_at_all_end(MPI_File file, const void *buffer, MPI_Status *status) {
    return elsewhere({.name = "MPI_File_write_at_all_end", .from = LOOMP_CALLER}, Waits::for_ranks,
                     [&] { return next::File_write_at_all_end(file, buffer, status); });
}

LOOMP_EXPORT int MPI_File_write_ordered_begin(MPI_File file, const void *buffer, int count,
                                              MPI_Datatype type) {
    return elsewhere({.name = "MPI_File_write_ordered_begin", .from = LOOMP_CALLER},
                     Waits::for_ranks,
                     [&] { return next::File_write_ordered_begin(file, buffer, count, type); });
}

LOOMP_EXPORT int MPI_File_write_ordered_end(MPI_File file, const void *buffer, MPI_Status *status) {
    return elsewhere({.name = "MPI_File_write_ordered_end", .from = LOOMP_CALLER}, Waits::for_ranks,
                     [&] { return next::File_write_ordered_end(file, buffer, status); });
}

LOOMP_EXPORT int MPI_File_set_info(MPI_File file, MPI_Info info) {
    return elsewhere({.name = "MPI_File_set_info", .from = LOOMP_CALLER}, Waits::for_ranks,
                     [&] { return next::File_set_info(file, info); });
}

#if MPI_VERSION >= 4
LOOMP_EXPORT int MPI_File_read_c(MPI_File file, void *buffer, MPI_Count count, MPI_Datatype type,
                                 MPI_Status *status) {
    return elsewhere({.name = "MPI_File_read_c", .from = LOOMP_CALLER}, Waits::for_device,
                     [&] { return next::File_read_c(file, buffer, count, type, status); });
}

LOOMP_EXPORT int MPI_File_write_c(MPI_File file, const void *buffer, MPI_Count count,
                                  MPI_Datatype type, MPI_Status *status) {
    return elsewhere({.name = "MPI_File_write_c", .from = LOOMP_CALLER}, Waits::for_device,
                     [&] { return next::File_write_c(file, buffer, count, type, status); });
}

LOOMP_EXPORT int MPI_File_read_shared_c(MPI_File file, void *buffer, MPI_Count count,
                                        MPI_Datatype type, MPI_Status *status) {
    return elsewhere({.name = "MPI_File_read_shared_c", .from = LOOMP_CALLER}, Waits::for_device,
                     [&] { return next::File_read_shared_c(file, buffer, count, type, status); });
}

LOOMP_EXPORT int MPI_File_write_shared_c(MPI_File file, const void *buffer, MPI_Count count,
                                         MPI_Datatype type, MPI_Status *status) {
    return elsewhere({.name = "MPI_File_write_shared_c", .from = LOOMP_CALLER}, Waits::for_device,
                     [&] { return next::File_write_shared_c(file, buffer, count, type, status); });
}

LOOMP_EXPORT int MPI_File_read_all_c(MPI_File file, void *buffer, MPI_Count count,
                                     MPI_Datatype type, MPI_Status *status) {
    return elsewhere({.name = "MPI_File_read_all_c", .from = LOOMP_CALLER}, Waits::for_ranks,
                     [&] { return next::File_read_all_c(file, buffer, count, type, status); });
}

LOOMP_EXPORT int MPI_File_write_all_c(MPI_File file, const void *buffer, MPI_Count count,
                                      MPI_Datatype type, MPI_Status *status) {
    return elsewhere({.name = "MPI_File_write_all_c", .from = LOOMP_CALLER}, Waits::for_ranks,
                     [&] { return next::File_write_all_c(file, buffer, count, type, status); });
}

LOOMP_EXPORT int MPI_File_read_ordered_c(MPI_File file, void *buffer, MPI_Count count,
                                         MPI_Datatype type, MPI_Status *status) {
    return elsewhere({.name = "MPI_File_read_ordered_c", .from = LOOMP_CALLER}, Waits::for_ranks,
                     [&] { return next::File_read_ordered_c(file, buffer, count, type, status); });
}

LOOMP_EXPORT int MPI_File_write_ordered_c(MPI_File file, const void *buffer, MPI_Count count,
                                          MPI_Datatype type, MPI_Status *status) {
    return elsewhere({.name = "MPI_File_write_ordered_c", .from = LOOMP_CALLER}, Waits::for_ranks,
                     [&] { return next::File_write_ordered_c(file, buffer, count, type, status); });
}

LOOMP_EXPORT int MPI_File_read_at_c(MPI_File file, MPI_Offset at, void *buffer, MPI_Count count,
                                    MPI_Datatype type, MPI_Status *status) {
    return elsewhere({.name = "MPI_File_read_at_c", .from = LOOMP_CALLER}, Waits::for_device,
                     [&] { return next::File_read_at_c(file, at, buffer, count, type, status); });
}

LOOMP_EXPORT int MPI_File_write_at_c(MPI_File file, MPI_Offset at, const void *buffer,
                                     MPI_Count count, MPI_Datatype type, MPI_Status *status) {
    return elsewhere({.name = "MPI_File_write_at_c", .from = LOOMP_CALLER}, Waits::for_device,
                     [&] { return next::File_write_at_c(file, at, buffer, count, type, status); });
}

LOOMP_EXPORT int MPI_File_read_at_all_c(MPI_File file, MPI_Offset at, void *buffer, MPI_Count count,
                                        MPI_Datatype type, MPI_Status *status) {
    return elsewhere(
        {.name = "MPI_File_read_at_all_c", .from = LOOMP_CALLER}, Waits::for_ranks,
        [&] { return next::File_read_at_all_c(file, at, buffer, count, type, status); });
}

LOOMP_EXPORT int MPI_File_write_at_all_c(MPI_File file, MPI_Offset at, const void *buffer,
                                         MPI_Count count, MPI_Datatype type, MPI_Status *status) {
    return elsewhere(
        {.name = "MPI_File_write_at_all_c", .from = LOOMP_CALLER}, Waits::for_ranks,
        [&] { return next::File_write_at_all_c(file, at, buffer, count, type, status); });
}

LOOMP_EXPORT int MPI_File_read_all_begin_c(MPI_File file, void *buffer, MPI_Count count,
                                           MPI_Datatype type) {
    return elsewhere({.name = "MPI_File_read_all_begin_c", .from = LOOMP_CALLER}, Waits::for_ranks,
                     [&] { return next::File_read_all_begin_c(file, buffer, count, type); });
}

LOOMP_EXPORT int MPI_File_read_at_all_begin_c(MPI_File file, MPI_Offset at, void *buffer,
                                              MPI_Count count, MPI_Datatype type) {
    return elsewhere({.name = "MPI_File_read_at_all_begin_c", .from = LOOMP_CALLER},
                     Waits::for_ranks,
                     [&] { return next::File_read_at_all_begin_c(file, at, buffer, count, type); });
}

LOOMP_EXPORT int MPI_File_read_ordered_begin_c(MPI_File file, void *buffer, MPI_Count count,
                                               MPI_Datatype type) {
    return elsewhere({.name = "MPI_File_read_ordered_begin_c", .from = LOOMP_CALLER},
                     Waits::for_ranks,
                     [&] { return next::File_read_ordered_begin_c(file, buffer, count, type); });
}

LOOMP_EXPORT int MPI_File_write_all_begin_c(MPI_File file, const void *buffer, MPI_Count count,
                                            MPI_Datatype type) {
    return elsewhere({.name = "MPI_File_write_all_begin_c", .from = LOOMP_CALLER}, Waits::for_ranks,
                     [&] { return next::File_write_all_begin_c(file, buffer, count, type); });
}

LOOMP_EXPORT int MPI_File_write_at_all_begin_c(MPI_File file, MPI_Offset at, const void *buffer,
                                               MPI_Count count, MPI_Datatype type) {
    return elsewhere(
        {.name = "MPI_File_write_at_all_begin_c", .from = LOOMP_CALLER}, Waits::for_ranks,
        [&] { return next::File_write_at_all_begin_c(file, at, buffer, count, type); });
}

LOOMP_EXPORT int MPI_File_write_ordered_begin_c(MPI_File file, const void *buffer, MPI_Count count,
                                                MPI_Datatype type) {
    return elsewhere({.name = "MPI_File_write_ordered_begin_c", .from = LOOMP_CALLER},
                     Waits::for_ranks,
                     [&] { return next::File_write_ordered_begin_c(file, buffer, count, type); });
}
#endif
