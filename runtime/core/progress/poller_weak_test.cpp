// Weak progress alone: without the helper, idle workers respect the limit of their sleep.
// env: LOOMP_PROGRESS_BOUND=infinite
#include "runtime/core/progress/poller.h"

#include <chrono>

#include <gtest/gtest.h>

#include "platform/atomic.h"
#include "runtime/core/environment/settings.h"
#include "runtime/core/scheduling/task_signal.h"
#include "tests/unit/support.h"

namespace loomp::core {
namespace {

using Clock = std::chrono::steady_clock;

struct Timer {
    Atomic<TaskSignal *> waiting{nullptr};
    Clock::time_point due;
    Poller *poller = register_poller("timer", poll, this);

    static int poll(void *data) {
        auto &self = *static_cast<Timer *>(data);
        TaskSignal *waiting = self.waiting.load(std::memory_order_acquire);
        if (waiting == nullptr || Clock::now() < self.due)
            return 0;
        self.waiting.store(nullptr, std::memory_order_relaxed);
        waiting->signal();
        return 1;
    }
};

TEST(WeakProgress, TheOthersWereAsleepWhenItBecamePending) {
    ASSERT_EQ(settings().progress_bound, 0);
    Timer timer;
    Atomic<bool> happened{false};
    test::in_single(3, [&] {
        test::spawn_task([&] {
            // The other threads have time to fall asleep, and this thread does not poll.
            const auto start = Clock::now();
            while (Clock::now() < start + std::chrono::milliseconds(50))
                cpu_relax();
            test::spawn_task([&] {
                TaskSignal done;
                expect(*timer.poller, 1);
                timer.due = Clock::now() + std::chrono::milliseconds(5);
                timer.waiting.store(&done, std::memory_order_release);
                done.wait();
                happened = true;
            });
            while (!happened && Clock::now() < start + std::chrono::seconds(20))
                cpu_relax();
            EXPECT_TRUE(happened);
        });
    });
    EXPECT_EQ(stats_of(*timer.poller).helper_polls, 0U);
    unregister_poller(*timer.poller);
}

} // namespace
} // namespace loomp::core
