// Sends, receives and probes.
#include "profiler/recorder/mpi/recorded_call.h"

using namespace loomp::record;

namespace {

bool ok(int error) { return error == MPI_SUCCESS; }

} // namespace

#define LOOMP_SEND(NAME, NONBLOCKING, PERSISTENT, KIND, SUFFIX, COUNT)                             \
    LOOMP_EXPORT int MPI_##NAME##SUFFIX(const void *buffer, COUNT count, MPI_Datatype type,        \
                                        int peer, int tag, MPI_Comm comm) {                        \
        Call call(Function::NAME);                                                                 \
        const Handle own = call.begin_own(Kind::KIND, {peer, tag, comm}, bytes_of(count, type));   \
        const int error = LOOMP_NEXT(NAME##SUFFIX)(buffer, count, type, peer, tag, comm);          \
        call.end_own(own);                                                                         \
        return error;                                                                              \
    }                                                                                              \
    LOOMP_EXPORT int MPI_##NONBLOCKING##SUFFIX(const void *buffer, COUNT count, MPI_Datatype type, \
                                               int peer, int tag, MPI_Comm comm,                   \
                                               MPI_Request *request) {                             \
        Call call(Function::NONBLOCKING);                                                          \
        const int error =                                                                          \
            LOOMP_NEXT(NONBLOCKING##SUFFIX)(buffer, count, type, peer, tag, comm, request);        \
        if (ok(error))                                                                             \
            call.started(handle_of(*request), Kind::KIND, {peer, tag, comm},                       \
                         bytes_of(count, type));                                                   \
        return error;                                                                              \
    }                                                                                              \
    LOOMP_EXPORT int MPI_##PERSISTENT##SUFFIX(const void *buffer, COUNT count, MPI_Datatype type,  \
                                              int peer, int tag, MPI_Comm comm,                    \
                                              MPI_Request *request) {                              \
        Call call(Function::PERSISTENT);                                                           \
        const int error =                                                                          \
            LOOMP_NEXT(PERSISTENT##SUFFIX)(buffer, count, type, peer, tag, comm, request);         \
        if (ok(error))                                                                             \
            call.initialized(handle_of(*request), Kind::KIND, {peer, tag, comm},                   \
                             bytes_of(count, type));                                               \
        return error;                                                                              \
    }

#define LOOMP_RECEIVES(SUFFIX, COUNT)                                                              \
    LOOMP_EXPORT int MPI_Recv##SUFFIX(void *buffer, COUNT count, MPI_Datatype type, int peer,      \
                                      int tag, MPI_Comm comm, MPI_Status *status) {                \
        Call call(Function::Recv);                                                                 \
        MPI_Status own_status;                                                                     \
        status = status == MPI_STATUS_IGNORE ? &own_status : status;                               \
        const Handle own = call.begin_own(Kind::receive, {peer, tag, comm});                       \
        const int error = LOOMP_NEXT(Recv##SUFFIX)(buffer, count, type, peer, tag, comm, status);  \
        if (ok(error))                                                                             \
            call.end_own(own, status);                                                             \
        return error;                                                                              \
    }                                                                                              \
    LOOMP_EXPORT int MPI_Irecv##SUFFIX(void *buffer, COUNT count, MPI_Datatype type, int peer,     \
                                       int tag, MPI_Comm comm, MPI_Request *request) {             \
        Call call(Function::Irecv);                                                                \
        const int error =                                                                          \
            LOOMP_NEXT(Irecv##SUFFIX)(buffer, count, type, peer, tag, comm, request);              \
        if (ok(error))                                                                             \
            call.started(handle_of(*request), Kind::receive, {peer, tag, comm});                   \
        return error;                                                                              \
    }                                                                                              \
    LOOMP_EXPORT int MPI_Recv_init##SUFFIX(void *buffer, COUNT count, MPI_Datatype type, int peer, \
                                           int tag, MPI_Comm comm, MPI_Request *request) {         \
        Call call(Function::Recv_init);                                                            \
        const int error =                                                                          \
            LOOMP_NEXT(Recv_init##SUFFIX)(buffer, count, type, peer, tag, comm, request);          \
        if (ok(error))                                                                             \
            call.initialized(handle_of(*request), Kind::receive, {peer, tag, comm});               \
        return error;                                                                              \
    }                                                                                              \
    LOOMP_EXPORT int MPI_Mrecv##SUFFIX(void *buffer, COUNT count, MPI_Datatype type,               \
                                       MPI_Message *message, MPI_Status *status) {                 \
        Call call(Function::Mrecv);                                                                \
        MPI_Status own_status;                                                                     \
        status = status == MPI_STATUS_IGNORE ? &own_status : status;                               \
        const Handle own = call.begin_own_of(handle_of(*message));                                 \
        const int error = LOOMP_NEXT(Mrecv##SUFFIX)(buffer, count, type, message, status);         \
        if (ok(error))                                                                             \
            call.end_own(own, status);                                                             \
        return error;                                                                              \
    }                                                                                              \
    LOOMP_EXPORT int MPI_Imrecv##SUFFIX(void *buffer, COUNT count, MPI_Datatype type,              \
                                        MPI_Message *message, MPI_Request *request) {              \
        Call call(Function::Imrecv);                                                               \
        const Handle of = handle_of(*message);                                                     \
        const int error = LOOMP_NEXT(Imrecv##SUFFIX)(buffer, count, type, message, request);       \
        if (ok(error))                                                                             \
            call.started_of(handle_of(*request), of);                                              \
        return error;                                                                              \
    }

#define LOOMP_EXCHANGES(SUFFIX, COUNT)                                                             \
    LOOMP_EXPORT int MPI_Sendrecv##SUFFIX(const void *from, COUNT from_count,                      \
                                          MPI_Datatype from_type, int target, int target_tag,      \
                                          void *to, COUNT count, MPI_Datatype type, int source,    \
                                          int tag, MPI_Comm comm, MPI_Status *status) {            \
        Call call(Function::Sendrecv);                                                             \
        MPI_Status own_status;                                                                     \
        status = status == MPI_STATUS_IGNORE ? &own_status : status;                               \
        const Handle send = call.begin_own(Kind::send, {target, target_tag, comm},                 \
                                           bytes_of(from_count, from_type));                       \
        const Handle receive = call.begin_own(Kind::receive, {source, tag, comm});                 \
        const int error =                                                                          \
            LOOMP_NEXT(Sendrecv##SUFFIX)(from, from_count, from_type, target, target_tag, to,      \
                                         count, type, source, tag, comm, status);                  \
        if (ok(error)) {                                                                           \
            call.end_own(send);                                                                    \
            call.end_own(receive, status);                                                         \
        }                                                                                          \
        return error;                                                                              \
    }                                                                                              \
    LOOMP_EXPORT int MPI_Sendrecv_replace##SUFFIX(void *buffer, COUNT count, MPI_Datatype type,    \
                                                  int target, int target_tag, int source, int tag, \
                                                  MPI_Comm comm, MPI_Status *status) {             \
        Call call(Function::Sendrecv_replace);                                                     \
        MPI_Status own_status;                                                                     \
        status = status == MPI_STATUS_IGNORE ? &own_status : status;                               \
        const Handle send =                                                                        \
            call.begin_own(Kind::send, {target, target_tag, comm}, bytes_of(count, type));         \
        const Handle receive = call.begin_own(Kind::receive, {source, tag, comm});                 \
        const int error = LOOMP_NEXT(Sendrecv_replace##SUFFIX)(                                    \
            buffer, count, type, target, target_tag, source, tag, comm, status);                   \
        if (ok(error)) {                                                                           \
            call.end_own(send);                                                                    \
            call.end_own(receive, status);                                                         \
        }                                                                                          \
        return error;                                                                              \
    }

