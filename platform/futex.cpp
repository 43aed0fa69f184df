#include "platform/futex.h"

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "platform/clock.h"

namespace loomp::core {

void futex_wait(Atomic<std::uint32_t> &word, std::uint32_t expected, std::uint32_t bits) {
    syscall(SYS_futex, &word, FUTEX_WAIT_BITSET_PRIVATE, expected, nullptr, nullptr, bits);
}

void futex_wait_until(Atomic<std::uint32_t> &word, std::uint32_t expected, std::int64_t time,
                      std::uint32_t bits) {
    const timespec until = timespec_of(time);
    syscall(SYS_futex, &word, FUTEX_WAIT_BITSET_PRIVATE, expected, &until, nullptr, bits);
}

int futex_wake(Atomic<std::uint32_t> &word, int count, std::uint32_t bits) {
    return static_cast<int>(
        syscall(SYS_futex, &word, FUTEX_WAKE_BITSET_PRIVATE, count, nullptr, nullptr, bits));
}

} // namespace loomp::core
