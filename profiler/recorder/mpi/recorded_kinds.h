// Each template here records one kind of MPI call. The generated functions of MPI forward to them.
//
// `next` is the function that the program would have called; the arguments are the program's.
#pragma once

#include "profiler/recorder/mpi/collective_sizes.h"
#include "profiler/recorder/mpi/recorded_call.h"

namespace loomp::record {

/// A call sends this. Its size is asked for when MPI has accepted it.
struct Contents {
    MPI_Count count = 0;
    MPI_Datatype type = MPI_DATATYPE_NULL;
    std::uint64_t operator()() const { return bytes_of(count, type); }
};

/// A nonblocking call, which starts a request. `bytes` computes its size.
template <class Next, class Bytes, class... Arguments>
int start(Function function, Next next, Kind kind, const Envelope &envelope, const Bytes &bytes,
          MPI_Request *request, Arguments... arguments) {
    Call call(function);
    const int error = next(arguments..., request);
    if (error == MPI_SUCCESS)
        call.started(handle_of(*request), kind, envelope, bytes);
    return error;
}

/// A persistent form, which makes a request that can be started.
template <class Next, class Bytes, class... Arguments>
int initialize(Function function, Next next, Kind kind, const Envelope &envelope,
               const Bytes &bytes, MPI_Request *request, Arguments... arguments) {
    Call call(function);
    const int error = next(arguments..., request);
    if (error == MPI_SUCCESS)
        call.initialized(handle_of(*request), kind, envelope, bytes);
    return error;
}

template <class Next, class... Arguments>
int send(Function function, Next next, Kind kind, const Envelope &envelope,
         const Contents &contents, Arguments... arguments) {
    Call call(function);
    const Own own = call.begin_own(kind, envelope);
    const int error = next(arguments...);
    call.end_own(own, error, contents);
    return error;
}

template <class Next, class Bytes, class... Arguments>
int collective(Function function, Next next, MPI_Comm comm, const Bytes &bytes,
               Arguments... arguments) {
    Call call(function);
    const Own own = call.begin_own(Kind::collective, {.comm = comm});
    const int error = next(arguments...);
    call.end_own(own, error, bytes);
    return error;
}

/// The library always gets a status: the recorder needs the message's source and tag.
class WantedStatus {
  public:
    explicit WantedStatus(MPI_Status *status)
        : status_(status == MPI_STATUS_IGNORE ? &own_ : status) {}
    WantedStatus(const WantedStatus &) = delete;
    WantedStatus &operator=(const WantedStatus &) = delete;
    MPI_Status *get() { return status_; }

  private:
    MPI_Status own_;
    MPI_Status *status_;
};

template <class Next, class... Arguments>
int receive(Function function, Next next, const Envelope &envelope, MPI_Status *status,
            Arguments... arguments) {
    Call call(function);
    WantedStatus wanted(status);
    const Own own = call.begin_own(Kind::receive, envelope);
    const int error = next(arguments..., wanted.get());
    call.end_own(own, error, *wanted.get());
    return error;
}

template <class Next, class Count>
int matched_receive(Function function, Next next, void *buffer, Count count, MPI_Datatype type,
                    MPI_Message *message, MPI_Status *status) {
    Call call(function);
    WantedStatus wanted(status);
    const Handle matched = handle_of(*message);
    const int error = next(buffer, count, type, message, wanted.get());
    call.completions();
    call.completed(matched, *wanted.get(), error);
    return error;
}

template <class Next, class Count>
int start_matched_receive(Function function, Next next, void *buffer, Count count,
                          MPI_Datatype type, MPI_Message *message, MPI_Request *request) {
    Call call(function);
    const Handle matched = handle_of(*message);
    const int error = next(buffer, count, type, message, request);
    if (error == MPI_SUCCESS)
        call.passed_on(handle_of(*request), matched);
    return error;
}

/// Both halves of an exchange, with the arguments that come before the status.
template <class Next, class... Arguments>
int exchange_halves(Function function, Next next, const Envelope &sending, const Contents &contents,
                    const Envelope &receiving, MPI_Status *status, Arguments... arguments) {
    Call call(function);
    WantedStatus wanted(status);
    const Own send = call.begin_own(Kind::send, sending);
    const Own receive = call.begin_own(Kind::receive, receiving);
    const int error = next(arguments..., wanted.get());
    call.end_own(send, error, contents);
    call.end_own(receive, error, *wanted.get());
    return error;
}

/// An exchange whose request stands for both halves. It completes with the receive.
template <class Next, class... Arguments>
int start_exchange(Function function, Next next, const Envelope &sending, const Contents &contents,
                   const Envelope &receiving, MPI_Request *request, Arguments... arguments) {
    Call call(function);
    const int error = next(arguments..., request);
    if (error == MPI_SUCCESS) {
        call.started_own(Kind::send, sending, contents);
        call.started(handle_of(*request), Kind::receive, receiving);
    }
    return error;
}

/// A call that makes a communicator, which gets its number here.
template <class Next, class... Arguments>
int make_communicator(Function function, Next next, MPI_Comm *made, Arguments... arguments) {
    const Call call(function);
    const int error = next(arguments..., made);
    if (error == MPI_SUCCESS)
        number_of(*made);
    return error;
}

} // namespace loomp::record
