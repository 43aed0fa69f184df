#include "runtime/alpi/timer.h"

#include <new>
#include <queue>
#include <sys/prctl.h>
#include <vector>

#include "platform/system_mutex.h"
#include "platform/threads.h"
#include "runtime/alpi/alpi_diagnostics.h"

namespace loomp::alpi {

namespace {

struct Later {
    bool operator()(const Timer *a, const Timer *b) const { return a->due > b->due; }
};

struct Timers {
    SystemMutex lock; ///< guards all of it
    ConditionVariable changed;
    std::priority_queue<Timer *, std::vector<Timer *>, Later>
        running; ///< the first to expire on top
    bool has_thread = false;
};

/// The thread outlives the library's static objects.
Timers &timers() {
    static Timers &all = *new Timers;
    return all;
}

void *expire_timers(void *) {
    // By default the kernel lets a sleep last 50 us longer.
    prctl(PR_SET_TIMERSLACK, 1, 0, 0, 0);
    Timers &all = timers();
    std::unique_lock guard(all.lock);
    for (;;) {
        if (all.running.empty()) {
            all.changed.wait(guard);
            continue;
        }
        Timer &first = *all.running.top();
        if (first.due > Clock::now()) {
            const Clock::time_point due = first.due;
            all.changed.wait_until(guard, due);
            continue;
        }
        all.running.pop();
        guard.unlock();
        first.expire(first);
        guard.lock();
    }
}

/// The child of fork() has none of its parent's.
[[maybe_unused]] const int watches_forks =
    handle_forks(nullptr, nullptr, [] { new (&timers()) Timers; });

} // namespace

void start_timer(Timer &timer, std::uint64_t nanoseconds) {
    const Clock::time_point now = Clock::now();
    const auto longest = static_cast<std::uint64_t>((Clock::time_point::max() - now).count());
    timer.due = nanoseconds < longest
                    ? now + std::chrono::nanoseconds(static_cast<std::int64_t>(nanoseconds))
                    : Clock::time_point::max();
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
