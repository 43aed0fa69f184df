// Records one MPI call, and finds the next library's function.
//
// The recorder's functions have MPI's names and call the next functions of these names, in
// libloomp-mpi or in the MPI library. A task may be suspended in them and continue on another
// thread, so nothing here keeps a thread's buffer.
#pragma once

#include <cstdint>
#include <dlfcn.h>
#include <mpi.h>

#include "mpi/interface/handle.h"
#include "profiler/format/functions.h"
#include "profiler/recorder/control.h"
#include "profiler/recorder/counters.h"
#include "profiler/recorder/mpi/communicator_numbers.h"
#include "profiler/recorder/recorder.h"

#define LOOMP_EXPORT extern "C" __attribute__((visibility("default")))

/// The function that the program would call without the recorder.
#define LOOMP_NEXT(NAME)                                                                           \
    ([] {                                                                                          \
        static const auto next =                                                                   \
            reinterpret_cast<decltype(&::MPI_##NAME)>(dlsym(RTLD_NEXT, "MPI_" #NAME));             \
        return next;                                                                               \
    }())

namespace loomp::record {

struct Envelope {
    int peer = MPI_ANY_SOURCE;
    int tag = MPI_ANY_TAG;
    MPI_Comm comm = MPI_COMM_NULL;
};

/// The size of `count` elements of a type, which may have 2 GiB and more. An invalid type would end
/// the program, although it may handle the error of its own call: MPI must have accepted the type.
/// It does not look at the type of no elements.
inline std::uint64_t bytes_of(MPI_Count count, MPI_Datatype type) {
    MPI_Count size = 0;
    if (count > 0 && type != MPI_DATATYPE_NULL)
        PMPI_Type_size_x(type, &size);
    return static_cast<std::uint64_t>(count) * static_cast<std::uint64_t>(size);
}

/// The size of what has none, or a size that is not known yet.
struct NoBytes {
    std::uint64_t operator()() const { return 0; }
};

/// A blocking call as a request. It has no name if it is not recorded.
struct Own {
    Handle name = 0;
    Kind kind = Kind::send;
    bool entered = false; ///< its start is recorded
    Envelope envelope;
};

inline int class_of(int error) {
    int kind = error;
    if (error != MPI_SUCCESS)
        PMPI_Error_class(error, &kind);
    return kind;
}
/// A truncated message has been received. Other errors mean that a call had no effect.
inline bool has_effect(int error) {
    const int kind = class_of(error);
    return kind == MPI_SUCCESS || kind == MPI_ERR_TRUNCATE;
}

/// The current task is in an MPI call while this object exists.
class Call {
  public:
    explicit Call(Function function) : Call(function, now()) {}
    /// True if it began some time ago, and nothing has been recorded on this thread since.
    Call(Function function, std::uint64_t begin)
        : wanted_(wanted_now.load(std::memory_order_relaxed)), function_(number(function)),
          begin_(begin) {
        if ((wanted_ & kCalls) == 0)
            return;
        count(begin_);
        buffer().add(Event::enter_call, begin_, 0, 0, function_);
    }
    Call(const Call &) = delete;
    Call &operator=(const Call &) = delete;
    ~Call() {
        if ((wanted_ & kCalls) == 0)
            return;
        const std::uint64_t time = now();
        count(time);
        buffer().add(Event::leave_call, time, 0, 0, function_);
    }

    /// The call has started a request, or made a persistent one. `bytes()` is its size.
    template <class Bytes = NoBytes>
    void started(Handle handle, Kind kind, const Envelope &envelope, const Bytes &bytes = {}) {
        if (messages() && envelope.peer != MPI_PROC_NULL)
            enter(Event::start, handle, kind, 0, envelope, bytes());
    }
    /// Recorded also while the recorder is stopped, because the request may be started later.
    template <class Bytes = NoBytes>
    void initialized(Handle handle, Kind kind, const Envelope &envelope, const Bytes &bytes = {}) {
        if (wanted_ever(kMessages) && envelope.peer != MPI_PROC_NULL)
            enter(Event::initialize, handle, kind, 0, envelope, bytes());
    }
    /// The call has started a request that the recorder names and whose end it does not record.
    template <class Bytes>
    void started_own(Kind kind, const Envelope &envelope, const Bytes &bytes) {
        if (messages() && envelope.peer != MPI_PROC_NULL)
            enter(Event::start, buffer().new_name(), kind, kOwn, envelope, bytes());
    }
    /// A persistent request.
    void started_of(Handle handle) {
        if (messages())
            buffer().add(Event::start_of, now(), handle, handle, 0);
    }
    /// The receive of a message that a probe has matched gets a handle.
    void passed_on(Handle handle, Handle message) {
        if (messages())
            buffer().add(Event::passed_on, now(), handle, message, 0);
    }
    /// Recorded also while the recorder is stopped, because the handle gets another meaning later.
    void freed(Handle handle) {
        if (wanted_ever(kMessages))
            buffer().add(Event::freed, now(), handle, begin_, 0);
    }
    /// The program wants the request to be cancelled.
    void cancel(Handle handle) {
        if (messages())
            buffer().add(Event::cancel, now(), handle, begin_, 0);
    }

    /// A blocking call is a request that it starts and completes. MPI has not seen the arguments
    /// yet, so no function of MPI may be called with them: it could end the program. If the
    /// recorder does not know the communicator, the start is recorded with the end.
    Own begin_own(Kind kind, const Envelope &envelope) {
        if (!messages() || envelope.peer == MPI_PROC_NULL)
            return {};
        Own own{buffer().new_name(), kind, false, envelope};
        if (const std::uint32_t communicator = known_number(envelope.comm); communicator != 0) {
            enter(Event::start, begin_, own.name, kind, kOwn, envelope, communicator, 0);
            own.entered = true;
        }
        return own;
    }
    /// `error` is what the call returns.
    void end_own(const Own &own, int error, const MPI_Status &status) {
        end_own(own, error, [&] { return source_of(status); });
    }
    /// `result()` is the source and tag of a message, or the bytes of a send or a collective. It is
    /// called if MPI has accepted the arguments.
    template <class Result> void end_own(const Own &own, int error, const Result &result) {
        const bool accepted = has_effect(error);
        if (own.name == 0 || (!own.entered && !accepted))
            return;
        if (!own.entered)
            enter(Event::start, own.name, own.kind, kOwn, own.envelope, 0);
        const std::uint64_t found = accepted ? result() : 0;
        buffer().add(Event::finish, now(), own.name, found, accepted ? kOwn : kOwn | kCancelled);
    }

    /// Requests with handles have completed; each has its status.
    void completions() {
        if (messages())
            buffer().add(Event::completions, now(), 0, begin_, 0);
    }
    void completed(Handle handle, const MPI_Status &status, int error) {
        if (!messages() || handle == handle_of(MPI_REQUEST_NULL))
            return;
        int cancelled = has_effect(error) ? 0 : 1;
        if (error == MPI_SUCCESS)
            PMPI_Test_cancelled(&status, &cancelled);
        buffer().add(Event::finish, now(), handle, source_of(status),
                     cancelled != 0 ? kCancelled : 0);
    }

  private:
    void count(std::uint64_t time) const {
        if ((wanted_ & kCpuTime) != 0)
            add_counters(time);
    }
    bool messages() const { return (wanted_ & kMessages) != 0; }
    static std::uint32_t number(Function function) { return static_cast<std::uint32_t>(function); }
    static std::uint64_t source_of(const MPI_Status &status) {
        return pack(static_cast<std::uint32_t>(status.MPI_SOURCE),
                    static_cast<std::uint32_t>(status.MPI_TAG));
    }

    /// MPI has accepted the communicator.
    static void enter(Event event, Handle name, Kind kind, std::uint32_t flags,
                      const Envelope &envelope, std::uint64_t bytes) {
        enter(event, now(), name, kind, flags, envelope, number_of(envelope.comm), bytes);
    }
    static void enter(Event event, std::uint64_t time, Handle name, Kind kind, std::uint32_t flags,
                      const Envelope &envelope, std::uint32_t communicator, std::uint64_t bytes) {
        const std::uint32_t peer =
            envelope.peer == MPI_ANY_SOURCE ? kAny : static_cast<std::uint32_t>(envelope.peer);
        const std::uint32_t tag =
            envelope.tag == MPI_ANY_TAG ? kAny : static_cast<std::uint32_t>(envelope.tag);
        buffer().add(Event::envelope, time, pack(peer, tag), communicator, 0);
        buffer().add(event, time, name, bytes, static_cast<std::uint32_t>(kind) | flags);
    }

    const std::uint32_t wanted_; ///< all records of one call or none
    const std::uint32_t function_;
    const std::uint64_t begin_;
};

} // namespace loomp::record
