// The names of mpi-detach (include/loomp/mpi-detach.h).
#include "loomp/mpi-detach.h"

#include "mpi/waiting/call.h"
#include "mpi/waiting/continuations.h"
#include "platform/export.h"

using namespace loomp::mpi;

namespace {

template <class Function> Function *function_of(const Continuation &self) {
    return reinterpret_cast<Function *>(self.function);
}

Continuation plain(MPIX_Detach_function *callback, void *data) {
    return {[](const Continuation &self, int, MPI_Status *) {
                function_of<MPIX_Detach_function>(self)(self.data);
            },
            reinterpret_cast<void *>(callback), data, false};
}

Continuation with_status(MPIX_Detach_status_function *callback, void *data) {
    return {[](const Continuation &self, int, MPI_Status *statuses) {
                function_of<MPIX_Detach_status_function>(self)(self.data, statuses);
            },
            reinterpret_cast<void *>(callback), data, true};
}

template <class Make, class Callback>
int each(const Call &call, int count, MPI_Request *requests, Make make, Callback *callback,
         void **data) {
    int error = MPI_SUCCESS;
    for (int i = 0; i < count && error == MPI_SUCCESS; ++i)
        error = when_complete(call, 1, &requests[i], make(callback, data[i]));
    return error;
}

} // namespace

LOOMP_EXPORT int MPIX_Detach(MPI_Request *request, MPIX_Detach_callback *callback, void *data) {
    return when_complete({.name = "MPIX_Detach", .from = LOOMP_CALLER}, 1, request,
                         plain(callback, data));
}

LOOMP_EXPORT int MPIX_Detach_status(MPI_Request *request, MPIX_Detach_callback_status *callback,
                                    void *data) {
    return when_complete({.name = "MPIX_Detach_status", .from = LOOMP_CALLER}, 1, request,
                         with_status(callback, data));
}

LOOMP_EXPORT int MPIX_Detach_each(int count, MPI_Request requests[], MPIX_Detach_callback *callback,
                                  void *data[]) {
    return each({.name = "MPIX_Detach_each", .from = LOOMP_CALLER}, count, requests, plain,
                callback, data);
}

LOOMP_EXPORT int MPIX_Detach_each_status(int count, MPI_Request requests[],
                                         MPIX_Detach_callback_status *callback, void *data[]) {
    return each({.name = "MPIX_Detach_each_status", .from = LOOMP_CALLER}, count, requests,
                with_status, callback, data);
}

LOOMP_EXPORT int MPIX_Detach_all(int count, MPI_Request requests[], MPIX_Detach_callback *callback,
                                 void *data) {
    return when_complete({.name = "MPIX_Detach_all", .from = LOOMP_CALLER}, count, requests,
                         plain(callback, data));
}

LOOMP_EXPORT int MPIX_Detach_all_status(int count, MPI_Request requests[],
                                        MPIX_Detach_all_callback_statuses *callback, void *data) {
    return when_complete({.name = "MPIX_Detach_all_status", .from = LOOMP_CALLER}, count, requests,
                         {[](const Continuation &self, int all, MPI_Status *statuses) {
                              function_of<MPIX_Detach_all_statuses_function>(self)(self.data, all,
                                                                                   statuses);
                          },
                          reinterpret_cast<void *>(callback), data, true});
}

LOOMP_EXPORT int MPIX_Progress(void *) { return 0; }
