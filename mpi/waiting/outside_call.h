// MPI calls in which threads wait outside tasks, for reports of hangs: a thread's call is in a
// table as long as it lasts.
//
// Invariant: a call that a report reads stays. Its thread may return from the library meanwhile,
// but leaves the call only when the report has let go of it. So the call's arguments, its
// communicator and the frames of its callers exist.
//
// Thread safety: everything from any thread.
#pragma once

#include <cstddef>
#include <cstdint>

#include "loomp/experimental.h"
#include "mpi/waiting/call.h"
#include "mpi/waiting/interception.h"
#include "platform/atomic.h"

namespace loomp::mpi {

class WaitingCalls;

/// The calls that a call stands for besides itself: the other half of an exchange; or those that
/// started the first few of the `requests` that it waits for.
struct MoreCalls {
    const Call *calls = nullptr;
    int count = 0;
    int requests = 0;
};

/// A call outside tasks that may wait for other ranks, from here to the object's end.
class OutsideCall {
  public:
    explicit OutsideCall(const Call &call, MoreCalls more = {}) : call_(&call), more_(more) {
        if (!active())
            return;
        loomp_note_code_point(&point_);
        begin();
    }
    ~OutsideCall() {
        if (place_ != nullptr)
            end();
    }
    OutsideCall(const OutsideCall &) = delete;
    OutsideCall &operator=(const OutsideCall &) = delete;

    const Call &call() const { return *call_; }
    const MoreCalls &more() const { return more_; }
    const loomp_code_point_t &point() const { return point_; }

  private:
    void begin();
    void end();

    const Call *call_;
    MoreCalls more_;
    /// Its place in the table; null: it is not there.
    Atomic<std::uintptr_t> *place_ = nullptr;
    loomp_code_point_t point_;
};

/// Returns the result of `make()`, which makes a call outside tasks that may wait.
template <class Make> int make_outside(const Call &call, Make make, MoreCalls more = {}) {
    const OutsideCall outside(call, more);
    return make();
}

/// Holds the calls that are in the table, until its end. One thread at a time has such an object.
class HeldOutsideCalls {
  public:
    /// Adds them to `calls`.
    explicit HeldOutsideCalls(WaitingCalls &calls);
    ~HeldOutsideCalls();
    HeldOutsideCalls(const HeldOutsideCalls &) = delete;
    HeldOutsideCalls &operator=(const HeldOutsideCalls &) = delete;
};

} // namespace loomp::mpi
