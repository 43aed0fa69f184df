// MPI_Wait and its kin. MPI_Test and its kin do not wait and stay what they are; what completes is
// not known any more.
#include <algorithm>
#include <new>

#include "mpi/adapters/tools.h"
#include "mpi/interface/next_calls.h"
#include "mpi/waiting/callbacks.h"
#include "mpi/waiting/outside_call.h"
#include "mpi/waiting/request_origin.h"
#include "mpi/waiting/wait_in_task.h"
#include "platform/export.h"

using namespace loomp::mpi;

namespace {

/// True if a test of many requests may find one. A tool sees tests that the layer makes for a wait
/// only if they may.
bool may_find_one(int count, const MPI_Request *requests) {
    if (!tool_watches() || requests == nullptr)
        return true;
    bool all_inactive = true;
    for (int i = 0; i < count; ++i) {
        if (requests[i] == MPI_REQUEST_NULL)
            continue;
        if (is_ready(requests[i]))
            return true;
        all_inactive = false;
    }
    return all_inactive;
}

/// MPI_Testany, which also empties the status if no request is active. MPICH (4.0) leaves the
/// status unchanged if one of them is persistent.
int test_any(int count, MPI_Request *requests, int *index, int *flag, MPI_Status *status) {
    *flag = 0;
    if (!may_find_one(count, requests))
        return MPI_SUCCESS;
    const int error = next::Testany(count, requests, index, flag, status);
    if (error != MPI_SUCCESS || *flag == 0 || *index != MPI_UNDEFINED)
        return error;
    MPI_Request none = MPI_REQUEST_NULL;
    return PMPI_Wait(&none, status);
}

/// A call outside tasks that waits for requests. Reports show what started the first few.
template <class Make>
int wait_outside(const Call &call, int count, const MPI_Request *requests, Make make) {
    constexpr int kMost = 8;
    struct Starts { // not initialised, because most calls are in no report
        Starts() {} // NOLINT(modernize-use-equals-default)
        union {
            Call calls[kMost];
        };
        int count = 0;
    } starts;
    for (int i = 0; requests != nullptr && i < std::min(count, kMost); ++i) {
        Call started;
        if (what_started(requests[i], started))
            new (&starts.calls[starts.count++]) Call(started);
    }
    forget_started(count, requests);
    return make_outside(call, make, {starts.calls, starts.count, count});
}

} // namespace

LOOMP_EXPORT int MPI_Wait(MPI_Request *request, MPI_Status *status) {
    Call call = {.from = LOOMP_CALLER};
    Call started;
    if (request != nullptr && what_started(*request, started)) {
        call.peer = started.peer;
        call.tag = started.tag;
        call.started_by.name = started.name;
        call.started_by.comm = started.comm;
        call.knows_start = true;
    }
    forget_started(1, request);
    return in_task() ? wait_for(call, request, status)
                     : make_outside(call, [&] { return next::Wait(request, status); });
}

LOOMP_EXPORT int MPI_Waitall(int count, MPI_Request requests[], MPI_Status statuses[]) {
    const Call call = {.name = "MPI_Waitall", .from = LOOMP_CALLER};
    if (in_task())
        return wait_all(call, count, requests, statuses);
    return wait_outside(call, count, requests,
                        [&] { return next::Waitall(count, requests, statuses); });
}

LOOMP_EXPORT int MPI_Waitany(int count, MPI_Request requests[], int *index, MPI_Status *status) {
    const Call call = {.name = "MPI_Waitany", .from = LOOMP_CALLER};
    if (!in_task())
        return wait_outside(call, count, requests,
                            [&] { return next::Waitany(count, requests, index, status); });
    forget_started(count, requests);
    return wait_until(call,
                      [&](int *flag) { return test_any(count, requests, index, flag, status); });
}

LOOMP_EXPORT int MPI_Waitsome(int count, MPI_Request requests[], int *completed, int indices[],
                              MPI_Status statuses[]) {
    const Call call = {.name = "MPI_Waitsome", .from = LOOMP_CALLER};
    if (!in_task())
        return wait_outside(call, count, requests, [&] {
            return next::Waitsome(count, requests, completed, indices, statuses);
        });
    forget_started(count, requests);
    return wait_until(call, [&](int *flag) -> int {
        if (!may_find_one(count, requests))
            return MPI_SUCCESS; // an enumerator in the header of the standard ABI
        const int error = next::Testsome(count, requests, completed, indices, statuses);
        *flag = *completed != 0 ? 1 : 0; // MPI_UNDEFINED: none is active
        return error;
    });
}

LOOMP_EXPORT int MPI_Test(MPI_Request *request, int *flag, MPI_Status *status) {
    forget_started(1, request);
    return possibly_calling_back([&] { return next::Test(request, flag, status); });
}

LOOMP_EXPORT int MPI_Testall(int count, MPI_Request requests[], int *flag, MPI_Status statuses[]) {
    forget_started(count, requests);
    return possibly_calling_back([&] { return next::Testall(count, requests, flag, statuses); });
}

LOOMP_EXPORT int MPI_Testany(int count, MPI_Request requests[], int *index, int *flag,
                             MPI_Status *status) {
    forget_started(count, requests);
    return possibly_calling_back(
        [&] { return next::Testany(count, requests, index, flag, status); });
}

LOOMP_EXPORT int MPI_Testsome(int count, MPI_Request requests[], int *completed, int indices[],
                              MPI_Status statuses[]) {
    forget_started(count, requests);
    return possibly_calling_back(
        [&] { return next::Testsome(count, requests, completed, indices, statuses); });
}

LOOMP_EXPORT int MPI_Request_free(MPI_Request *request) {
    forget_started(1, request);
    return next::Request_free(request);
}

// The one call of remote memory access that waits and has a test.
LOOMP_EXPORT int MPI_Win_wait(MPI_Win window) {
    const Call call = {.name = "MPI_Win_wait", .from = LOOMP_CALLER};
    if (!in_task())
        return make_outside(call, [&] { return next::Win_wait(window); });
    return wait_until(call, [&](int *flag) { return PMPI_Win_test(window, flag); });
}
