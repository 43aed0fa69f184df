// Reports hangs: what a program waits for that seems to hang (runtime/core/progress/hang.h).
//
// A thread begins with the first suspicion, or with an observer. Between suspicions it sleeps. If
// there is an observer, it wakes up about once a second and looks at threads that wait outside
// tasks. While a suspicion lasts, it
//    - warns once, if the program awaits what only the program can bring, and nothing is pending
//      that could bring it;
//    - answers `loomp stuck -p PID` (platform/node_names.h);
//    - answers SIGQUIT, SIGTERM and SIGINT if their disposition is the default one: it prints what
//      the program waits for, and then lets the default action follow.
// Without a suspicion, the process has no handler and no socket of these.
//
// Thread safety: everything from any thread.
#pragma once

#include <cstddef>

namespace loomp::core {

struct Poller;

/// The functions of a library that knows more: of the other processes of a job. All are called with
/// the poller's data, by one thread at a time, between begin() and end() of a suspicion.
struct HangObserver {
    /// Called in place of the poller's function.
    void (*begin)(void *data);
    /// Called about ten times a second. `seconds`: how long all threads have been idle.
    /// `others_pend`: operations of other pollers are pending.
    void (*look)(void *data, double seconds, int others_pend);
    void (*end)(void *data);
    /// Stores the report. Returns its length; -1: it is not there yet. `is_late`: it must not wait
    /// any longer. `for_signal`: 0 is right if another process prints the report.
    long (*describe)(void *data, char *text, std::size_t size, int is_late, int for_signal);
};

/// The one observer. Its poller is registered, until forget_observer_of().
void observe_hangs(Poller &poller, const HangObserver &observer);
void forget_observer_of(Poller &poller);

/// Lets a suspicion start the thread, or wake it. Called once, at start.
void watch_for_hangs();

} // namespace loomp::core
