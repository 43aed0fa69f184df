// Sends, receives and probes. MPI_Bsend never waits for anybody and is not taken over.
#include "loomp/experimental.h"
#include "mpi/calls/joint_speculation.h"
#include "mpi/waiting/completed_request.h"
#include "mpi/waiting/wait_in_task.h"
#include "platform/export.h"

#include <cstdlib>

using namespace loomp::mpi;

namespace {

/// `start` begins the nonblocking form.
template <class Start> int blocking(const Call &call, Start start, MPI_Status *status) {
    MPI_Request request = MPI_REQUEST_NULL;
    const int error = make_for(call, [&] { return start(&request); });
    return error != MPI_SUCCESS ? error : wait_for(call, &request, status);
}

/// The same for what sends, to `call.peer`.
template <class Start> int send(const Call &call, Start start) {
    if (!is_worth_sending(call.comm))
        return MPI_SUCCESS;
    MPI_Request request = MPI_REQUEST_NULL;
    const int error = make_for(call, [&] { return start(&request); });
    if (error != MPI_SUCCESS)
        return error;
    count_send(call.comm, call.peer);
    return is_complete(request) ? wait_in_place(call, &request, MPI_STATUS_IGNORE)
                                : wait_for(call, &request, MPI_STATUS_IGNORE);
}

/// MPICH (4.0) may tell another source of a receive from nobody that is nonblocking.
int wait_for_message(const Call &call, MPI_Request *request, MPI_Status *status) {
    const int error = wait_for_receive(call, request, status);
    return error != MPI_SUCCESS || call.peer != MPI_PROC_NULL || status == MPI_STATUS_IGNORE
               ? error
               : PMPI_Recv(nullptr, 0, MPI_BYTE, MPI_PROC_NULL, MPI_ANY_TAG, call.comm, status);
}

/// The same for what receives.
template <class Start> int receive(const Call &call, Start start, MPI_Status *status) {
    MPI_Request request = MPI_REQUEST_NULL;
    const int error = make_for(call, [&] { return start(&request); });
    return error != MPI_SUCCESS ? error : wait_for_message(call, &request, status);
}

/// Both halves of an exchange; the receive's error comes first. `init_send` makes a persistent
/// request of the send's arguments.
template <class StartReceive, class InitSend, class StartSend>
int exchange(const Call &call, int target, StartReceive start_receive, InitSend init_send,
             StartSend start_send, MPI_Status *status) {
    MPI_Request receive = MPI_REQUEST_NULL;
    MPI_Request send = MPI_REQUEST_NULL;
    int error = MPI_SUCCESS;
    // The library checks the arguments first. A receive that has begun could take a message before
    // it is cancelled.
    if (errors_expected()) {
        error = make_for(call, [&] { return init_send(&send); });
        if (error != MPI_SUCCESS)
            return error;
        PMPI_Request_free(&send);
    }
    error = make_for(call, [&] { return start_receive(&receive); });
    if (error != MPI_SUCCESS)
        return error;
    if (is_worth_sending(call.comm)) {
        error = make_for(call, [&] { return start_send(&send); });
        if (error != MPI_SUCCESS) {
            PMPI_Cancel(&receive);
            PMPI_Request_free(&receive);
            return error;
        }
        count_send(call.comm, target);
    }
    const int received = wait_for_message(call, &receive, status);
    const int sent = wait_for(call, &send, MPI_STATUS_IGNORE);
    return received != MPI_SUCCESS ? received : sent;
}

} // namespace

