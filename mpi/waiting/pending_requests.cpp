#include "mpi/waiting/pending_requests.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <utility>

#include "mpi/waiting/callbacks.h"
#include "mpi/waiting/errors.h"
#include "mpi/waiting/request_origin.h"
#include "mpi/waiting/stuck.h"

namespace loomp::mpi {

void PendingRequests::add(Operation &operation) {
    operation.pending = operation.count;
    for (int i = 0; i < operation.count; ++i) {
        if (count_ == capacity_)
            grow();
        const int index = operation.indices == nullptr ? i : operation.indices[i];
        requests_[count_] = operation.requests[index];
        owners_[count_++] = {&operation, index};
    }
}

int PendingRequests::test() {
    if (count_ == 0)
        return 0;
    if (first_ >= count_)
        first_ = 0;
    return errors_expected() || tool_watches() ? test_one_by_one() : test_together();
}

int PendingRequests::test_together() {
    const int size = std::min(count_ - first_, kTogether);
    int found = 0;
    const int error = calling_back(
        [&] { return test_some(size, requests_ + first_, &found, indices_, statuses_); });
    if (found == MPI_UNDEFINED || (error != MPI_SUCCESS && error != MPI_ERR_IN_STATUS))
        found = 0;
    // Sorts the indices. The loop below starts at the last one, because removing an entry moves the
    // last one there. Known libraries already report them in order.
    for (int i = 1; i < found; ++i)
        for (int j = i; j > 0 && indices_[j] < indices_[j - 1]; --j) {
            std::swap(indices_[j], indices_[j - 1]);
            std::swap(statuses_[j], statuses_[j - 1]);
        }
    // All errors are fatal.
    for (int i = 0; error != MPI_SUCCESS && i < found; ++i)
        if (statuses_[i].MPI_ERROR != MPI_SUCCESS)
            end_job(owners_[first_ + indices_[i]].operation->call, statuses_[i].MPI_ERROR);
    int completed = 0;
    for (int i = found - 1; i >= 0; --i)
        completed += finish(first_ + indices_[i], MPI_SUCCESS, &statuses_[i]) ? 1 : 0;
    first_ += size - found;
    return completed;
}

int PendingRequests::test_one_by_one() {
    const int size = std::min(count_ - first_, kOneByOne);
    int found = 0;
    int completed = 0;
    for (int at = first_ + size - 1; at >= first_; --at) {
        int flag = 0;
        MPI_Status status;
        const int error = calling_back(
            [&] { return test_for(owners_[at].operation->call, &requests_[at], &flag, &status); });
        if (flag == 0 && error == MPI_SUCCESS)
            continue;
        completed += finish(at, error, &status) ? 1 : 0;
        ++found;
    }
    first_ += size - found;
    return completed;
}

bool PendingRequests::finish(int at, int error, const MPI_Status *status) {
    const Owner owner = owners_[at];
    Operation &operation = *owner.operation;
    if (operation.total > 0)
        forget_started(1, &operation.requests[owner.index]);
    operation.requests[owner.index] = requests_[at];
    if (error != MPI_SUCCESS)
        operation.error = error;
    if (operation.statuses != nullptr) {
        // Calls that complete one request leave this field unchanged, and so do those that complete
        // many without an error.
        MPI_Status &to = operation.statuses[owner.index];
        const bool failed = error != MPI_SUCCESS && operation.errors_in_statuses;
        const int code = failed ? error : to.MPI_ERROR;
        to = *status;
        to.MPI_ERROR = code;
    }
    --count_;
    requests_[at] = requests_[count_];
    owners_[at] = owners_[count_];
    if (--operation.pending > 0)
        return false;
    operation.completed(operation); // the operation may no longer exist
    return true;
}

void PendingRequests::list(WaitingCalls &calls) const {
    for (int i = 0; i < count_; ++i)
        owners_[i].operation->entry = -1;
    for (int i = 0; i < count_; ++i) {
        Operation &operation = *owners_[i].operation;
        // Once for all of the operation's requests.
        if (operation.entry < 0)
            operation.entry =
                calls.add(operation.call, operation.since, operation.done, operation.total);
        if (operation.total > 0)
            calls.add_request(operation.entry, owners_[i].index, requests_[i]);
    }
}

void PendingRequests::grow() {
    capacity_ = capacity_ == 0 ? 1024 : 2 * capacity_;
    const auto count = static_cast<std::size_t>(capacity_);
    requests_ = static_cast<MPI_Request *>(std::realloc(requests_, count * sizeof(MPI_Request)));
    owners_ = static_cast<Owner *>(std::realloc(owners_, count * sizeof(Owner)));
    if (requests_ == nullptr || owners_ == nullptr) {
        std::fputs("loomp: out of memory: pending MPI requests\n", stderr);
        std::abort();
    }
}

} // namespace loomp::mpi
