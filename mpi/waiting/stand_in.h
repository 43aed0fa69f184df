// Calls that wait for others and have no nonblocking form that does the same (making communicators,
// windows and files; input and output): made for the task by a thread of the layer, a stand-in,
// while the task is suspended. The call is the library's own, with its algorithms, its matching of
// the ranks' calls and its error handlers, which run in the stand-in.
//
// A stand-in waits as the library waits, which mostly spins. Stand-ins are made when they are
// needed, asleep between calls, and joined before MPI_Finalize.
//
// Thread safety: everything from any thread.
#pragma once

#include "loomp/loomp.h"
#include "mpi/waiting/interception.h"
#include "mpi/waiting/suspended_call.h"

namespace loomp::mpi {

class WaitingCalls;

/// Whether a call can be kept waiting by other ranks. Such calls never wait for one another to get
/// a thread, or a valid program could hang; of the others a few are made at a time.
enum class Waits : bool { for_device, for_ranks };

/// A call that a task waits for.
struct StandInCall : SuspendedCall {
    int (*make)(StandInCall &self) = nullptr;
    Waits waits = Waits::for_ranks;
    int result = MPI_SUCCESS;
    StandInCall *next = nullptr;
};

/// Suspends the calling task until the call has been made.
void make_by_stand_in(StandInCall &call);
/// For the poller: how many calls have been made since it last asked.
int take_finished_calls();
/// Adds the calls that they make or are to make, and prints `calls`.
void print_with_stand_ins(WaitingCalls &calls, double seconds_idle);
/// Joins all of them. No call is being made.
void end_stand_ins();

/// Where calls pass the gate, one that waits inside keeps all others out, also those that other
/// ranks need before they come to it: so it waits outside, until all ranks of `members` have come.
/// They make the same calls on a communicator in the same order, these included.
int wait_for_members(const Call &call, MPI_Comm members);

/// `make()`, which makes the call and returns an MPI error code: by a stand-in if the calling
/// thread runs a task. `members`: the communicator whose ranks all make it, where it names one.
template <class Make>
int elsewhere(const Call &call, Waits waits, Make make, MPI_Comm members = MPI_COMM_NULL) {
    if (!in_task())
        return make();
    if (is_gated() && members != MPI_COMM_NULL)
        if (const int error = wait_for_members(call, members); error != MPI_SUCCESS)
            return error;
    struct Made : StandInCall {
        explicit Made(Make &m) : code(m) {}
        Make &code;
    } made(make);
    made.call = call;
    made.waits = waits;
    made.make = [](StandInCall &self) { return static_cast<Made &>(self).code(); };
    make_by_stand_in(made);
    return made.result;
}

} // namespace loomp::mpi
