// Pollers: functions that advance something asynchronous (MPI requests, device events, a user's
// own) and that the runtime calls. A task that waits for something announces it with expect(),
// which counts it as pending; the poller's function returns how many pending things have happened.
//
// Weak progress: workers poll between tasks, and when they have none; one thread at a time for each
// poller. Strong progress: when nobody has polled for LOOMP_PROGRESS_BOUND, a helper thread polls.
//
// Invariant: while anything is pending, somebody polls within a bound. A worker sleeps without a
// time limit only if no poller is registered, or if the helper exists; the helper sleeps without
// one only while nothing is pending, and it and expect() cannot miss each other
// (tests/model/progress).
//
// A program is stuck when for LOOMP_REPORT_STUCK_AFTER all threads have been idle and no poll has
// found anything: a poller with something pending may then tell what.
//
// Pollers' memory is never given back: whoever polls may look at one that has just been
// unregistered. Thread safety: everything from any thread.
#pragma once

#include <cstdint>

#include "platform/atomic.h"
#include "platform/common.h"

namespace loomp::core {

class Worker;

using PollFn = int (*)(void *data);
/// The program has been stuck for so many seconds.
using StuckFn = void (*)(void *data, double seconds);

struct PollerStats {
    std::uint64_t polls = 0;
    std::uint64_t helper_polls = 0; ///< those of them that the helper did
    std::uint64_t hits = 0;         ///< polls that found something
    std::uint64_t completions = 0;  ///< what they found
    std::int64_t worst_gap = 0;     ///< nanoseconds between polls with something pending
};

struct alignas(kFalseSharing) Poller {
    /// Held while the function runs, and to change any field that is not atomic.
    Atomic<bool> busy{false};
    PollFn poll = nullptr; ///< null: not in use
    void *data = nullptr;
    char name[24] = {};
    PollerStats stats;
    StuckFn when_stuck = nullptr; ///< called once
    /// What was last seen to change of the threads' rest and of `pending`, and when.
    std::uint64_t rest_seen = 0;
    std::int64_t pending_seen = 0;
    std::int64_t unchanged_since = 0;
    std::int64_t next_look = 0; ///< whether the program is stuck; nanoseconds
    /// May be negative for a moment: found by a poll before it was announced.
    Atomic<std::int64_t> pending{0};
    Atomic<std::int64_t> last_poll{0}; ///< nanoseconds, or when it became pending if later
    Atomic<std::int64_t> interval{0};  ///< between tasks, not sooner than this after last_poll
};

/// Null, after one line on stderr, when there are too many.
Poller *register_poller(const char *name, PollFn poll, void *data);
/// The runtime's own, for devices, which is always to be had. Used from now on, if it was not.
Poller &device_poller(PollFn poll);
/// Returns when the function is not running and will not be called again. What was pending is
/// forgotten. Not from within a poll.
void unregister_poller(Poller &poller);
/// While the program is stuck `told` is called, once, in place of the poller's function.
void when_stuck(Poller &poller, StuckFn report);
/// `count` more things are pending. Announced before a poll can find them.
void expect(Poller &poller, int count);
PollerStats stats_of(Poller &poller);

namespace progress {
/// Sum over all pollers; changed under no lock.
LOOMP_HIDDEN extern Atomic<std::int64_t> pending;
LOOMP_HIDDEN extern Atomic<int> registered;
} // namespace progress

LOOMP_INLINE bool pollers_registered() {
    return progress::registered.load(std::memory_order_relaxed) != 0;
}
LOOMP_INLINE bool anything_pending() {
    return progress::pending.load(std::memory_order_relaxed) != 0;
}

/// For a worker between two tasks: polls, unless that was done very recently.
LOOMP_COLD void poll_between_tasks();
/// Whether all threads have nothing to do, as far as can be seen without stopping them.
bool all_threads_rest();
/// Has all pollers with something pending that can do so tell what; `seconds`: for how long nothing
/// has happened.
void tell_what_is_pending(double seconds);
/// Whether the calling thread is within a poller's function: it must not wait for anything.
bool is_polling();
/// The same, and nobody else had done so for LOOMP_PROGRESS_BOUND: the thread is the helper.
bool helper_polls();

/// An idle worker's way to poll. One idle worker of the process at a time does it; the others sleep
/// as if there were no pollers. Owner: the worker's stack, no longer than its idling lasts.
class IdlePolling {
  public:
    explicit IdlePolling(Worker &worker) : worker_(worker) {}
    ~IdlePolling() {
        if (rests_)
            end();
    }
    IdlePolling(const IdlePolling &) = delete;
    IdlePolling &operator=(const IdlePolling &) = delete;

    /// Polls if anything is pending and nobody else is at it. Returns the nanoseconds since it did
    /// so before, 0 the first time after a sleep.
    std::int64_t poll();
    /// When a sleep that begins now must end (nanoseconds of the monotonic clock); 0: never.
    std::int64_t sleep_until();

    /// The worker has nothing to do, until the end of this object.
    void rest();

  private:
    void end();

    Worker &worker_;
    bool rests_ = false;
    bool mine_ = false;      ///< then it rests
    std::int64_t sleep_ = 0; ///< the last sleep's length; they double
    std::int64_t last_ = 0;  ///< when it polled, since it slept; nanoseconds
};

/// The statistics of the pollers that were ever used, for `index` from 0 on until it returns false.
bool used_poller(int index, const char *&name, PollerStats &stats);

} // namespace loomp::core
