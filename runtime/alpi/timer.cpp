#include "runtime/alpi/timer.h"

#include <cstddef>
#include <limits>
#include <new>
#include <queue>
#include <sys/prctl.h>
#include <vector>

#include "platform/clock.h"
#include "platform/system_mutex.h"
#include "platform/threads.h"
#include "runtime/alpi/alpi_diagnostics.h"

namespace loomp::alpi {

namespace {

struct Later {
    bool operator()(const Timer *a, const Timer *b) const { return a->due > b->due; }
};

struct Timers {
    SystemMutex lock; ///< guards every member
    ConditionVariable changed;
    std::priority_queue<Timer *, std::vector<Timer *>, Later>
        running; ///< the first to expire is on top
    bool has_thread = false;
};

/// Never destroyed, because the thread outlives the library's static objects. It has no guard,
/// which a child of fork() might inherit.
alignas(Timers) constinit std::byte storage[sizeof(Timers)] = {};

Timers &timers() { return *std::launder(reinterpret_cast<Timers *>(storage)); }

void *expire_timers(void *) {
    // The kernel's default lets a sleep last 50 us longer.
    prctl(PR_SET_TIMERSLACK, 1, 0, 0, 0);
    Timers &all = timers();
    std::unique_lock guard(all.lock);
    for (;;) {
        if (all.running.empty()) {
            all.changed.wait(guard);
            continue;
        }
        Timer &first = *all.running.top();
        if (first.due > core::nanoseconds()) {
            all.changed.wait_until(guard, first.due);
            continue;
        }
        all.running.pop();
        guard.unlock();
        first.expire(first);
        guard.lock();
    }
}

void make_timers() { new (storage) Timers; }

/// The child of fork() has none of its parent's timers.
[[maybe_unused]] const int watches_forks =
    (make_timers(), handle_forks(nullptr, nullptr, make_timers));

} // namespace

void start_timer(Timer &timer, std::uint64_t length) {
    constexpr std::int64_t never = std::numeric_limits<std::int64_t>::max();
    const std::int64_t now = core::nanoseconds();
    timer.due = length < static_cast<std::uint64_t>(never - now)
                    ? now + static_cast<std::int64_t>(length)
                    : never;
    Timers &all = timers();
    const std::lock_guard guard(all.lock);
    if (!all.has_thread && start_thread(expire_timers, nullptr) != 0)
        fatal("no thread can be started: ", "ALPI's timers");
    all.has_thread = true;
    all.running.push(&timer);
    if (all.running.top() == &timer)
        all.changed.notify_one();
}

} // namespace loomp::alpi
