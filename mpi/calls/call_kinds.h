// How each kind of MPI call behaves in a task. MPI's functions (calls/generated) forward to these.
//
// `Blocking` is the call itself, `Start` its nonblocking form. A kind waits by the nonblocking form
// only if the calling thread's calls are intercepted. MPI_Bsend waits for nobody, so it is no send
// here.
#pragma once

#include <cstdlib>

#include "loomp/experimental.h"
#include "mpi/adapters/mpi_library.h"
#include "mpi/calls/joint_speculation.h"
#include "mpi/waiting/completed_request.h"
#include "mpi/waiting/request_origin.h"
#include "mpi/waiting/stand_in.h"
#include "mpi/waiting/wait_in_task.h"

namespace loomp::mpi {

// --- Nonblocking calls ---------------------------------------------------------------------------

/// A nonblocking call stays what it is; the layer notes what its request is.
template <auto Start, class... Arguments>
int start_receive(const Call &call, MPI_Request *request, Arguments... arguments) {
    const int error = make_for(call, [&] { return Start(arguments..., request); });
    if (error == MPI_SUCCESS)
        note_started(call, *request);
    return error;
}

/// The scheduler learns that the task sends, for preset FA.
template <auto Start, class... Arguments>
int start_send(const Call &call, MPI_Request *request, Arguments... arguments) {
    loomp_note_send();
    return start_receive<Start>(call, request, arguments...);
}

// --- Point to point ------------------------------------------------------------------------------

template <auto Blocking, auto Start, class... Arguments>
int send(const Call &call, Arguments... arguments) {
    if (!in_task())
        return Blocking(arguments...);
    loomp_note_send();
    if (!is_worth_sending(call.comm))
        return MPI_SUCCESS;
    MPI_Request request = MPI_REQUEST_NULL;
    const int error = make_for(call, [&] { return Start(arguments..., &request); });
    if (error != MPI_SUCCESS)
        return error;
    count_send(call.comm, call.peer);
    return is_complete(request) ? wait_in_place(call, &request, MPI_STATUS_IGNORE)
                                : wait_for(call, &request, MPI_STATUS_IGNORE);
}

/// MPICH (4.0) may tell another source of a receive from nobody that is nonblocking.
inline int wait_for_message(const Call &call, MPI_Request *request, MPI_Status *status) {
    const int error = wait_for_receive(call, request, status);
    return error != MPI_SUCCESS || call.peer != MPI_PROC_NULL || status == MPI_STATUS_IGNORE
               ? error
               : PMPI_Recv(nullptr, 0, MPI_BYTE, MPI_PROC_NULL, MPI_ANY_TAG, call.comm, status);
}

/// A receive of a matched message has no communicator in `call`: a message does not tell its own.
template <auto Blocking, auto Start, class... Arguments>
int receive(const Call &call, MPI_Status *status, Arguments... arguments) {
    if (!in_task())
        return Blocking(arguments..., status);
    MPI_Request request = MPI_REQUEST_NULL;
    const int error = make_for(call, [&] { return Start(arguments..., &request); });
    return error != MPI_SUCCESS ? error : wait_for_message(call, &request, status);
}

/// Both halves of an exchange in a task; the receive's error comes first.
template <auto Receive, auto InitSend, auto Send, class Count>
int exchange_halves(const Call &call, const void *send_buffer, Count send_count,
                    MPI_Datatype send_type, int target, int send_tag, void *buffer, Count count,
                    MPI_Datatype type, int source, int tag, MPI_Comm comm, MPI_Status *status) {
    MPI_Request receive = MPI_REQUEST_NULL;
    MPI_Request send = MPI_REQUEST_NULL;
    int error = MPI_SUCCESS;
    // The library checks the arguments first. A receive that has begun could take a message before
    // it is cancelled.
    if (errors_expected()) {
        error = make_for(call, [&] {
            return InitSend(send_buffer, send_count, send_type, target, send_tag, comm, &send);
        });
        if (error != MPI_SUCCESS)
            return error;
        PMPI_Request_free(&send);
    }
    error =
        make_for(call, [&] { return Receive(buffer, count, type, source, tag, comm, &receive); });
    if (error != MPI_SUCCESS)
        return error;
    if (is_worth_sending(comm)) {
        error = make_for(call, [&] {
            return Send(send_buffer, send_count, send_type, target, send_tag, comm, &send);
        });
        if (error != MPI_SUCCESS) {
            PMPI_Cancel(&receive);
            PMPI_Request_free(&receive);
            return error;
        }
        count_send(comm, target);
    }
    const int received = wait_for_message(call, &receive, status);
    const int sent = wait_for(call, &send, MPI_STATUS_IGNORE);
    return received != MPI_SUCCESS ? received : sent;
}

/// `InitSend` makes a persistent request of the send's arguments.
template <auto Blocking, auto Receive, auto InitSend, auto Send, class... Arguments>
int exchange(const Call &call, Arguments... arguments) {
    if (!in_task())
        return Blocking(arguments...);
    loomp_note_send();
    return exchange_halves<Receive, InitSend, Send>(call, arguments...);
}

/// The outgoing data is packed first. If that is impossible, the library reports what is wrong.
template <auto Blocking, auto Receive, auto InitSend, auto Send, auto PackSize, auto Pack,
          class Count>
int exchange_in_place(const Call &call, void *buffer, Count count, MPI_Datatype type, int target,
                      int send_tag, int source, int tag, MPI_Comm comm, MPI_Status *status) {
    Count size = 0;
    void *packed = nullptr;
    if (in_task() && count >= 0 && PackSize(count, type, comm, &size) == MPI_SUCCESS)
        packed = std::malloc(size > 0 ? static_cast<std::size_t>(size) : 1);
    if (packed == nullptr)
        return Blocking(buffer, count, type, target, send_tag, source, tag, comm, status);
    loomp_note_send();
    Count position = 0;
    int error = Pack(buffer, count, type, packed, size, &position, comm);
    if (error == MPI_SUCCESS)
        error = exchange_halves<Receive, InitSend, Send>(call, packed, position, MPI_PACKED, target,
                                                         send_tag, buffer, count, type, source, tag,
                                                         comm, status);
    std::free(packed);
    return error;
}

// --- Collectives ---------------------------------------------------------------------------------

/// Collectives become nonblocking outside tasks, too: MPI does not match a blocking collective of
/// one process with a nonblocking one of another (MPI 3.1, 5.12), and the program decides which
/// processes are in a task when they call.
template <auto Blocking, auto Start, class... Arguments>
int collective(const Call &call, Arguments... arguments) {
    if (!active())
        return Blocking(arguments...);
    loomp_note_send(); // others wait for this one
    MPI_Request request = MPI_REQUEST_NULL;
    const int error = make_for(call, [&] { return Start(arguments..., &request); });
    return error != MPI_SUCCESS ? error : wait_for(call, &request, MPI_STATUS_IGNORE);
}

} // namespace loomp::mpi
