// Pollers: a task that waits for a polled operation continues, whatever the threads do meanwhile.
// One thread polls at a time, and no thread polls while nothing is pending.
#include "runtime/core/progress/poller.h"

#include <chrono>
#include <deque>
#include <thread>

#include <gtest/gtest.h>

#include "loomp/loomp.h"
#include "platform/atomic.h"
#include "platform/system_mutex.h"
#include "runtime/core/scheduling/task_signal.h"
#include "tests/unit/support.h"

namespace loomp::core {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::microseconds;

/// Operations that complete when their time has come and a thread polls.
class Device {
  public:
    Device() : poller_(*register_poller("device", poll, this)) {}
    ~Device() { unregister_poller(poller_); }

    void wait(microseconds delay) {
        TaskSignal done;
        {
            const std::lock_guard<SystemMutex> guard(lock_);
            expect(poller_, 1);
            operations_.push_back({Clock::now() + delay, &done});
        }
        done.wait();
    }
    PollerStats stats() { return stats_of(poller_); }

  private:
    struct Operation {
        Clock::time_point due;
        TaskSignal *done;
    };

    static int poll(void *data) {
        auto &self = *static_cast<Device *>(data);
        EXPECT_FALSE(self.inside_.exchange(true)) << "two threads poll at once";
        EXPECT_TRUE(is_polling());
        EXPECT_EQ(loomp_in_task(), 0);
        int found = 0;
        std::deque<Operation> due;
        {
            const std::lock_guard<SystemMutex> guard(self.lock_);
            EXPECT_FALSE(self.operations_.empty()) << "polled with nothing pending";
            for (std::size_t i = self.operations_.size(); i > 0; --i) {
                const Operation operation = self.operations_.front();
                self.operations_.pop_front();
                (operation.due <= Clock::now() ? due : self.operations_).push_back(operation);
            }
        }
        for (const Operation &operation : due) {
            EXPECT_TRUE(operation.done->signal());
            ++found;
        }
        self.inside_ = false;
        return found;
    }

