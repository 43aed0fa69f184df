// A poller gets one stuck report when all threads have been idle for long while it has pending
// operations, but none while a thread computes.
// env: LOOMP_REPORT_STUCK_AFTER=50ms
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
using std::chrono::milliseconds;

/// An event that happens at its time, or at the latest when stuck.
struct Event {
    TaskSignal done;
    Clock::time_point due = Clock::time_point::max();
    bool over = false;
    Atomic<int> reports{0};
    double seconds = 0;
    Poller *poller = register_poller("event", poll, this);

    Event() { when_stuck(*poller, tell); }
    ~Event() { unregister_poller(*poller); }
    Event(const Event &) = delete;
    Event &operator=(const Event &) = delete;

    static int poll(void *data) {
        auto &self = *static_cast<Event *>(data);
        if (self.over || Clock::now() < self.due)
            return 0;
        self.over = true;
        self.done.signal();
        return 1;
    }
    static void tell(void *data, double seconds) {
        auto &self = *static_cast<Event *>(data);
        EXPECT_TRUE(is_polling());
        ++self.reports;
        self.seconds = seconds;
        // Long enough for a second call, if there were one.
        self.due = Clock::now() + milliseconds(200);
    }
};

class Stuck : public testing::TestWithParam<int> {};

TEST_P(Stuck, IsToldOnce) {
    ASSERT_EQ(settings().stuck_after, 50'000'000);
    Event event;
    test::in_single(GetParam(), [&] {
        test::spawn_task([&] {
            expect(*event.poller, 1);
            event.done.wait();
        });
    });
    EXPECT_EQ(event.reports, 1);
    EXPECT_GE(event.seconds, 0.05);
}

TEST_P(Stuck, IsNotWhileAThreadComputes) {
    Event event;
    event.due = Clock::now() + milliseconds(300);
    test::in_single(GetParam(), [&] {
        test::spawn_task([&] {
            expect(*event.poller, 1);
            event.done.wait();
        });
        const auto until = Clock::now() + milliseconds(310);
        while (Clock::now() < until)
            cpu_relax();
    });
    EXPECT_EQ(event.reports, 0);
}

INSTANTIATE_TEST_SUITE_P(Threads, Stuck, testing::Values(1, 2, 3));

} // namespace
} // namespace loomp::core
