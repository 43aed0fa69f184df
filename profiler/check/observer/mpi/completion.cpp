// Waits and tests, starts of persistent requests, and what ends requests.
#include <vector>

#include "profiler/check/observer/mpi/checked_calls.h"

using namespace loomp::check;

namespace {

/// The handles of a call's requests, as they are before it.
class Handles {
  public:
    Handles(int count, MPI_Request *requests)
        : requests_(requests), handles_(requests, requests + (count > 0 ? count : 0)) {}
    void all_complete() const {
        for (int i = 0; i < static_cast<int>(handles_.size()); ++i)
            one_complete(i);
    }
    void some_complete(int count, const int *indices) const {
        for (int i = 0; count != MPI_UNDEFINED && i < count; ++i)
            one_complete(indices[i]);
    }
    void one_complete(int index) const {
        if (index != MPI_UNDEFINED && handles_[static_cast<std::size_t>(index)] != MPI_REQUEST_NULL)
            complete(&requests_[index], handles_[static_cast<std::size_t>(index)]);
    }

  private:
    MPI_Request *requests_;
    std::vector<MPI_Request> handles_;
};

} // namespace

LOOMP_EXPORT int MPI_Wait(MPI_Request *request, MPI_Status *status) {
    const Handles handles(1, request);
    const int error = LOOMP_NEXT(Wait)(request, status);
    handles.all_complete();
    return error;
}

LOOMP_EXPORT int MPI_Waitall(int count, MPI_Request list[], MPI_Status statuses[]) {
    const Handles handles(count, list);
    const int error = LOOMP_NEXT(Waitall)(count, list, statuses);
    handles.all_complete();
    return error;
}

LOOMP_EXPORT int MPI_Waitany(int count, MPI_Request list[], int *index, MPI_Status *status) {
    const Handles handles(count, list);
    const int error = LOOMP_NEXT(Waitany)(count, list, index, status);
    if (error == MPI_SUCCESS)
        handles.one_complete(*index);
    return error;
}

LOOMP_EXPORT int MPI_Waitsome(int count, MPI_Request list[], int *completed, int indices[],
                              MPI_Status statuses[]) {
    const Handles handles(count, list);
    const int error = LOOMP_NEXT(Waitsome)(count, list, completed, indices, statuses);
    if (error == MPI_SUCCESS)
        handles.some_complete(*completed, indices);
    return error;
}

LOOMP_EXPORT int MPI_Test(MPI_Request *request, int *flag, MPI_Status *status) {
    const Handles handles(1, request);
    const int error = LOOMP_NEXT(Test)(request, flag, status);
    if (error == MPI_SUCCESS && *flag != 0)
        handles.all_complete();
    return error;
}

LOOMP_EXPORT int MPI_Testall(int count, MPI_Request list[], int *flag, MPI_Status statuses[]) {
    const Handles handles(count, list);
    const int error = LOOMP_NEXT(Testall)(count, list, flag, statuses);
    if (error == MPI_SUCCESS && *flag != 0)
        handles.all_complete();
    return error;
}

LOOMP_EXPORT int MPI_Testany(int count, MPI_Request list[], int *index, int *flag,
                             MPI_Status *status) {
    const Handles handles(count, list);
    const int error = LOOMP_NEXT(Testany)(count, list, index, flag, status);
    if (error == MPI_SUCCESS && *flag != 0)
        handles.one_complete(*index);
    return error;
}

LOOMP_EXPORT int MPI_Testsome(int count, MPI_Request list[], int *completed, int indices[],
                              MPI_Status statuses[]) {
    const Handles handles(count, list);
    const int error = LOOMP_NEXT(Testsome)(count, list, completed, indices, statuses);
    if (error == MPI_SUCCESS)
        handles.some_complete(*completed, indices);
    return error;
}

LOOMP_EXPORT int MPI_Request_get_status(MPI_Request request, int *flag, MPI_Status *status) {
    const int error = LOOMP_NEXT(Request_get_status)(request, flag, status);
    if (error == MPI_SUCCESS && *flag != 0)
        complete(nullptr, request);
    return error;
}

/// Nothing says when the call is complete. The program knows it by other means.
LOOMP_EXPORT int MPI_Request_free(MPI_Request *request) {
    const MPI_Request handle = *request;
    const int error = LOOMP_NEXT(Request_free)(request);
    if (error == MPI_SUCCESS)
        forget(request, handle);
    return error;
}

LOOMP_EXPORT int MPI_Start(MPI_Request *request) {
    const int error = LOOMP_NEXT(Start)(request);
    if (error == MPI_SUCCESS)
        begin_kept(LOOMP_CALLER, request, *request);
    return error;
}

LOOMP_EXPORT int MPI_Startall(int count, MPI_Request list[]) {
    const int error = LOOMP_NEXT(Startall)(count, list);
    for (int i = 0; error == MPI_SUCCESS && i < count; ++i)
        begin_kept(LOOMP_CALLER, &list[i], list[i]);
    return error;
}
