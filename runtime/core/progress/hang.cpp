#include "runtime/core/progress/hang.h"

#include <algorithm>
#include <unistd.h>

#include "platform/clock.h"
#include "platform/locks_at_fork.h"
#include "platform/threads.h"
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
        // Both only grow. If two sums are equal, none has changed from the first reads of the
        // second word to the second reads of the first word.
        const Worker &worker = Worker::at(i);
        const std::uint32_t rest = worker.rest.seen();
        const std::uint32_t outside = worker.outside_wait;
        if (((rest | outside) & 1) == 0)
            return 0;
        sum += rest;
        sum += outside;
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

void begin_outside_wait() {
    // The first thread is there before it meets OpenMP.
    Worker *worker = Worker::current_or_null();
    if (worker == nullptr && this_thread_number() == getpid())
        worker = Worker::current();
    if (worker != nullptr)
        worker->outside_wait = worker->outside_wait | 1;
}

void end_outside_wait() {
    // A call within the call, by a function of the program, has ended the wait already.
    Worker *const worker = Worker::current_or_null();
    if (worker != nullptr && (worker->outside_wait & 1) != 0)
        worker->outside_wait = worker->outside_wait + 1;
}

void rest_as_own_thread() {
    if (Worker *const worker = Worker::current_or_null())
        worker->rest.begin();
}

std::int64_t look_if_waiting_outside(std::int64_t now) {
    constexpr std::int64_t kLongest = 1'000'000'000;
    for (unsigned i = 0; i < worker_count(); ++i)
        if ((Worker::at(i).outside_wait & 1) != 0) {
            look_for_hang(now);
            break;
        }
    return now + std::min(kLongest, patience() / 2);
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
