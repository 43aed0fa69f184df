// Sleeping and waking through core/base/futex.h, EventCount.
#include "core/base/futex.h"

#include <chrono>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

namespace loomp::core {
namespace {

using Clock = std::chrono::steady_clock;

/// A thread that goes to sleep and says so, and that it is up again.
struct Sleeper {
    explicit Sleeper(EventCount &event)
        : event(event), thread([this] {
              const EventCount::Ticket ticket = this->event.prepare();
              asleep = true;
              this->event.wait(ticket, ~0u);
              up = true;
          }) {}
    ~Sleeper() { thread.join(); }
    EventCount &event;
    std::atomic<bool> asleep{false};
    std::atomic<bool> up{false};
    std::thread thread;
};

void wait_for(const std::atomic<bool> &flag) {
    while (!flag)
        std::this_thread::yield();
    // And for the system call that follows.
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
}

TEST(EventCount, OneThatDoesNotGetUpKeepsNobodyElseAsleep) {
    EventCount event;
    // Woken from a sleep of its own making, on the word that wait() sleeps on, this thread never
    // says that it is up: as one whose processor is taken.
    std::atomic<bool> late_asleep{false};
    std::thread late([&] {
        auto &epoch = reinterpret_cast<std::atomic<std::uint32_t> &>(event);
        const EventCount::Ticket ticket = event.prepare();
        late_asleep = true;
        while (epoch.load() == ticket)
            futex_wait(epoch, ticket);
    });
    wait_for(late_asleep);
    Sleeper other(event);
    wait_for(other.asleep);
    event.notify_one();
    late.join();
    EXPECT_FALSE(other.up);
    const auto start = Clock::now();
    while (!other.up && Clock::now() - start < std::chrono::seconds(2))
        event.notify_one();
    EXPECT_TRUE(other.up);
    event.notify_all();
}

TEST(EventCount, OneWakeUpAtATimeIsEnoughWhileItGetsUp) {
    EventCount event;
    Sleeper one(event);
    wait_for(one.asleep);
    Sleeper two(event);
    wait_for(two.asleep);
    event.notify_one();
    event.notify_one();
    while (!one.up && !two.up)
        std::this_thread::yield();
    event.notify_all();
}

// From then on sleepers and notifiers fence in another way; those under way do in either.
TEST(EventCount, NobodySleepsForEverWhenManyComeToBeExpected) {
    constexpr int kEach = 40;
    for (int round = 0; round < 100; ++round) {
        EventCount event;
        std::atomic<int> work{0};
        const auto take = [&work] {
            int left = work.load(std::memory_order_relaxed);
            while (left > 0 && !work.compare_exchange_weak(left, left - 1))
                ;
            return left > 0;
        };
        std::vector<std::thread> threads;
        for (int i = 0; i < 2; ++i)
            threads.emplace_back([&] {
                for (int taken = 0; taken < kEach;) {
                    if (take()) {
                        ++taken;
                        continue;
                    }
                    const EventCount::Ticket ticket = event.prepare();
                    if (work.load(std::memory_order_relaxed) > 0) {
                        event.cancel();
                        continue;
                    }
                    event.wait(ticket, ~0u);
                    if (work.load(std::memory_order_relaxed) > 0)
                        event.notify_one();
                }
                // Others' share may have come with this thread's wake-up.
                event.notify_one();
            });
        for (int i = 0; i < 2; ++i)
            threads.emplace_back([&] {
                for (int n = 0; n < kEach; ++n) {
                    work.fetch_add(1, std::memory_order_release);
                    event.notify_one();
                }
            });
        threads.emplace_back([&event] { event.expect_many_sleepers(); });
        for (std::thread &thread : threads)
            thread.join();
        EXPECT_EQ(work, 0);
        EXPECT_EQ(event.sleepers(), 0);
    }
}

} // namespace
} // namespace loomp::core
