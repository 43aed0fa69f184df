#include "core/futex.h"

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace loomp::core {

void futex_wait(std::atomic<std::uint32_t> &word, std::uint32_t expected, std::uint32_t bits) {
    syscall(SYS_futex, &word, FUTEX_WAIT_BITSET_PRIVATE, expected, nullptr, nullptr, bits);
}

void futex_wake(std::atomic<std::uint32_t> &word, int count, std::uint32_t bits) {
    syscall(SYS_futex, &word, FUTEX_WAKE_BITSET_PRIVATE, count, nullptr, nullptr, bits);
}

void EventCount::notify_slow(int count, std::uint32_t bits) {
    // release: pairs with the acquire in prepare().
    epoch_.fetch_add(1, std::memory_order_release);
    futex_wake(epoch_, count, bits);
}

} // namespace loomp::core
