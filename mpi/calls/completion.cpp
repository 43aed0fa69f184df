// MPI_Wait and its kin. MPI_Test and its kin do not wait and stay what they are; what completes is
// not known any more.
#include "mpi/waiting/request_origin.h"
#include "mpi/waiting/wait_in_task.h"
#include "platform/export.h"

using namespace loomp::mpi;

namespace {

/// PMPI_Testany, which also empties the status if no request is active. MPICH (4.0) leaves the
/// status unchanged if one of them is persistent.
int test_any(int count, MPI_Request *requests, int *index, int *flag, MPI_Status *status) {
    const int error = PMPI_Testany(count, requests, index, flag, status);
    if (error != MPI_SUCCESS || *flag == 0 || *index != MPI_UNDEFINED)
        return error;
    MPI_Request none = MPI_REQUEST_NULL;
    return PMPI_Wait(&none, status);
}

} // namespace

LOOMP_EXPORT int MPI_Wait(MPI_Request *request, MPI_Status *status) {
    Call call = {.from = LOOMP_CALLER};
    Call started;
    if (request != nullptr && what_started(*request, started)) {
        call.peer = started.peer;
        call.tag = started.tag;
    }
    forget_started(1, request);
    return in_task() ? wait_for(call, request, status) : PMPI_Wait(request, status);
}

LOOMP_EXPORT int MPI_Waitall(int count, MPI_Request requests[], MPI_Status statuses[]) {
    if (in_task())
        return wait_all({.name = "MPI_Waitall", .from = LOOMP_CALLER}, count, requests, statuses);
    forget_started(count, requests);
    return PMPI_Waitall(count, requests, statuses);
}

LOOMP_EXPORT int MPI_Waitany(int count, MPI_Request requests[], int *index, MPI_Status *status) {
    forget_started(count, requests);
    if (!in_task())
        return PMPI_Waitany(count, requests, index, status);
    return wait_until({.name = "MPI_Waitany", .from = LOOMP_CALLER},
                      [&](int *flag) { return test_any(count, requests, index, flag, status); });
}

LOOMP_EXPORT int MPI_Waitsome(int count, MPI_Request requests[], int *completed, int indices[],
                              MPI_Status statuses[]) {
    forget_started(count, requests);
    if (!in_task())
        return PMPI_Waitsome(count, requests, completed, indices, statuses);
    return wait_until({.name = "MPI_Waitsome", .from = LOOMP_CALLER}, [&](int *flag) {
        const int error = PMPI_Testsome(count, requests, completed, indices, statuses);
        *flag = *completed != 0 ? 1 : 0; // MPI_UNDEFINED: none is active
        return error;
    });
}

LOOMP_EXPORT int MPI_Test(MPI_Request *request, int *flag, MPI_Status *status) {
    forget_started(1, request);
    return PMPI_Test(request, flag, status);
}

LOOMP_EXPORT int MPI_Testall(int count, MPI_Request requests[], int *flag, MPI_Status statuses[]) {
    forget_started(count, requests);
    return PMPI_Testall(count, requests, flag, statuses);
}

LOOMP_EXPORT int MPI_Testany(int count, MPI_Request requests[], int *index, int *flag,
                             MPI_Status *status) {
    forget_started(count, requests);
    return PMPI_Testany(count, requests, index, flag, status);
}

LOOMP_EXPORT int MPI_Testsome(int count, MPI_Request requests[], int *completed, int indices[],
                              MPI_Status statuses[]) {
    forget_started(count, requests);
    return PMPI_Testsome(count, requests, completed, indices, statuses);
}

LOOMP_EXPORT int MPI_Request_free(MPI_Request *request) {
    forget_started(1, request);
    return PMPI_Request_free(request);
}

// The one call of remote memory access that waits and has a test.
LOOMP_EXPORT int MPI_Win_wait(MPI_Win window) {
    if (!in_task())
        return PMPI_Win_wait(window);
    return wait_until({.name = "MPI_Win_wait", .from = LOOMP_CALLER},
                      [&](int *flag) { return PMPI_Win_test(window, flag); });
}
