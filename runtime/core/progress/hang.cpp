#include "runtime/core/progress/hang.h"

#include <algorithm>

#include "platform/clock.h"
#include "platform/locks_at_fork.h"
#include "runtime/core/environment/waiting_settings.h"
#include "runtime/core/progress/poller.h"

namespace loomp::core {

Relaxed<std::int64_t> unsettled_events = 0;

namespace {

constexpr std::int64_t kSuspectAfter = 3'000'000'000;
constexpr int kLooks = 8; ///< in that time

Atomic<bool> looking{false}; ///< held by the thread that looks; guards the next three
std::uint64_t rest_seen = 0;
std::int64_t awaited_seen = 0;
std::int64_t unchanged_since = 0;

Atomic<std::int64_t> next_look{0}; ///< nanoseconds of the monotonic clock
/// rest_of_all() of the suspicion; 0: nothing is suspected.
Atomic<std::uint64_t> suspected_rest{0};
Atomic<std::int64_t> idle_since{0};
Atomic<SuspicionFn> when_suspected{nullptr};

/// How long all threads must have been idle; 0: nobody wants to know.
std::int64_t patience() { return std::min(kSuspectAfter, waiting_settings().stuck_after / 2); }

std::int64_t awaited() {
    return progress::pending.load(std::memory_order_relaxed) + unsettled_events;
}

} // namespace

std::uint64_t rest_of_all() {
    std::uint64_t sum = 0;
    for (unsigned i = 0; i < worker_count(); ++i) {
        const std::uint32_t seen = Worker::at(i).rest.seen();
        if ((seen & 1) == 0)
            return 0;
        sum += seen;
    }
    return sum;
}

void look_for_hang(std::int64_t now) {
    // relaxed: a thread that looks early changes nothing.
    if (now < next_look.load(std::memory_order_relaxed) || waiting_settings().stuck_after == 0 ||
        suspected_rest.load(std::memory_order_relaxed) != 0 ||
        // acquire: the last holder's writes.
        looking.exchange(true, std::memory_order_acquire))
        return;
    next_look.store(now + patience() / kLooks, std::memory_order_relaxed);
    const std::uint64_t rest = rest_of_all();
    const std::int64_t count = awaited();
    bool suspects = false;
    if (rest == 0 || rest != rest_seen || count != awaited_seen) {
        rest_seen = rest;
        awaited_seen = count;
        unchanged_since = now;
    } else if (now - unchanged_since >= patience()) {
        idle_since.store(unchanged_since, std::memory_order_relaxed);
        // release: with it, the time. One thread at a time is here, so one suspects.
        suspects = suspected_rest.exchange(rest, std::memory_order_release) == 0;
    }
    looking.store(false, std::memory_order_release);
    // relaxed: it is set before threads are idle.
    if (const SuspicionFn function = when_suspected.load(std::memory_order_relaxed);
        suspects && function != nullptr)
        function();
}

std::int64_t sleep_until_look(std::int64_t until) {
    if (waiting_settings().stuck_after == 0)
        return until;
    const std::int64_t now = nanoseconds();
    look_for_hang(now);
    const std::int64_t next = now + patience() / kLooks;
    return until == 0 ? next : std::min(until, next);
}

std::int64_t idle_since_suspicion() {
    // acquire: pairs with look_for_hang().
    const std::uint64_t rest = suspected_rest.load(std::memory_order_acquire);
    if (rest == 0)
        return 0;
    if (rest_of_all() == rest)
        return nanoseconds() - idle_since.load(std::memory_order_relaxed);
    suspected_rest.store(0, std::memory_order_relaxed);
    return 0;
}

void when_hang_is_suspected(SuspicionFn function) {
    when_suspected.store(function, std::memory_order_relaxed);
}

namespace {

/// The child of fork() has none of the threads that waited.
const LocksAtFork at_fork([] {
    looking.store(false, std::memory_order_relaxed);
    suspected_rest.store(0, std::memory_order_relaxed);
});

} // namespace

} // namespace loomp::core
