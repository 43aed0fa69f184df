// One task waits for one signal, which any thread gives, before or after it starts to wait.
//
// Protocol: the word is empty, `kSignalled`, or the address of the waiter's suspension. The waiter
// puts the address in only when its context is saved (runtime/core/scheduling/suspend.h), by a
// compare-and-swap from empty; the signalling thread exchanges in kSignalled. Whichever comes
// second finds the other's value: the waiter goes on at once, or the signaller resumes it. Exactly
// one of the two happens (tests/model/task_signal).
//
// Owner: the waiter. The signaller touches it last by its exchange, unless it finds the waiter,
// which cannot continue before it is resumed.
#pragma once

#include <cstdint>

#include "platform/atomic.h"
#include "platform/common.h"
#include "runtime/core/scheduling/suspend.h"

namespace loomp::core {

class TaskSignal {
  public:
    /// The task that waits. Lives on its stack.
    struct Waiting {
        Atomic<std::uintptr_t> &word;
        Suspension suspension;
    };

    /// Suspends the running task until signal(). Afterwards the object is empty again.
    LOOMP_MAY_SWITCH void wait();
    /// False: it has been signalled already.
    bool signal();
    /// The suspended task that waits; null: none does. For reports: it may continue at any time.
    const Suspension *waiter() const {
        // acquire: the saved context.
        const std::uintptr_t word = word_.load(std::memory_order_acquire);
        return word > kSignalled ? reinterpret_cast<const Suspension *>(word) : nullptr;
    }

  private:
    static bool arm(void *argument);

    static constexpr std::uintptr_t kEmpty = 0;
    static constexpr std::uintptr_t kSignalled = 1;
    Atomic<std::uintptr_t> word_{kEmpty};
};

} // namespace loomp::core
