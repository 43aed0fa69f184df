// How each kind of MPI call behaves in a task. MPI's functions (calls/generated) forward to these.
//
// `Blocking` is the call itself, `Start` its nonblocking form (next_calls.h). A kind waits by the
// nonblocking form only if the calling thread's calls are intercepted. MPI_Bsend waits for nobody,
// so it is no send here.
#pragma once

#include <cstdlib>
#include <limits>

#include "loomp/experimental.h"
#include "mpi/adapters/mpi_library.h"
#include "mpi/calls/joint_speculation.h"
#include "mpi/interface/next_calls.h"
#include "mpi/waiting/collective_order.h"
#include "mpi/waiting/completed_request.h"
#include "mpi/waiting/outside_call.h"
#include "mpi/waiting/peers_with_layer.h"
#include "mpi/waiting/request_origin.h"
#include "mpi/waiting/stand_in.h"
#include "mpi/waiting/wait_in_task.h"

namespace loomp::mpi {

/// Keeps an argument of a call that waits where debuggers find it in the call's frame.
template <class Argument> LOOMP_INLINE void show_to_debuggers(Argument argument) {
    asm volatile("" : : "g"(argument));
}

/// True if a call that reports success made no request. Since MPICH 5, a call whose error handler
/// returns succeeds, and so does the program's call then, without more.
inline bool is_refused(MPI_Request request) { return request == MPI_REQUEST_NULL; }

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

/// Waits for a send by a task, which mostly is complete.
inline int wait_for_send(const Call &call, MPI_Request *request) {
    if (!is_complete(*request))
        return wait_for(call, request, MPI_STATUS_IGNORE);
    return needs_no_completion() && !is_watched(call)
               ? MPI_SUCCESS
               : wait_in_place(call, request, MPI_STATUS_IGNORE);
}

/// A call outside tasks. It is a function of its own, so that the arguments of the caller, which
/// may be in a task, stay where debuggers find them.
template <auto Blocking, class... Arguments>
LOOMP_NOINLINE int call_outside(const Call &call, Arguments... arguments) {
    return make_outside(call, [&] { return Blocking(arguments...); });
}

template <auto Blocking, auto Start, class... Arguments>
int send(const Call &call, Arguments... arguments) {
    if (!in_task())
        return call_outside<Blocking>(call, arguments...);
    loomp_note_send();
    if (!is_worth_sending(call.comm))
        return MPI_SUCCESS;
    MPI_Request request = MPI_REQUEST_NULL;
    const int error = make_for(call, [&] { return Start(arguments..., &request); });
    if (error != MPI_SUCCESS)
        return error;
    count_send(call.comm, call.peer);
    return wait_for_send(call, &request);
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
        return call_outside<Blocking>(call, arguments..., status);
    MPI_Request request = MPI_REQUEST_NULL;
    // The closure copies the arguments, so they stay where debuggers find them.
    const int error =
        make_for(call, [=, request = &request] { return Start(arguments..., request); });
    if (error != MPI_SUCCESS || is_refused(request))
        return error;
    const int received = wait_for_message(call, &request, status);
    (show_to_debuggers(arguments), ...);
    return received;
}

/// Lets the library check the arguments of the send, if the program handles errors: before the
/// receive begins, because a receive that has begun could take a message before it is cancelled.
/// `InitSend` makes a persistent request of them. Stores in `refused` whether the call ends here.
template <auto InitSend, class Count>
int check_send(const Call &call, const void *buffer, Count count, MPI_Datatype type, int target,
               int tag, MPI_Comm comm, bool &refused) {
    refused = false;
    if (!errors_expected())
        return MPI_SUCCESS;
    MPI_Request unused = MPI_REQUEST_NULL;
    const int error =
        make_for(call, [&] { return InitSend(buffer, count, type, target, tag, comm, &unused); });
    refused = error != MPI_SUCCESS || is_refused(unused);
    if (!refused)
        PMPI_Request_free(&unused);
    return error;
}

/// Returns the sending half of an exchange.
inline Call sending_half(const Call &call, int target, int tag) {
    Call sending = call;
    sending.peer = target;
    sending.tag = tag;
    sending.sends = true;
    return sending;
}

/// The send is mostly complete when the receive is.
inline int wait_for_sending_half(const Call &call, MPI_Request *send, int target, int tag) {
    return is_complete(*send) ? wait_for_send(call, send)
                              : wait_for_send(sending_half(call, target, tag), send);
}

/// An exchange outside tasks.
template <class Make> int exchange_outside(const Call &call, int target, int tag, Make make) {
    const Call sending = sending_half(call, target, tag);
    return make_outside(call, make, {&sending, 1, 0});
}

/// Both halves of an exchange in a task; the receive's error comes first. The send's arguments are
/// right.
template <auto Receive, auto Send, class Count>
int exchange_halves(const Call &call, const void *send_buffer, Count send_count,
                    MPI_Datatype send_type, int target, int send_tag, void *buffer, Count count,
                    MPI_Datatype type, int source, int tag, MPI_Comm comm, MPI_Status *status) {
    MPI_Request receive = MPI_REQUEST_NULL;
    MPI_Request send = MPI_REQUEST_NULL;
    int error = MPI_SUCCESS;
    error =
        make_for(call, [&] { return Receive(buffer, count, type, source, tag, comm, &receive); });
    if (error != MPI_SUCCESS || is_refused(receive))
        return error;
    if (is_worth_sending(comm)) {
        error = make_for(call, [&] {
            return Send(send_buffer, send_count, send_type, target, send_tag, comm, &send);
        });
        if (error != MPI_SUCCESS) {
            next::Cancel(&receive);
            next::Request_free(&receive);
            return error;
        }
        count_send(comm, target);
    }
    const int received = wait_for_message(call, &receive, status);
    const int sent = wait_for_sending_half(call, &send, target, send_tag);
    return received != MPI_SUCCESS ? received : sent;
}

template <auto Blocking, auto Receive, auto InitSend, auto Send, class Count>
int exchange(const Call &call, const void *send_buffer, Count send_count, MPI_Datatype send_type,
             int target, int send_tag, void *buffer, Count count, MPI_Datatype type, int source,
             int tag, MPI_Comm comm, MPI_Status *status) {
    if (!in_task())
        return exchange_outside(call, target, send_tag, [&] {
            return Blocking(send_buffer, send_count, send_type, target, send_tag, buffer, count,
                            type, source, tag, comm, status);
        });
    loomp_note_send();
    bool refused = false;
    const int error = check_send<InitSend>(call, send_buffer, send_count, send_type, target,
                                           send_tag, comm, refused);
    return refused ? error
                   : exchange_halves<Receive, Send>(call, send_buffer, send_count, send_type,
                                                    target, send_tag, buffer, count, type, source,
                                                    tag, comm, status);
}

/// Packs `count` elements of a type into new memory; null if that is impossible. The library then
/// makes the call its own way, and reports what is wrong.
template <auto PackSize, auto Pack, class Count>
void *packed_copy(const Call &call, const void *buffer, Count count, MPI_Datatype type,
                  MPI_Comm comm, Count *size) {
    constexpr MPI_Count kMost = std::numeric_limits<Count>::max() / 2; // PackSize returns no more
    MPI_Count element = 0;
    if (count < 0 || type == MPI_DATATYPE_NULL ||
        make_for(
            call, [&] { return PMPI_Type_size_x(type, &element); }) != MPI_SUCCESS ||
        element < 0 || (element > 0 && count > kMost / element) ||
        make_for(call, [&] { return PackSize(count, type, comm, size); }) != MPI_SUCCESS)
        return nullptr;
    // MPICH's MPI_Pack refuses MPI_BOTTOM (4.0).
    if (is_mpich() && buffer == MPI_BOTTOM && *size > 0)
        return nullptr;
    void *packed = std::malloc(static_cast<std::size_t>(*size) + 1);
    Count position = 0;
    if (packed != nullptr && *size > 0 &&
        make_for(call, [&] { return Pack(buffer, count, type, packed, *size, &position, comm); }) !=
            MPI_SUCCESS) {
        std::free(packed);
        return nullptr;
    }
    *size = position;
    return packed;
}

/// The outgoing data is packed first.
template <auto Blocking, auto Receive, auto InitSend, auto Send, auto PackSize, auto Pack,
          class Count>
int exchange_in_place(const Call &call, void *buffer, Count count, MPI_Datatype type, int target,
                      int send_tag, int source, int tag, MPI_Comm comm, MPI_Status *status) {
    if (!in_task())
        return exchange_outside(call, target, send_tag, [&] {
            return Blocking(buffer, count, type, target, send_tag, source, tag, comm, status);
        });
    loomp_note_send();
    bool refused = false;
    int error = check_send<InitSend>(call, buffer, count, type, target, send_tag, comm, refused);
    if (refused)
        return error;
    Count size = 0;
    void *packed = packed_copy<PackSize, Pack>(call, buffer, count, type, comm, &size);
    if (packed == nullptr)
        return elsewhere(call, Waits::for_ranks, [&] {
            return Blocking(buffer, count, type, target, send_tag, source, tag, comm, status);
        });
    error = exchange_halves<Receive, Send>(call, packed, size, MPI_PACKED, target, send_tag, buffer,
                                           count, type, source, tag, comm, status);
    std::free(packed);
    return error;
}

// --- Collectives ---------------------------------------------------------------------------------

/// `start(request)` makes the nonblocking form of a collective.
template <class Start> int start_and_wait(const Call &call, Start start) {
    loomp_note_send(); // others wait for this one
    MPI_Request request = MPI_REQUEST_NULL;
    int error = MPI_SUCCESS;
    {
        CheckedOrder order;
        error = order.check(call, call.comm);
        if (error == MPI_SUCCESS)
            error = make_for(call, [&] { return start(&request); });
    }
    return error != MPI_SUCCESS ? error : wait_for(call, &request, MPI_STATUS_IGNORE);
}

/// Collectives become nonblocking outside tasks, too: MPI does not match a blocking collective of
/// one process with a nonblocking one of another (MPI 3.1, 5.12), and the program decides which
/// processes are in a task when they call. Processes without the layer make blocking ones, and so
/// do the others with them.
template <auto Blocking, auto Start, class... Arguments>
int collective(const Call &call, Arguments... arguments) {
    if (!starts_collectives())
        return Blocking(arguments...);
    bool all = true;
    if (const int error = ask_for_layer(call, call.comm, all); error != MPI_SUCCESS)
        return error;
    if (!all)
        return collective_elsewhere(call, [&] { return Blocking(arguments...); });
    return start_and_wait(call, [&](MPI_Request *request) { return Start(arguments..., request); });
}

} // namespace loomp::mpi
