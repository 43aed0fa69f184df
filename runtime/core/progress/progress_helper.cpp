#include "runtime/core/progress/progress_helper.h"

#include <algorithm>
#include <climits>
#include <cstring>

#include "platform/clock.h"
#include "platform/diagnostics.h"
#include "platform/futex.h"
#include "platform/threads.h"
#include "runtime/core/environment/topology.h"
#include "runtime/core/environment/waiting_settings.h"
#include "runtime/core/progress/hang.h"
#include "runtime/core/progress/poller.h"

namespace loomp::core {

namespace {

/// The state of the helper. Only the helper leaves `awake`; expect() moves it out of `asleep`.
enum State : std::uint32_t { not_started, awake, asleep };
Atomic<std::uint32_t> state{not_started};
/// A worker that begins to sleep without it is woken by the one whose call failed, if by nobody
/// else: that one polls from then on.
Relaxed<bool> refused = false;

/// Looks without a result, one per bound, before it sleeps until something is pending. A wake-up
/// costs a system call, which a program that waits for one message after another should not pay for
/// each.
constexpr int kIdleLooks = 50;

void sleep_until_pending() {
    // seq_cst, here and in expect(): one side runs {state = asleep; read pending}, the other {raise
    // pending; read state}. At least one sees the other.
    state.store(asleep, std::memory_order_seq_cst);
    while (progress::pending.load(std::memory_order_seq_cst) <= 0 &&
           state.load(std::memory_order_relaxed) == asleep)
        futex_wait(state, asleep);
    state.store(awake, std::memory_order_relaxed);
}

void *helper_main(void *) {
    // Unbinds the thread, because the worker that started it may be bound.
    bind_current_thread(available_processor_ids());
    const std::int64_t bound = waiting_settings().progress_bound;
    for (int idle_looks = 0;;) {
        if (progress::pending.load(std::memory_order_relaxed) > 0) {
            idle_looks = 0;
        } else if (++idle_looks > kIdleLooks) {
            sleep_until_pending();
            idle_looks = 0;
        }
        const std::int64_t polled = poll_those_older_than(bound);
        rest_as_own_thread();
        pause_until(polled + bound);
    }
    return nullptr;
}

/// Without the thread the state stays `awake`, so nobody tries again: workers poll between tasks,
/// and idle ones now and then.
LOOMP_COLD void start() {
    if (const int error = start_thread(helper_main, nullptr)) {
        refused = true;
        warn("cannot create the thread for strong progress (%s): while all threads compute, nobody "
             "polls. Raise the limit of processes (ulimit -u), or set "
             "LOOMP_PROGRESS_BOUND=infinite",
             std::strerror(error));
    }
}

} // namespace

bool is_without_helper() { return waiting_settings().progress_bound == 0 || refused; }

void wake_helper() {
    if (waiting_settings().progress_bound == 0)
        return;
    std::uint32_t seen = state.load(std::memory_order_seq_cst);
    if (LOOMP_LIKELY(seen == awake))
        return;
    // Only one of several simultaneous callers starts it.
    if (!state.compare_exchange_strong(seen, awake, std::memory_order_relaxed))
        return;
    if (seen == not_started)
        start();
    else
        futex_wake(state, 1);
}

void forget_helper_after_fork() {
    state.store(not_started, std::memory_order_relaxed);
    refused = false;
}

} // namespace loomp::core