#define LOOMP_ALL(SUFFIX, COUNT)                                                                   \
    LOOMP_SEND(Send, Isend, Send_init, send, SUFFIX, COUNT)                                        \
    LOOMP_SEND(Bsend, Ibsend, Bsend_init, send, SUFFIX, COUNT)                                     \
    LOOMP_SEND(Ssend, Issend, Ssend_init, synchronous_send, SUFFIX, COUNT)                         \
    LOOMP_SEND(Rsend, Irsend, Rsend_init, send, SUFFIX, COUNT)                                     \
    LOOMP_RECEIVES(SUFFIX, COUNT)                                                                  \
    LOOMP_EXCHANGES(SUFFIX, COUNT)

LOOMP_ALL(, int)
#if MPI_VERSION >= 4
LOOMP_ALL(_c, MPI_Count)

LOOMP_EXPORT int MPI_Psend_init(const void *buffer, int parts, MPI_Count count, MPI_Datatype type,
                                int peer, int tag, MPI_Comm comm, MPI_Info info,
                                MPI_Request *request) {
    Call call(Function::Psend_init);
    const int error =
        LOOMP_NEXT(Psend_init)(buffer, parts, count, type, peer, tag, comm, info, request);
    if (ok(error))
        call.initialized(handle_of(*request), Kind::send, {peer, tag, comm},
                         bytes_of(count * parts, type));
    return error;
}

LOOMP_EXPORT int MPI_Precv_init(void *buffer, int parts, MPI_Count count, MPI_Datatype type,
                                int peer, int tag, MPI_Comm comm, MPI_Info info,
                                MPI_Request *request) {
    Call call(Function::Precv_init);
    const int error =
        LOOMP_NEXT(Precv_init)(buffer, parts, count, type, peer, tag, comm, info, request);
    if (ok(error))
        call.initialized(handle_of(*request), Kind::receive, {peer, tag, comm});
    return error;
}
#endif

LOOMP_EXPORT int MPI_Start(MPI_Request *request) {
    Call call(Function::Start);
    const int error = LOOMP_NEXT(Start)(request);
    if (ok(error))
        call.started_of(handle_of(*request), handle_of(*request));
    return error;
}

LOOMP_EXPORT int MPI_Startall(int count, MPI_Request requests[]) {
    Call call(Function::Startall);
    const int error = LOOMP_NEXT(Startall)(count, requests);
    for (int i = 0; ok(error) && i < count; ++i)
        call.started_of(handle_of(requests[i]), handle_of(requests[i]));
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
        call.initialized(handle_of(*message), Kind::receive,
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
    call.initialized(handle_of(*message), Kind::receive,
                     {status->MPI_SOURCE, status->MPI_TAG, comm});
    return error;
}
