// Some calls wait for others and have no equivalent nonblocking form (making communicators, windows
// and files; epochs of windows; input and output). A thread of the layer, a stand-in, makes such a
// call for the task, which is suspended meanwhile. The call is the library's own, with its
// algorithms and its matching of the ranks' calls. Its error handlers run in the stand-in.
//
// A stand-in waits in the library, which mostly spins. Stand-ins are created on demand, sleep
// between calls, and are joined before MPI_Finalize.
//
// Thread safety: everything from any thread.
#pragma once

#include <cstdint>
#include <mutex>
#include <utility>

#include "loomp/loomp.h"
#include "mpi/waiting/collective_order.h"
#include "mpi/waiting/interception.h"
#include "mpi/waiting/outside_call.h"
#include "mpi/waiting/peers_with_layer.h"
#include "mpi/waiting/suspended_call.h"
#include "platform/system_mutex.h"

namespace loomp::mpi {

class WaitingCalls;

/// The reason why a call may wait. Calls that wait for ranks never wait for each other's stand-in,
/// because a valid program could then hang. Calls for a device share a few stand-ins. A call that
/// waits for other jobs may make a communicator with their processes.
enum class Waits : std::uint8_t { for_device, for_ranks, for_other_jobs };

/// A call that a task waits for.
struct StandInCall : SuspendedCall {
    int (*make)(StandInCall &self) = nullptr;
    Waits waits = Waits::for_ranks;
    int result = MPI_SUCCESS;
    StandInCall *next = nullptr;
    /// Calls with the same communicator here are made one at a time, in the order of their
    /// beginning.
    MPI_Comm in_turn = MPI_COMM_NULL;
    StandInCall *after_this = nullptr;  ///< the next call of this communicator
    bool by_task = false;               ///< the resumed task must make the call itself
    StandInCall *other_turns = nullptr; ///< the last call of another communicator
};

/// Suspends the calling task until the call has been made.
void make_by_stand_in(StandInCall &call);
/// For the poller: the count of calls finished since its last query.
int take_finished_calls();
using StandInLocks = std::pair<std::unique_lock<SystemMutex>, std::unique_lock<SystemMutex>>;
/// Adds the calls of the stand-ins. They stay while the caller has the locks.
StandInLocks list_stand_ins(WaitingCalls &calls);
/// Joins all stand-ins. No call may be in progress.
void end_stand_ins();

/// If calls pass the gate, a call that waits inside blocks all others, including those that other
/// ranks need first. Therefore it waits outside until all ranks of `members` have arrived, unless
/// some of them have no tasks, because those do not take part. All ranks make equal sequences of
/// calls on a communicator, including these. Returns the library's error, if `members` is no
/// communicator.
int wait_for_members(const Call &call, MPI_Comm members);

/// The call, for reports, with the communicator of all calling ranks if it names one.
inline Call of_members(const Call &call, MPI_Comm members) {
    Call named = call;
    named.comm = call.comm == MPI_COMM_NULL ? members : call.comm;
    return named;
}

/// Runs `make()`, which makes the call and returns an MPI error code, in a stand-in if in_task().
/// `members` is the communicator of all calling ranks, if the call names one.
template <class Make>
int elsewhere(const Call &call, Waits waits, Make make, MPI_Comm members = MPI_COMM_NULL) {
    if (waits == Waits::for_other_jobs)
        expect_other_jobs();
    if (is_inside_tool())
        return make();
    CheckedOrder order; // until the call ends: a stand-in begins it at any time
    if (const int error = order.check(call, members); error != MPI_SUCCESS)
        return error;
    if (!in_task())
        return waits == Waits::for_ranks ? make_outside(of_members(call, members), make) : make();
    if (is_gated() && members != MPI_COMM_NULL)
        if (const int error = wait_for_members(call, members); error != MPI_SUCCESS)
            return error;
    struct Made : StandInCall {
        Made(Make &m, CheckedOrder &o) : code(m), order(o) {}
        Make &code;
        CheckedOrder &order;
    } made(make, order);
    made.call = of_members(call, members);
    made.waits = waits;
    made.make = [](StandInCall &self) {
        auto &own = static_cast<Made &>(self);
        const int error = own.code();
        own.order.end(); // the task may continue much later
        return error;
    };
    make_by_stand_in(made);
    return made.result;
}

/// Runs `make()`, which makes a blocking collective of call.comm, like elsewhere(). A thread of the
/// program makes its collectives one after the other, so the stand-ins do that, too.
template <class Make> int collective_elsewhere(const Call &call, Make make) {
    if (!in_task())
        return make_outside(call, make);
    struct Made : StandInCall {
        explicit Made(Make &m) : code(m) {}
        Make &code;
    } made(make);
    made.call = call;
    made.in_turn = call.comm;
    made.make = [](StandInCall &self) { return static_cast<Made &>(self).code(); };
    make_by_stand_in(made);
    return made.result;
}

} // namespace loomp::mpi
