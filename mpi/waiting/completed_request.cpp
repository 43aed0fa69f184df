#include "mpi/waiting/completed_request.h"

#include <cstdint>

#include "mpi/adapters/mpi_library.h"

namespace loomp::mpi {

MPI_Request complete_handle::known = MPI_REQUEST_NULL;
bool complete_handle::is_permanent = false;

namespace {

/// Open MPI's is a static object (ompi_request_empty). MPICH counts references to it up to 3; since
/// 4 it is one of the library's own objects, which its handle says, and which are never freed.
bool lives_as_long_as_library(MPI_Request request) {
    constexpr int kKindShift = 30;
    constexpr std::uint64_t kBuiltin = 1;
    const auto number = (std::uint64_t)request; // NOLINT(google-readability-casting)
    return is_openmpi() || number >> kKindShift == kBuiltin;
}

} // namespace

// Two active operations have different handles, unless the handle only means that they are
// complete. A send to MPI_PROC_NULL is complete.
void learn_complete_handle() {
    MPI_Request sends[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
    for (MPI_Request &send : sends)
        PMPI_Isend(nullptr, 0, MPI_BYTE, MPI_PROC_NULL, 0, MPI_COMM_SELF, &send);
    if (sends[0] == sends[1]) {
        complete_handle::known = sends[0];
        complete_handle::is_permanent = lives_as_long_as_library(sends[0]);
    }
    PMPI_Waitall(2, sends, MPI_STATUSES_IGNORE);
}

} // namespace loomp::mpi
