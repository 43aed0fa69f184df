// Pollers: functions that advance asynchronous work (MPI requests, device events, a user's own).
// The runtime calls them. A waiting task announces an operation with expect(), which counts it as
// pending. The poller's function returns how many pending operations have completed.
//
// Weak progress: workers poll between tasks and when idle; one thread at a time runs each poller.
// Strong progress: a helper thread polls if no thread has polled for LOOMP_PROGRESS_BOUND.
//
// Invariant: while an operation is pending, some thread polls within a bound. A worker sleeps
// without a time limit only if no poller is registered, or if the helper exists. The helper sleeps
// without a limit only while nothing is pending; it and expect() cannot miss each other
// (tests/model/progress).
//
// A program is stuck if for LOOMP_REPORT_STUCK_AFTER all threads were idle and no poll found
// anything. A poller with pending operations may then report them.
//
// A poller's memory is never freed, because a polling thread may read one that has just been
// unregistered. Thread safety: everything from any thread.
#pragma once

#include <cstdint>

#include "platform/atomic.h"
#include "platform/common.h"

namespace loomp::core {

class Worker;

using PollFn = int (*)(void *data);
/// Called when the program has been stuck for that many seconds.
using StuckFn = void (*)(void *data, double seconds);

struct PollerStats {
    std::uint64_t polls = 0;
    std::uint64_t helper_polls = 0; ///< the helper's share of the polls
    std::uint64_t hits = 0;         ///< polls with a result
    std::uint64_t completions = 0;  ///< sum of their results
    std::int64_t worst_gap = 0;     ///< nanoseconds between polls while something was pending
};

struct alignas(kFalseSharing) Poller {
    /// Held while the function runs, and to change any field that is not atomic.
    Atomic<bool> busy{false};
    /// call_in_place() waits for `busy`: no other poll begins. A poll may take long on a busy
    /// machine, and another one would follow at once.
    Atomic<bool> wanted{false};
    PollFn poll = nullptr; ///< null: not in use
    void *data = nullptr;
    char name[24] = {};
    PollerStats stats;
    StuckFn when_stuck = nullptr; ///< called once
    bool is_observed = false;     ///< hangs are reported in another way (observe_hang_of())
    /// The last observed change of the threads' rest and of `pending`, and its time.
    std::uint64_t rest_seen = 0;
    std::int64_t pending_seen = 0;
    std::int64_t unchanged_since = 0;
    std::int64_t next_look = 0; ///< nanoseconds; when to check again whether the program is stuck
    /// May be negative for a moment: a poll found an operation before its announcement.
    Atomic<std::int64_t> pending{0};
    Atomic<std::int64_t> last_poll{0}; ///< nanoseconds; the start of pending if that was later
    Atomic<std::int64_t> interval{0};  ///< minimal time from last_poll to a poll between tasks
};

/// Returns null, after one line on stderr, if there are too many.
Poller *register_poller(const char *name, PollFn poll, void *data);
/// Returns the runtime's own poller, for devices, which is always available. Starts its use if
/// necessary.
Poller &device_poller(PollFn poll);
/// Returns when the function is not running and will not be called again. Drops the pending
/// operations. It must not be called within a poll.
void unregister_poller(Poller &poller);
/// While the program is stuck `report` is called, once, in place of the poller's function.
void when_stuck(Poller &poller, StuckFn report);
/// `count` more things are pending. Announced before a poll can find them.
void expect(Poller &poller, int count);
PollerStats stats_of(Poller &poller);

namespace progress {
/// The sum over all pollers; changed without a lock.
LOOMP_HIDDEN extern Atomic<std::int64_t> pending;
LOOMP_HIDDEN extern Atomic<int> registered;
} // namespace progress

LOOMP_INLINE bool pollers_registered() {
    return progress::registered.load(std::memory_order_relaxed) != 0;
}
LOOMP_INLINE bool anything_pending() {
    return progress::pending.load(std::memory_order_relaxed) != 0;
}

/// Called by a worker between two tasks: polls, unless a poll was very recent.
LOOMP_COLD void poll_between_tasks();
/// Returns whether all threads rest, as far as visible without stopping them.
bool all_threads_rest();
/// Lets all pollers with pending operations report them, if they can. `seconds`: how long nothing
/// has happened.
void tell_what_is_pending(double seconds);
/// The poller's report is only for tasks that get no stacks from now on.
void observe_hang_of(Poller &poller);
/// Calls function(data) in place of the poller's function, with its data. False: a poll lasts for
/// too long, or the poller is not in use.
bool call_in_place(Poller &poller, void (*function)(void *data));
/// Returns whether the calling thread is within a poller's function: it must not wait.
bool is_polling();
/// Returns whether the calling thread is the helper within a poll: no other thread had polled for
/// LOOMP_PROGRESS_BOUND.
bool helper_polls();

/// Polling by an idle worker. One idle worker of the process polls at a time; the others sleep as
/// if there were no pollers. Owner: the worker's stack, at most while the worker is idle.
class IdlePolling {
  public:
    explicit IdlePolling(Worker &worker) : worker_(worker) {}
    ~IdlePolling() {
        if (rests_)
            end();
    }
    IdlePolling(const IdlePolling &) = delete;
    IdlePolling &operator=(const IdlePolling &) = delete;

    /// Polls if anything is pending and no other idle worker polls. Returns the nanoseconds since
    /// its previous poll, 0 for the first poll after a sleep.
    std::int64_t poll();
    /// Returns when a sleep that begins now must end (nanoseconds of the monotonic clock); 0: no
    /// limit.
    std::int64_t sleep_until();

    /// Marks the worker as resting until the end of this object.
    void rest();

  private:
    void end();

    Worker &worker_;
    bool rests_ = false;
    bool mine_ = false;      ///< the worker rests
    std::int64_t sleep_ = 0; ///< the length of the last sleep; sleeps double
    std::int64_t last_ = 0;  ///< nanoseconds; its last poll since it slept
};

/// Returns the statistics of pollers that were ever used, for `index` from 0 on; false at the end.
bool used_poller(int index, const char *&name, PollerStats &stats);

} // namespace loomp::core
