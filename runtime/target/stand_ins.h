// Stand-ins: threads that make blocking library calls in place of tasks, so that no worker blocks.
// They are created on demand, sleep between calls, and live as long as the process.
//
// Thread safety: everything from any thread.
#pragma once

namespace loomp::target {

/// A call for a stand-in. Its creator owns it until it is given; then the stand-in owns it until
/// `make` returns or gives it away.
struct StandInCall {
    void (*make)(StandInCall &self) = nullptr;
    StandInCall *next = nullptr;
};

/// Lets a stand-in make the call, in order of arrival. Returns false if there is no thread; then
/// the caller must make the call.
bool give_to_stand_in(StandInCall &call);

/// Returns whether the calling thread is a stand-in.
bool is_stand_in();

} // namespace loomp::target
