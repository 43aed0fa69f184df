// Written by mpi/interface/generate.py from mpi/interface/functions.txt; change that table.
#include "mpi/calls/call_kinds.h"
#include "platform/export.h"

using namespace loomp::mpi;

LOOMP_EXPORT int MPI_Win_fence(int assertion, MPI_Win window) {
    return elsewhere({.name = "MPI_Win_fence", .from = LOOMP_CALLER}, Waits::for_ranks,
                     [&] { return next::Win_fence(assertion, window); });
}

LOOMP_EXPORT int MPI_Win_start(MPI_Group group, int assertion, MPI_Win window) {
    return elsewhere({.name = "MPI_Win_start", .from = LOOMP_CALLER}, Waits::for_ranks,
                     [&] { return next::Win_start(group, assertion, window); });
}

LOOMP_EXPORT int MPI_Win_complete(MPI_Win window) {
    return elsewhere({.name = "MPI_Win_complete", .from = LOOMP_CALLER}, Waits::for_ranks,
                     [&] { return next::Win_complete(window); });
}
