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

/// The size of `count` elements of a type, which may have 2 GiB and more.
inline std::uint64_t bytes_of(MPI_Count count, MPI_Datatype type) {
    MPI_Count size = 0;
    if (type != MPI_DATATYPE_NULL)
        PMPI_Type_size_x(type, &size);
    return static_cast<std::uint64_t>(count) * static_cast<std::uint64_t>(size);
}

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

    /// The call has started a request, or made a persistent one.
    void started(Handle handle, Kind kind, const Envelope &envelope, std::uint64_t bytes = 0) {
        if (messages())
            enter(Event::start, now(), handle, kind, 0, envelope, bytes);
    }
    /// Recorded also while the recorder is stopped, because the request may be started later.
    void initialized(Handle handle, Kind kind, const Envelope &envelope, std::uint64_t bytes = 0) {
        if (wanted_ever(kMessages))
            enter(Event::initialize, now(), handle, kind, 0, envelope, bytes);
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

    /// A blocking call is a request that it starts and completes. Returns its name, 0 if it is not
    /// recorded.
    Handle begin_own(Kind kind, const Envelope &envelope, std::uint64_t bytes = 0) {
        if (!messages())
            return 0;
        const Handle name = buffer().new_name();
        enter(Event::start, begin_, name, kind, kOwn, envelope, bytes);
        return name;
    }
    /// `error` is what the call returns.
    void end_own(Handle name, int error, const MPI_Status &status) {
        end_own(name, error, source_of(status));
    }
    /// `result`: the source and tag of a message, or the bytes of a collective.
    void end_own(Handle name, int error, std::uint64_t result = 0) {
        if (name != 0)
            buffer().add(Event::finish, now(), name, result,
                         has_effect(error) ? kOwn : kOwn | kCancelled);
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

    static void enter(Event event, std::uint64_t time, Handle name, Kind kind, std::uint32_t flags,
                      const Envelope &envelope, std::uint64_t bytes) {
        if (envelope.peer == MPI_PROC_NULL)
            return;
        const std::uint32_t peer =
            envelope.peer == MPI_ANY_SOURCE ? kAny : static_cast<std::uint32_t>(envelope.peer);
        const std::uint32_t tag =
            envelope.tag == MPI_ANY_TAG ? kAny : static_cast<std::uint32_t>(envelope.tag);
        const std::uint32_t communicator = number_of(envelope.comm);
        buffer().add(Event::envelope, time, pack(peer, tag), communicator, 0);
        buffer().add(event, time, name, bytes, static_cast<std::uint32_t>(kind) | flags);
    }

    const std::uint32_t wanted_; ///< all records of one call or none
    const std::uint32_t function_;
    const std::uint64_t begin_;
};

} // namespace loomp::record
