#include "platform/fence.h"

#include <linux/membarrier.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "platform/clock.h"

namespace loomp::core {

Atomic<bool> light_fence_is_full{true};

namespace {

constexpr std::int64_t kUntilAllKnow = 5'000'000;

/// When every thread knows that light fences are full; 0: since before other threads existed.
Atomic<std::int64_t> known_at{0};

bool membarrier(int command) { return syscall(SYS_membarrier, command, 0, 0) == 0; }

/// Stops the use of membarrier.
LOOMP_COLD void make_light_fences_full() {
    // Each thread that finds that it fails may put the time off: later is as good.
    known_at.store(nanoseconds() + kUntilAllKnow, std::memory_order_relaxed);
    // release: a thread that sees it sees the time.
    light_fence_is_full.store(true, std::memory_order_release);
}

LOOMP_COLD void wait_until_all_know() {
    const std::int64_t at = known_at.load(std::memory_order_relaxed);
    // Again where a signal's handler ends the sleep.
    while (nanoseconds() < at)
        pause_until(at);
}

} // namespace

void initialize_fences() {
#if !defined(__SANITIZE_THREAD__)
    light_fence_is_full.store(!membarrier(MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED),
                              std::memory_order_relaxed);
#endif
}

void heavy_fence() {
    if (!light_fence_is_full.load(std::memory_order_acquire)) {
        if (LOOMP_LIKELY(membarrier(MEMBARRIER_CMD_PRIVATE_EXPEDITED)))
            return;
        make_light_fences_full();
    }
    if (LOOMP_UNLIKELY(known_at.load(std::memory_order_relaxed) != 0))
        wait_until_all_know();
    atomic_fence(std::memory_order_seq_cst);
}

} // namespace loomp::core
