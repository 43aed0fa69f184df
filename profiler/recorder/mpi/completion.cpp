// Waits and tests. A test that finds nothing is not recorded: programs make millions of them.
#include "profiler/recorder/mpi/recorded_call.h"
#include "profiler/recorder/mpi/stack_array.h"

using namespace loomp::record;

namespace {

/// The requests of a call, as they are before it, and where their statuses go.
class Requests {
  public:
    Requests(int count, const MPI_Request *requests, MPI_Status *statuses)
        : count_(count), handles_(count), own_(statuses == MPI_STATUSES_IGNORE ? count : 0),
          statuses_(statuses == MPI_STATUSES_IGNORE && own_.data() != nullptr ? own_.data()
                                                                              : statuses) {
        for (int i = 0; handles_.data() != nullptr && i < count; ++i)
            handles_[i] = handle_of(requests[i]);
    }

    MPI_Status *statuses() { return statuses_; }
    /// `error` is what the call returns. If it is in the statuses, each has its own.
    void all_completed(Call &call, int error) {
        call.completions();
        for (int i = 0; i < count_; ++i)
            completed(call, i, i, error);
    }
    void some_completed(Call &call, int count, const int *indices, int error) {
        if (count == MPI_UNDEFINED)
            return;
        call.completions();
        for (int i = 0; i < count; ++i)
            completed(call, indices[i], i, error);
    }

  private:
    void completed(Call &call, int request, int status, int error) {
        if (handles_.data() == nullptr || statuses_ == MPI_STATUSES_IGNORE)
            return;
        if (class_of(error) == MPI_ERR_IN_STATUS)
            error = statuses_[status].MPI_ERROR;
        if (class_of(error) != MPI_ERR_PENDING)
            call.completed(handles_[request], statuses_[status], error);
    }

    int count_;
    Room<Handle> handles_;
    Room<MPI_Status> own_;
    MPI_Status *statuses_;
};

/// The statuses of some requests are valid.
bool in_statuses(int error) { return error == MPI_SUCCESS || class_of(error) == MPI_ERR_IN_STATUS; }

} // namespace

LOOMP_EXPORT int MPI_Wait(MPI_Request *request, MPI_Status *status) {
    Call call(Function::Wait);
    MPI_Status own;
    status = status == MPI_STATUS_IGNORE ? &own : status;
    const Handle handle = handle_of(*request);
    const int error = LOOMP_NEXT(Wait)(request, status);
    call.completions();
    call.completed(handle, *status, error);
    return error;
}

LOOMP_EXPORT int MPI_Waitall(int count, MPI_Request list[], MPI_Status statuses[]) {
    Call call(Function::Waitall);
    Requests requests(count, list, statuses);
    const int error = LOOMP_NEXT(Waitall)(count, list, requests.statuses());
    if (in_statuses(error))
        requests.all_completed(call, error);
    return error;
}

LOOMP_EXPORT int MPI_Waitany(int count, MPI_Request list[], int *index, MPI_Status *status) {
    Call call(Function::Waitany);
    MPI_Status own;
    status = status == MPI_STATUS_IGNORE ? &own : status;
    Requests requests(count, list, status);
    const int error = LOOMP_NEXT(Waitany)(count, list, index, status);
    if (has_effect(error) && *index != MPI_UNDEFINED)
        requests.some_completed(call, 1, index, error);
    return error;
}

LOOMP_EXPORT int MPI_Waitsome(int count, MPI_Request list[], int *completed, int indices[],
                              MPI_Status statuses[]) {
    Call call(Function::Waitsome);
    Requests requests(count, list, statuses);
    const int error = LOOMP_NEXT(Waitsome)(count, list, completed, indices, requests.statuses());
    if (in_statuses(error))
        requests.some_completed(call, *completed, indices, error);
    return error;
}

LOOMP_EXPORT int MPI_Test(MPI_Request *request, int *flag, MPI_Status *status) {
    const std::uint64_t begin = now();
    MPI_Status own;
    status = status == MPI_STATUS_IGNORE ? &own : status;
    const Handle handle = handle_of(*request);
    const int error = LOOMP_NEXT(Test)(request, flag, status);
    if (error != MPI_SUCCESS || *flag != 0) {
        Call call(Function::Test, begin);
        call.completions();
        call.completed(handle, *status, error);
    }
    return error;
}

/// A request that is found complete may be freed, without a wait for it.
LOOMP_EXPORT int MPI_Request_get_status(MPI_Request request, int *flag, MPI_Status *status) {
    const std::uint64_t begin = now();
    MPI_Status own;
    status = status == MPI_STATUS_IGNORE ? &own : status;
    const int error = LOOMP_NEXT(Request_get_status)(request, flag, status);
    if (error == MPI_SUCCESS && *flag != 0) {
        Call call(Function::Request_get_status, begin);
        call.completions();
        call.completed(handle_of(request), *status, error);
    }
    return error;
}

LOOMP_EXPORT int MPI_Request_free(MPI_Request *request) {
    Call call(Function::Request_free);
    const Handle handle = handle_of(*request);
    const int error = LOOMP_NEXT(Request_free)(request);
    if (error == MPI_SUCCESS)
        call.freed(handle);
    return error;
}

LOOMP_EXPORT int MPI_Cancel(MPI_Request *request) {
    Call call(Function::Cancel);
    const int error = LOOMP_NEXT(Cancel)(request);
    if (error == MPI_SUCCESS)
        call.cancel(handle_of(*request));
    return error;
}

LOOMP_EXPORT int MPI_Testall(int count, MPI_Request list[], int *flag, MPI_Status statuses[]) {
    const std::uint64_t begin = now();
    Requests requests(count, list, statuses);
    const int error = LOOMP_NEXT(Testall)(count, list, flag, requests.statuses());
    if (error == MPI_SUCCESS ? *flag != 0 : in_statuses(error)) {
        Call call(Function::Testall, begin);
        requests.all_completed(call, error);
    }
    return error;
}

LOOMP_EXPORT int MPI_Testany(int count, MPI_Request list[], int *index, int *flag,
                             MPI_Status *status) {
    const std::uint64_t begin = now();
    MPI_Status own;
    status = status == MPI_STATUS_IGNORE ? &own : status;
    Requests requests(count, list, status);
    const int error = LOOMP_NEXT(Testany)(count, list, index, flag, status);
    if (has_effect(error) && *flag != 0 && *index != MPI_UNDEFINED) {
        Call call(Function::Testany, begin);
        requests.some_completed(call, 1, index, error);
    }
    return error;
}

LOOMP_EXPORT int MPI_Testsome(int count, MPI_Request list[], int *completed, int indices[],
                              MPI_Status statuses[]) {
    const std::uint64_t begin = now();
    Requests requests(count, list, statuses);
    const int error = LOOMP_NEXT(Testsome)(count, list, completed, indices, requests.statuses());
    if (in_statuses(error) && *completed != 0 && *completed != MPI_UNDEFINED) {
        Call call(Function::Testsome, begin);
        requests.some_completed(call, *completed, indices, error);
    }
    return error;
}
