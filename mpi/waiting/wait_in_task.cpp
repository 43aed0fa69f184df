#include "mpi/waiting/wait_in_task.h"

#include <cstddef>
#include <memory>
#include <new>
#include <numeric>

#include "mpi/waiting/outside_call.h"
#include "mpi/waiting/request_origin.h"

namespace loomp::mpi {

void suspend_until_complete(Operation &operation) {
    leave_to_poller(operation);
    loomp_suspend(&operation.done);
}

int wait_for(const Call &call, MPI_Request *request, MPI_Status *status) {
    int error = MPI_SUCCESS;
    const auto complete = [&] {
        int flag = 0;
        error = test_for(call, request, &flag, status);
        return flag != 0 || error != MPI_SUCCESS;
    };
    // A tool sees the time of a wait outside tasks.
    const bool is_blocking = is_watched(call) && !can_wait();
    if (!is_blocking && (complete() || completes_soon(complete)))
        return raise(call, error);
    if (!can_wait() || !active())
        return raise(call,
                     make_outside(call, [&] { return wait_in_place(call, request, status); }));
    Operation operation;
    operation.requests = request;
    operation.statuses = status == MPI_STATUS_IGNORE ? nullptr : status;
    operation.call = call;
    suspend_until_complete(operation);
    return raise(call, operation.error);
}

int wait_all(const Call &call, int count, MPI_Request *list, MPI_Status *statuses) {
    // Tests for one request leave this field, and MPICH's for many do so, but waits for many write
    // it.
    for (int i = 0; statuses != MPI_STATUSES_IGNORE && statuses != nullptr && i < count; ++i)
        statuses[i].MPI_ERROR = MPI_SUCCESS;
    if (errors_expected() || count < 0 || list == nullptr) {
        forget_started(count, list);
        return wait_until(call, [&](int *flag) { return test_all(count, list, flag, statuses); });
    }
    // Removes inactive and complete requests, because no test of many reports inactive ones. All
    // errors are fatal here.
    constexpr int kFew = 16;
    int few[kFew];
    const std::unique_ptr<int[]> many(
        count > kFew ? new (std::nothrow) int[static_cast<std::size_t>(count)] : nullptr);
    int *const pending = count > kFew ? many.get() : few;
    if (pending == nullptr) {
        forget_started(count, list);
        return wait_until(call, [&](int *done) { return test_all(count, list, done, statuses); });
    }
    int left = count;
    std::iota(pending, pending + count, 0);
    const auto test_each = [&] {
        int still = 0;
        for (int i = 0; i < left; ++i) {
            const int at = pending[i];
            int flag = 0;
            const MPI_Request request = list[at];
            test_for(call, &list[at], &flag,
                     statuses == MPI_STATUSES_IGNORE ? MPI_STATUS_IGNORE : &statuses[at]);
            if (flag == 0)
                pending[still++] = at;
            else
                forget_started(1, &request);
        }
        left = still;
    };
    const auto complete = [&] {
        inside_gate(test_each);
        return left == 0;
    };
    if (complete() || completes_soon(complete))
        return MPI_SUCCESS;
    Operation operation;
    operation.call = call;
    operation.requests = list;
    operation.statuses = statuses == MPI_STATUSES_IGNORE ? nullptr : statuses;
    operation.indices = pending;
    operation.count = left;
    operation.total = count;
    suspend_until_complete(operation);
    return operation.error;
}

} // namespace loomp::mpi
