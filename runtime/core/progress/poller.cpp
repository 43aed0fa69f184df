#include "runtime/core/progress/poller.h"

#include <algorithm>
#include <cstring>
#include <new>
#include <utility>

#include "platform/clock.h"
#include "platform/diagnostics.h"
#include "platform/locks_at_fork.h"
#include "platform/spinlock.h"
#include "platform/threads.h"
#include "runtime/core/environment/waiting_settings.h"
#include "runtime/core/progress/hang.h"
#include "runtime/core/progress/outside_waits.h"
#include "runtime/core/progress/progress_helper.h"
#include "runtime/core/worker/worker.h"

namespace loomp::core {

namespace progress {
Atomic<std::int64_t> pending{0};
Atomic<int> registered{0};
} // namespace progress

namespace {

constexpr int kMaxPollers = 16;
/// The runtime's own poller comes first.
Poller pollers[1 + kMaxPollers];
/// Pollers that were ever used come first.
Atomic<int> used{1};
SpinLock registry_lock; ///< guards the choice of an unused one

/// An idle worker of the process has taken over polling.
Atomic<bool> idle_poller{false};

LOOMP_THREAD_LOCAL bool polling = false;
LOOMP_NOINLINE void set_polling(bool on) { polling = on; }
LOOMP_THREAD_LOCAL bool helping = false; ///< with `polling`: for strong progress
LOOMP_NOINLINE void set_helping(bool on) { helping = on; }

constexpr std::int64_t kShortestInterval = 2'000;
constexpr std::int64_t kLongestInterval = 32'000;
/// The first sleep of an idle worker that polls; sleeps double.
constexpr std::int64_t kFirstSleep = 10'000;
constexpr std::int64_t kLongestSleep = 100'000;
/// A sleep is at least this many times as long as a poll. Polls may be slow system calls, and would
/// otherwise keep other threads from the processor.
constexpr std::int64_t kSleepsPerPoll = 16;
/// Without a helper, all idle workers poll this often.
constexpr std::int64_t kSleepWithoutHelper = 1'000'000;

/// Waits for the poller's lock; only for rare operations.
class Hold {
  public:
    explicit Hold(Poller &poller) : poller_(poller) {
        // acquire: sees the previous holder's writes.
        while (poller_.busy.exchange(true, std::memory_order_acquire))
            offer_processor();
    }
    ~Hold() { poller_.busy.store(false, std::memory_order_release); }
    Hold(const Hold &) = delete;
    Hold &operator=(const Hold &) = delete;

