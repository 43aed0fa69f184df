#include "runtime/core/scheduling/task_signal.h"

#include "runtime/core/progress/outside_waits.h"
#include "runtime/core/scheduling/resume.h"

namespace loomp::core {

bool TaskSignal::arm(void *argument) {
    auto &waiting = *static_cast<Waiting *>(argument);
    std::uintptr_t expected = kEmpty;
    // release: the suspension is complete for the signaller; acquire: the signaller's writes.
    return waiting.word.compare_exchange_strong(
        expected, reinterpret_cast<std::uintptr_t>(&waiting.suspension), std::memory_order_acq_rel,
        std::memory_order_acquire);
}

void TaskSignal::wait() {
    expect_outside_waits(); // a library may have come late
    // acquire: the signaller's writes.
    if (word_.load(std::memory_order_acquire) == kEmpty) {
        Waiting waiting{word_, {}};
        suspend(waiting.suspension, arm, &waiting);
    }
    word_.store(kEmpty, std::memory_order_relaxed);
}

bool TaskSignal::signal() {
    // acq_rel: the waiter's suspension becomes visible here, and our writes there.
    const std::uintptr_t before = word_.exchange(kSignalled, std::memory_order_acq_rel);
    if (before == kSignalled)
        return false;
    if (before != kEmpty)
        make_resumable(*reinterpret_cast<Suspension *>(before));
    return true;
}

} // namespace loomp::core