/// What is told of a call whose arguments have these names.
#define LOOMP_CALL(NAME, PEER)                                                                     \
    {.name = "MPI_" #NAME, .comm = comm, .peer = PEER, .tag = tag, .from = LOOMP_CALLER}

#define LOOMP_SEND(NAME, NONBLOCKING, COUNT)                                                       \
    LOOMP_EXPORT int MPI_##NAME(const void *buffer, COUNT count, MPI_Datatype type, int target,    \
                                int tag, MPI_Comm comm) {                                          \
        if (!in_task())                                                                            \
            return PMPI_##NAME(buffer, count, type, target, tag, comm);                            \
        loomp_note_send();                                                                         \
        return send(LOOMP_CALL(NAME, target), [&](MPI_Request *r) {                                \
            return PMPI_##NONBLOCKING(buffer, count, type, target, tag, comm, r);                  \
        });                                                                                        \
    }

// A message does not tell its communicator.
#define LOOMP_RECEIVES(SUFFIX, COUNT)                                                              \
    LOOMP_EXPORT int MPI_Recv##SUFFIX(void *buffer, COUNT count, MPI_Datatype type, int source,    \
                                      int tag, MPI_Comm comm, MPI_Status *status) {                \
        if (!in_task())                                                                            \
            return PMPI_Recv##SUFFIX(buffer, count, type, source, tag, comm, status);              \
        return receive(                                                                            \
            LOOMP_CALL(Recv, source),                                                              \
            [&](MPI_Request *r) {                                                                  \
                return PMPI_Irecv##SUFFIX(buffer, count, type, source, tag, comm, r);              \
            },                                                                                     \
            status);                                                                               \
    }                                                                                              \
    LOOMP_EXPORT int MPI_Mrecv##SUFFIX(void *buffer, COUNT count, MPI_Datatype type,               \
                                       MPI_Message *message, MPI_Status *status) {                 \
        if (!in_task())                                                                            \
            return PMPI_Mrecv##SUFFIX(buffer, count, type, message, status);                       \
        return blocking(                                                                           \
            {.name = "MPI_Mrecv", .from = LOOMP_CALLER},                                           \
            [&](MPI_Request *r) { return PMPI_Imrecv##SUFFIX(buffer, count, type, message, r); },  \
            status);                                                                               \
    }

#define LOOMP_EXCHANGE(NAME, RECEIVE, INIT, SEND, COUNT)                                           \
    LOOMP_EXPORT int MPI_##NAME(const void *send_buffer, COUNT send_count, MPI_Datatype send_type, \
                                int target, int send_tag, void *buffer, COUNT count,               \
                                MPI_Datatype type, int source, int tag, MPI_Comm comm,             \
                                MPI_Status *status) {                                              \
        if (!in_task())                                                                            \
            return PMPI_##NAME(send_buffer, send_count, send_type, target, send_tag, buffer,       \
                               count, type, source, tag, comm, status);                            \
        loomp_note_send();                                                                         \
        return exchange(                                                                           \
            LOOMP_CALL(NAME, source), target,                                                      \
            [&](MPI_Request *r) {                                                                  \
                return PMPI_##RECEIVE(buffer, count, type, source, tag, comm, r);                  \
            },                                                                                     \
            [&](MPI_Request *r) {                                                                  \
                return PMPI_##INIT(send_buffer, send_count, send_type, target, send_tag, comm, r); \
            },                                                                                     \
            [&](MPI_Request *r) {                                                                  \
                return PMPI_##SEND(send_buffer, send_count, send_type, target, send_tag, comm, r); \
            },                                                                                     \
            status);                                                                               \
    }

LOOMP_SEND(Send, Isend, int)
LOOMP_SEND(Ssend, Issend, int)
LOOMP_SEND(Rsend, Irsend, int)
LOOMP_RECEIVES(, int)
LOOMP_EXCHANGE(Sendrecv, Irecv, Send_init, Isend, int)
#if MPI_VERSION >= 4
LOOMP_SEND(Send_c, Isend_c, MPI_Count)
LOOMP_SEND(Ssend_c, Issend_c, MPI_Count)
LOOMP_SEND(Rsend_c, Irsend_c, MPI_Count)
LOOMP_RECEIVES(_c, MPI_Count)
LOOMP_EXCHANGE(Sendrecv_c, Irecv_c, Send_init_c, Isend_c, MPI_Count)
#endif

