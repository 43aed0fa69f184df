#include "core/futex.h"

#include <ctime>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace loomp::core {

void futex_wait(std::atomic<std::uint32_t> &word, std::uint32_t expected, std::uint32_t bits) {
    syscall(SYS_futex, &word, FUTEX_WAIT_BITSET_PRIVATE, expected, nullptr, nullptr, bits);
}

void futex_wait_until(std::atomic<std::uint32_t> &word, std::uint32_t expected, std::int64_t time,
                      std::uint32_t bits) {
    const timespec until = {static_cast<time_t>(time / 1'000'000'000),
                            static_cast<long>(time % 1'000'000'000)};
    syscall(SYS_futex, &word, FUTEX_WAIT_BITSET_PRIVATE, expected, &until, nullptr, bits);
}

int futex_wake(std::atomic<std::uint32_t> &word, int count, std::uint32_t bits) {
    return static_cast<int>(
        syscall(SYS_futex, &word, FUTEX_WAKE_BITSET_PRIVATE, count, nullptr, nullptr, bits));
}

void EventCount::notify_slow(int count, std::uint32_t bits) {
    // release: pairs with the acquire in prepare().
    epoch_.fetch_add(1, std::memory_order_release);
    futex_wake(epoch_, count, bits);
}

void EventCount::notify_one_slow() {
    // See the invariant in the header. One word decides who wakes and who relies on it, so all its
    // accesses may be relaxed.
    std::atomic_thread_fence(std::memory_order_seq_cst);
    do {
        WakeState state = WakeState::idle;
        while (!wake_state_.compare_exchange_weak(
            state, state == WakeState::idle ? WakeState::waking : WakeState::missed,
            std::memory_order_relaxed))
            ;
        if (state != WakeState::idle)
            return;
        // release: pairs with the acquire in prepare().
        epoch_.fetch_add(1, std::memory_order_release);
        if (futex_wake(epoch_, 1) > 0)
            return;
        // Those that had announced themselves find the epoch advanced, and look again; but others
        // may have gone to sleep since.
    } while (wake_state_.exchange(WakeState::idle, std::memory_order_relaxed) == WakeState::missed);
}

} // namespace loomp::core