  private:
    Poller &poller_;
};

/// Called after polls without a result; checks only some of them.
void look_whether_stuck(Poller &poller, std::int64_t now) {
    const std::int64_t bound = waiting_settings().stuck_after;
    if (bound == 0 || now < poller.next_look)
        return;
    poller.next_look = now + bound / 8;
    const std::uint64_t rest = rest_of_all();
    const std::int64_t pending = poller.pending.load(std::memory_order_relaxed);
    if (rest == 0 || rest != poller.rest_seen || pending != poller.pending_seen) {
        poller.rest_seen = rest;
        poller.pending_seen = pending;
        poller.unchanged_since = now;
        return;
    }
    if (now - poller.unchanged_since < bound)
        return;
    set_polling(true);
    poller.when_stuck(poller.data, static_cast<double>(now - poller.unchanged_since) * 1e-9);
    set_polling(false);
    poller.when_stuck = nullptr;
}

void run(Poller &poller, std::int64_t now, bool by_helper) {
    PollerStats &stats = poller.stats;
    stats.worst_gap =
        std::max(stats.worst_gap, now - poller.last_poll.load(std::memory_order_relaxed));
    set_polling(true);
    set_helping(by_helper);
    const int found = poller.poll(poller.data);
    set_polling(false);
    poller.last_poll.store(now, std::memory_order_relaxed);
    ++stats.polls;
    stats.helper_polls += by_helper ? 1 : 0;
    if (found <= 0) {
        const std::int64_t interval = poller.interval.load(std::memory_order_relaxed);
        poller.interval.store(std::min(2 * interval, kLongestInterval), std::memory_order_relaxed);
        if (poller.when_stuck != nullptr && !poller.is_observed)
            look_whether_stuck(poller, now);
        look_for_hang(now);
        return;
    }
    poller.rest_seen = 0;
    ++stats.hits;
    stats.completions += static_cast<std::uint64_t>(found);
    poller.interval.store(kShortestInterval, std::memory_order_relaxed);
    poller.pending.fetch_sub(found, std::memory_order_relaxed);
    // seq_cst: orders the helper's last look before it sleeps (expect()).
    progress::pending.fetch_sub(found, std::memory_order_seq_cst);
}

/// Returns false if another thread is polling, or if nothing is pending.
bool try_run(Poller &poller, std::int64_t now, bool by_helper) {
    if (poller.pending.load(std::memory_order_relaxed) <= 0 ||
        poller.busy.load(std::memory_order_relaxed) ||
        poller.wanted.load(std::memory_order_relaxed) ||
        poller.busy.exchange(true, std::memory_order_acquire))
        return false;
    // Checks again, because the previous holder may have found everything.
    const bool usable =
        poller.poll != nullptr && poller.pending.load(std::memory_order_relaxed) > 0;
    if (usable)
        run(poller, now, by_helper);
    poller.busy.store(false, std::memory_order_release);
    return usable;
}

} // namespace

std::int64_t poll_those_older_than(std::int64_t age) {
    const std::int64_t now = nanoseconds();
    std::int64_t oldest = now;
    const int count = used.load(std::memory_order_acquire);
    for (int i = 0; i < count; ++i) {
        Poller &poller = pollers[i];
        const std::int64_t last = poller.last_poll.load(std::memory_order_relaxed);
        if (poller.pending.load(std::memory_order_relaxed) <= 0)
            continue;
        if (now - last < age)
            oldest = std::min(oldest, last);
        else
            try_run(poller, now, true); // or another thread is polling right now
    }
    return oldest;
}

namespace {

/// Returns false if the poller is in use or held. A held poller may be running the program's code,
/// and no thread may wait for that under a lock.
bool start_using(Poller &poller, const char *name, PollFn poll, void *data) {
    // acquire: sees the previous holder's writes.
    if (poller.busy.exchange(true, std::memory_order_acquire))
        return false;
    const bool unused = poller.poll == nullptr;
    if (unused) {
        poller.poll = poll;
        poller.data = data;
        std::strncpy(poller.name, name, sizeof(poller.name) - 1);
        poller.stats = {};
        poller.when_stuck = nullptr;
        poller.is_observed = false;
        poller.interval.store(kShortestInterval, std::memory_order_relaxed);
        progress::registered.fetch_add(1, std::memory_order_relaxed);
        expect_outside_waits();
    }
    poller.busy.store(false, std::memory_order_release);
    return unused;
}

} // namespace

Poller &device_poller(PollFn poll) {
    start_using(pollers[0], "devices", poll, nullptr);
    return pollers[0];
}

Poller *register_poller(const char *name, PollFn poll, void *data) {
    const SpinGuard guard(registry_lock);
    for (int i = 1; i <= kMaxPollers; ++i) {
        Poller &poller = pollers[i];
        if (!start_using(poller, name, poll, data))
            continue;
        used.store(std::max(used.load(std::memory_order_relaxed), i + 1),
                   std::memory_order_release);
        return &poller;
    }
    warn("poller \"%s\" is not registered: there are %d already, which is the most there can be",
         name, kMaxPollers);
    return nullptr;
}

void unregister_poller(Poller &poller) {
    const Hold hold(poller);
    if (poller.poll == nullptr)
        return;
    poller.poll = nullptr;
    progress::pending.fetch_sub(poller.pending.exchange(0), std::memory_order_seq_cst);
    progress::registered.fetch_sub(1, std::memory_order_relaxed);
}

void when_stuck(Poller &poller, StuckFn report) {
    const Hold hold(poller);
    poller.when_stuck = report;
}

void expect(Poller &poller, int count) {
    if (poller.pending.fetch_add(count, std::memory_order_relaxed) <= 0)
        poller.last_poll.store(nanoseconds(), std::memory_order_relaxed);
    // seq_cst: raised before the look whether the helper sleeps; the helper says that it sleeps
    // before its last look at this.
    if (progress::pending.fetch_add(count, std::memory_order_seq_cst) <= 0)
        wake_helper();
}

PollerStats stats_of(Poller &poller) {
    const Hold hold(poller);
    return poller.stats;
}

void poll_between_tasks() {
    const std::int64_t now = nanoseconds();
    const int count = used.load(std::memory_order_acquire);
    for (int i = 0; i < count; ++i) {
        Poller &poller = pollers[i];
        if (now - poller.last_poll.load(std::memory_order_relaxed) >=
            poller.interval.load(std::memory_order_relaxed))
            try_run(poller, now, false);
    }
}

bool all_threads_rest() { return rest_of_all() != 0; }

void tell_what_is_pending(double seconds) {
    const int count = used.load(std::memory_order_acquire);
    for (int i = 0; i < count; ++i) {
        Poller &poller = pollers[i];
        const Hold hold(poller);
        if (poller.when_stuck == nullptr || poller.pending.load(std::memory_order_relaxed) <= 0)
            continue;
        set_polling(true);
        poller.when_stuck(poller.data, seconds);
        set_polling(false);
    }
}

void observe_hang_of(Poller &poller) {
    const Hold hold(poller);
    poller.is_observed = true;
}

bool call_in_place(Poller &poller, void (*function)(void *data)) {
    // A poll that waits within a library holds the poller for ever.
    constexpr int kTries = 1000;
    constexpr std::int64_t kBetween = 1'000'000;
    // relaxed: a thread that does not see it yet polls once more.
    poller.wanted.store(true, std::memory_order_relaxed);
    bool holds = false;
    for (int tries = 0; !holds && tries < kTries; ++tries) {
        if (tries > 0)
            pause_for(kBetween);
        holds = !poller.busy.exchange(true, std::memory_order_acquire);
    }
    poller.wanted.store(false, std::memory_order_relaxed);
    if (!holds)
        return false;
    const bool usable = poller.poll != nullptr;
    set_polling(true);
    if (usable)
        function(poller.data);
    set_polling(false);
    poller.busy.store(false, std::memory_order_release);
    return usable;
}

bool is_polling() { return polling; }

bool helper_polls() { return polling && helping; }

void IdlePolling::rest() {
    if (!rests_)
        worker_.rest.begin();
    rests_ = true;
}

void IdlePolling::end() {
    worker_.rest.end();
    if (mine_)
        idle_poller.store(false, std::memory_order_relaxed);
}

std::int64_t IdlePolling::poll() {
    if (!anything_pending())
        return 0;
    rest();
    mine_ = mine_ || (!idle_poller.load(std::memory_order_relaxed) &&
                      !idle_poller.exchange(true, std::memory_order_relaxed));
    if (!mine_)
        return 0;
    const std::int64_t now = nanoseconds();
    const std::int64_t before = std::exchange(last_, now);
    const int count = used.load(std::memory_order_acquire);
    for (int i = 0; i < count; ++i)
        try_run(pollers[i], now, false);
    return before == 0 ? 0 : now - before;
}

std::int64_t IdlePolling::sleep_until() {
    const std::int64_t polled = std::exchange(last_, 0);
    const bool no_helper = is_without_helper();
    if (mine_ && anything_pending()) {
        const std::int64_t now = nanoseconds();
        // Sooner than the helper would.
        const std::int64_t longest =
            no_helper ? kSleepWithoutHelper
                      : std::max(waiting_settings().progress_bound / 2, kFirstSleep);
        const std::int64_t least = polled == 0 ? 0 : kSleepsPerPoll * (now - polled);
        sleep_ = std::min(sleep_ == 0 ? kFirstSleep : 2 * sleep_,
                          no_helper ? kSleepWithoutHelper : kLongestSleep);
        return now + std::min(std::max(sleep_, least), longest);
    }
    return no_helper ? nanoseconds() + kSleepWithoutHelper : 0;
}

/// The child of fork() has no helper, and waits for none of its parent's operations.
const LocksAtFork at_fork([](LocksAtFork::Each each) { each(registry_lock); },
                          [] {
                              for (Poller &poller : pollers) {
                                  poller.busy.store(false, std::memory_order_relaxed);
                                  poller.wanted.store(false, std::memory_order_relaxed);
                                  poller.pending.store(0, std::memory_order_relaxed);
                              }
                              progress::pending.store(0, std::memory_order_relaxed);
                              idle_poller.store(false, std::memory_order_relaxed);
                              set_polling(false);
                              forget_helper_after_fork();
                          });

bool used_poller(int index, const char *&name, PollerStats &stats) {
    if (pollers[0].poll == nullptr)
        ++index; // the runtime's own poller was never used
    if (index >= used.load(std::memory_order_acquire))
        return false;
    name = pollers[index].name;
    stats = stats_of(pollers[index]);
    return true;
}

} // namespace loomp::core
