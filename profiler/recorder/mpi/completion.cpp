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
    void all_completed(Call &call) {
        call.completions();
        for (int i = 0; i < count_; ++i)
            completed(call, i, i);
    }
    void some_completed(Call &call, int count, const int *indices) {
        if (count == MPI_UNDEFINED)
            return;
        call.completions();
        for (int i = 0; i < count; ++i)
            completed(call, indices[i], i);
    }

  private:
    void completed(Call &call, int request, int status) {
        if (handles_.data() != nullptr && statuses_ != MPI_STATUSES_IGNORE)
            call.completed(handles_[request], statuses_[status]);
    }

    int count_;
    Room<Handle> handles_;
    Room<MPI_Status> own_;
    MPI_Status *statuses_;
};

bool ok(int error) { return error == MPI_SUCCESS; }

} // namespace

LOOMP_EXPORT int MPI_Wait(MPI_Request *request, MPI_Status *status) {
    Call call(Function::Wait);
    MPI_Status own;
    status = status == MPI_STATUS_IGNORE ? &own : status;
    const Handle handle = handle_of(*request);
    const int error = LOOMP_NEXT(Wait)(request, status);
    if (ok(error)) {
        call.completions();
        call.completed(handle, *status);
    }
    return error;
}

LOOMP_EXPORT int MPI_Waitall(int count, MPI_Request list[], MPI_Status statuses[]) {
    Call call(Function::Waitall);
    Requests requests(count, list, statuses);
    const int error = LOOMP_NEXT(Waitall)(count, list, requests.statuses());
    if (ok(error))
        requests.all_completed(call);
    return error;
}

LOOMP_EXPORT int MPI_Waitany(int count, MPI_Request list[], int *index, MPI_Status *status) {
    Call call(Function::Waitany);
    MPI_Status own;
    status = status == MPI_STATUS_IGNORE ? &own : status;
    Requests requests(count, list, status);
    const int error = LOOMP_NEXT(Waitany)(count, list, index, status);
    if (ok(error) && *index != MPI_UNDEFINED)
        requests.some_completed(call, 1, index);
    return error;
}

LOOMP_EXPORT int MPI_Waitsome(int count, MPI_Request list[], int *completed, int indices[],
                              MPI_Status statuses[]) {
    Call call(Function::Waitsome);
    Requests requests(count, list, statuses);
    const int error = LOOMP_NEXT(Waitsome)(count, list, completed, indices, requests.statuses());
    if (ok(error))
        requests.some_completed(call, *completed, indices);
    return error;
}

LOOMP_EXPORT int MPI_Test(MPI_Request *request, int *flag, MPI_Status *status) {
    const std::uint64_t begin = now();
    MPI_Status own;
    status = status == MPI_STATUS_IGNORE ? &own : status;
    const Handle handle = handle_of(*request);
    const int error = LOOMP_NEXT(Test)(request, flag, status);
    if (ok(error) && *flag != 0) {
        Call call(Function::Test, begin);
        call.completions();
        call.completed(handle, *status);
    }
    return error;
}

LOOMP_EXPORT int MPI_Testall(int count, MPI_Request list[], int *flag, MPI_Status statuses[]) {
    const std::uint64_t begin = now();
    Requests requests(count, list, statuses);
    const int error = LOOMP_NEXT(Testall)(count, list, flag, requests.statuses());
    if (ok(error) && *flag != 0) {
        Call call(Function::Testall, begin);
        requests.all_completed(call);
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
    if (ok(error) && *flag != 0 && *index != MPI_UNDEFINED) {
        Call call(Function::Testany, begin);
        requests.some_completed(call, 1, index);
    }
    return error;
}

LOOMP_EXPORT int MPI_Testsome(int count, MPI_Request list[], int *completed, int indices[],
                              MPI_Status statuses[]) {
    const std::uint64_t begin = now();
    Requests requests(count, list, statuses);
    const int error = LOOMP_NEXT(Testsome)(count, list, completed, indices, requests.statuses());
    if (ok(error) && *completed != 0 && *completed != MPI_UNDEFINED) {
        Call call(Function::Testsome, begin);
        requests.some_completed(call, *completed, indices);
    }
    return error;
}