    SystemMutex lock_;
    std::deque<Operation> operations_;
    Atomic<bool> inside_{false};
    Poller &poller_;
};

TEST(Poller, ManyTasksWaitOnFewThreads) {
    for (int threads : {1, 2, 4}) {
        Device device;
        Atomic<int> gone_on{0};
        test::in_single(threads, [&] {
            for (int i = 0; i < 300; ++i)
                test::spawn_task(
                    [&, i] {
                        device.wait(microseconds(i % 50 * 20));
                        ++gone_on;
                    },
                    i % 2 != 0 ? std::uint32_t{kTied} : 0u);
        });
        EXPECT_EQ(gone_on, 300);
        EXPECT_EQ(device.stats().completions, 300U);
    }
    EXPECT_EQ(progress::pending, 0);
    EXPECT_FALSE(pollers_registered());
}

TEST(Poller, ImplicitTasksWaitToo) {
    Device device;
    Atomic<int> gone_on{0};
    for (int round = 0; round < 20; ++round)
        test::in_parallel(3, [&](Member &member) {
            device.wait(microseconds(100 * member.num));
            ++gone_on;
        });
    EXPECT_EQ(gone_on, 60);
}

TEST(Poller, SleepingWorkersAreThereWhenItHappens) {
    Device device;
    Atomic<int> gone_on{0};
    test::in_single(3, [&] {
        for (int i = 0; i < 8; ++i)
            test::spawn_task([&] {
                device.wait(microseconds(20'000)); // all threads sleep long before
                ++gone_on;
            });
    });
    EXPECT_EQ(gone_on, 8);
}

TEST(Poller, HelperPollsWhileAllWorkersAreBusy) {
    Device device;
    Atomic<bool> resumed{false};
    test::in_single(2, [&] {
        // The waiting task may continue only in a thread that the poll set free. So a task that
        // computes without a scheduling point checks a poller's result directly.
        test::spawn_task([&] {
            device.wait(microseconds(1000));
            resumed = true;
        });
        for (int i = 0; i < 2; ++i)
            test::spawn_task([&] {
                const auto end = Clock::now() + std::chrono::seconds(20);
                while (device.stats().completions == 0 && Clock::now() < end)
                    cpu_relax();
            });
    });
    EXPECT_TRUE(resumed);
    EXPECT_GE(device.stats().polls, 1U);
}

TEST(Poller, ACreatorThatNeverWaitsLetsOthersGoOn) {
    // Tasks are queued then, and taken last in first out, so the first one may stay behind.
    if (!work_first_possible)
        GTEST_SKIP() << "not on this machine, or a sanitizer watches";
    Device device;
    Atomic<int> gone_on{0};
    int created = 0;
    test::in_single(1, [&] {
        test::spawn_task([&] {
            device.wait(microseconds(50));
            ++gone_on;
        });
        const auto end = Clock::now() + std::chrono::seconds(20);
        for (; gone_on == 0 && Clock::now() < end; ++created)
            test::spawn_task([] {});
    });
    EXPECT_EQ(gone_on, 1);
}

TEST(Poller, AThreadOutsideAnyRegionWaits) {
    Device device;
    std::thread([&] { device.wait(microseconds(500)); }).join();
    device.wait(microseconds(500));
    EXPECT_EQ(device.stats().completions, 2U);
}

TEST(Poller, SixteenAtMost) {
    const auto none = [](void *) { return 0; };
    Poller *registered[16];
    for (Poller *&poller : registered)
        ASSERT_NE(poller = register_poller("p", none, nullptr), nullptr);
    testing::internal::CaptureStderr();
    EXPECT_EQ(register_poller("one too many", none, nullptr), nullptr);
    EXPECT_EQ(
        testing::internal::GetCapturedStderr(),
        "loomp: poller \"one too many\" is not registered: there are 16 already, which is the "
        "most there can be\n");
    for (Poller *poller : registered)
        unregister_poller(*poller);
    Poller *again = register_poller("again", none, nullptr);
    ASSERT_NE(again, nullptr);
    unregister_poller(*again);
}

TEST(Poller, UnregisteringForgetsWhatIsPending) {
    Poller &poller = *register_poller("p", [](void *) { return 0; }, nullptr);
    expect(poller, 5);
    EXPECT_TRUE(anything_pending());
    unregister_poller(poller);
    EXPECT_FALSE(anything_pending());
}

TEST(TaskSignal, SignalBeforeDuringAndAfter) {
    for (int threads : {1, 3}) {
        Atomic<int> gone_on{0};
        std::deque<loomp_suspension_t> suspensions(200, loomp_suspension_t LOOMP_SUSPENSION_INIT);
        std::thread outsider([&] {
            for (loomp_suspension_t &suspension : suspensions)
                loomp_resume(&suspension);
        });
        test::in_single(threads, [&] {
            for (loomp_suspension_t &suspension : suspensions)
                test::spawn_task([&] {
                    loomp_suspend(&suspension);
                    ++gone_on;
                });
        });
        outsider.join();
        EXPECT_EQ(gone_on, 200);
    }
}

TEST(TaskSignal, TasksPlayPingPong) {
    loomp_suspension_t ping = LOOMP_SUSPENSION_INIT;
    loomp_suspension_t pong = LOOMP_SUSPENSION_INIT;
    int rounds = 0;
    test::in_single(2, [&] {
        test::spawn_task([&] {
            for (int i = 0; i < 1000; ++i) {
                loomp_suspend(&ping);
                ++rounds;
                loomp_resume(&pong);
            }
        });
        test::spawn_task([&] {
            for (int i = 0; i < 1000; ++i) {
                loomp_resume(&ping);
                loomp_suspend(&pong);
            }
        });
    });
    EXPECT_EQ(rounds, 1000);
}

TEST(TaskSignal, ASecondSignalIsReported) {
    loomp_suspension_t suspension = LOOMP_SUSPENSION_INIT;
    loomp_resume(&suspension);
    testing::internal::CaptureStderr();
    loomp_resume(&suspension);
    EXPECT_EQ(
        testing::internal::GetCapturedStderr(),
        "loomp: loomp_resume(): called twice for one loomp_suspend(); the second is ignored\n");
    loomp_suspend(&suspension);
}

} // namespace
} // namespace loomp::core