#if MPI_VERSION >= 4
// These do not wait.
LOOMP_EXPORT int MPI_Psend_init(const void *buffer, int parts, MPI_Count count, MPI_Datatype type,
                                int target, int tag, MPI_Comm comm, MPI_Info info,
                                MPI_Request *request) {
    expect_partitioned();
    return PMPI_Psend_init(buffer, parts, count, type, target, tag, comm, info, request);
}
LOOMP_EXPORT int MPI_Precv_init(void *buffer, int parts, MPI_Count count, MPI_Datatype type,
                                int source, int tag, MPI_Comm comm, MPI_Info info,
                                MPI_Request *request) {
    expect_partitioned();
    return PMPI_Precv_init(buffer, parts, count, type, source, tag, comm, info, request);
}
#endif

LOOMP_EXPORT int MPI_Probe(int source, int tag, MPI_Comm comm, MPI_Status *status) {
    if (!in_task())
        return PMPI_Probe(source, tag, comm, status);
    return wait_until(LOOMP_CALL(Probe, source),
                      [&](int *flag) { return PMPI_Iprobe(source, tag, comm, flag, status); });
}

LOOMP_EXPORT int MPI_Mprobe(int source, int tag, MPI_Comm comm, MPI_Message *message,
                            MPI_Status *status) {
    if (!in_task())
        return PMPI_Mprobe(source, tag, comm, message, status);
    return wait_until(LOOMP_CALL(Mprobe, source), [&](int *flag) {
        return PMPI_Improbe(source, tag, comm, flag, message, status);
    });
}

// The outgoing data is packed first. If that is impossible, the library reports what is wrong.
#define LOOMP_REPLACING_EXCHANGE(SUFFIX, COUNT)                                                    \
    LOOMP_EXPORT int MPI_Sendrecv_replace##SUFFIX(void *buffer, COUNT count, MPI_Datatype type,    \
                                                  int target, int send_tag, int source, int tag,   \
                                                  MPI_Comm comm, MPI_Status *status) {             \
        COUNT size = 0;                                                                            \
        void *packed = nullptr;                                                                    \
        if (in_task() && count >= 0 &&                                                             \
            PMPI_Pack_size##SUFFIX(count, type, comm, &size) == MPI_SUCCESS)                       \
            packed = std::malloc(size > 0 ? static_cast<std::size_t>(size) : 1);                   \
        if (packed == nullptr)                                                                     \
            return PMPI_Sendrecv_replace##SUFFIX(buffer, count, type, target, send_tag, source,    \
                                                 tag, comm, status);                               \
        loomp_note_send();                                                                         \
        COUNT position = 0;                                                                        \
        int error = PMPI_Pack##SUFFIX(buffer, count, type, packed, size, &position, comm);         \
        if (error == MPI_SUCCESS)                                                                  \
            error = exchange(                                                                      \
                LOOMP_CALL(Sendrecv_replace##SUFFIX, source), target,                              \
                [&](MPI_Request *r) {                                                              \
                    return PMPI_Irecv##SUFFIX(buffer, count, type, source, tag, comm, r);          \
                },                                                                                 \
                [&](MPI_Request *r) {                                                              \
                    return PMPI_Send_init##SUFFIX(packed, position, MPI_PACKED, target, send_tag,  \
                                                  comm, r);                                        \
                },                                                                                 \
                [&](MPI_Request *r) {                                                              \
                    return PMPI_Isend##SUFFIX(packed, position, MPI_PACKED, target, send_tag,      \
                                              comm, r);                                            \
                },                                                                                 \
                status);                                                                           \
        std::free(packed);                                                                         \
        return error;                                                                              \
    }

LOOMP_REPLACING_EXCHANGE(, int)
#if MPI_VERSION >= 4
LOOMP_REPLACING_EXCHANGE(_c, MPI_Count)
#endif
