// Starts of persistent requests, and probes. A matched probe starts the receive of its message: a
// later call receives it, in any order.
#include "profiler/recorder/mpi/recorded_call.h"

using namespace loomp::record;

namespace {

bool ok(int error) { return error == MPI_SUCCESS; }

} // namespace

LOOMP_EXPORT int MPI_Start(MPI_Request *request) {
    Call call(Function::Start);
    const int error = LOOMP_NEXT(Start)(request);
    if (ok(error))
        call.started_of(handle_of(*request));
    return error;
}

LOOMP_EXPORT int MPI_Startall(int count, MPI_Request requests[]) {
    Call call(Function::Startall);
    const int error = LOOMP_NEXT(Startall)(count, requests);
    for (int i = 0; ok(error) && i < count; ++i)
        call.started_of(handle_of(requests[i]));
    return error;
}

LOOMP_EXPORT int MPI_Probe(int peer, int tag, MPI_Comm comm, MPI_Status *status) {
    const Call call(Function::Probe);
    return LOOMP_NEXT(Probe)(peer, tag, comm, status);
}

LOOMP_EXPORT int MPI_Mprobe(int peer, int tag, MPI_Comm comm, MPI_Message *message,
                            MPI_Status *status) {
    Call call(Function::Mprobe);
    MPI_Status own_status;
    status = status == MPI_STATUS_IGNORE ? &own_status : status;
    const int error = LOOMP_NEXT(Mprobe)(peer, tag, comm, message, status);
    if (ok(error))
        call.started(handle_of(*message), Kind::receive,
                     {status->MPI_SOURCE, status->MPI_TAG, comm});
    return error;
}

LOOMP_EXPORT int MPI_Improbe(int peer, int tag, MPI_Comm comm, int *flag, MPI_Message *message,
                             MPI_Status *status) {
    const std::uint64_t begin = now();
    MPI_Status own_status;
    status = status == MPI_STATUS_IGNORE ? &own_status : status;
    const int error = LOOMP_NEXT(Improbe)(peer, tag, comm, flag, message, status);
    if (!ok(error) || *flag == 0)
        return error;
    Call call(Function::Improbe, begin);
    call.started(handle_of(*message), Kind::receive, {status->MPI_SOURCE, status->MPI_TAG, comm});
    return error;
}
