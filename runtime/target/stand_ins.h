// Threads that make calls in place of tasks: calls which a library holds up, and which are not to
// hold up a worker. They are made when they are needed, sleep between calls, and last as long as
// the process.
//
// Thread safety: everything from any thread.
#pragma once

namespace loomp::target {

/// A call to be made. Its owner's until it is given, then the stand-in's until `make` returns or
/// gives it away.
struct StandInCall {
    void (*make)(StandInCall &self) = nullptr;
    StandInCall *next = nullptr;
};

/// Has a call made by a stand-in, in the order in which they come. False: there is no thread to be
/// had, and the caller has to make it.
bool give_to_stand_in(StandInCall &call);

/// Whether the calling thread is one.
bool is_stand_in();

} // namespace loomp::target
