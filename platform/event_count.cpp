#include "platform/clock.h"
#include "platform/futex.h"

namespace loomp::core {

void EventCount::notify_all_slow(std::uint32_t bits) {
    // release: pairs with the acquire in ticket().
    epoch_.fetch_add(1, std::memory_order_release);
    constexpr int all = 0x7fffffff;
    futex_wake(epoch_, all, bits);
}

/// Returns whether the caller must wake a sleeper; otherwise it relies on the wake-up in progress.
bool EventCount::may_wake() {
    // One word decides which thread wakes and which threads rely on it, so all accesses to it may
    // be relaxed.
    const std::uint32_t others = relying_.fetch_add(1, std::memory_order_relaxed);
    if (others != 0 && others % kCallsPerLook != 0)
        return false;
    const auto now = nanoseconds();
    if (others != 0) {
        if (now - woken_at_.load(std::memory_order_relaxed) < kLate)
            return false;
        // This call starts a new wake-up. A lower number shows that the old one has ended or that
        // another call was first. A higher number shows only that more calls rely on it.
        std::uint32_t number = others + 1;
        do {
            if (number <= others)
                return false;
        } while (!relying_.compare_exchange_weak(number, 1, std::memory_order_relaxed));
    }
    woken_at_.store(now, std::memory_order_relaxed);
    return true;
}

void EventCount::notify_some_slow(int count) {
    // See the invariant in the header.
    atomic_fence(std::memory_order_seq_cst);
    do {
        if (!may_wake())
            return;
        // release: pairs with the acquire in ticket().
        epoch_.fetch_add(1, std::memory_order_release);
        if (futex_wake(epoch_, count) > 0)
            return;
        // Sleepers that announced themselves find the epoch advanced and look again. Others may
        // have gone to sleep since.
    } while (relying_.exchange(0, std::memory_order_relaxed) > 1);
}

} // namespace loomp::core
