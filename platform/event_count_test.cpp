// Sleeping and waking with EventCount of platform/futex.h.
#include "platform/futex.h"

#include <chrono>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

namespace loomp::core {
namespace {

using Clock = std::chrono::steady_clock;

bool always() { return true; }

/// A thread that announces its sleep and its return.
struct Sleeper {
    explicit Sleeper(EventCount &event)
        : event(event), thread([this] {
              const EventCount::Ticket ticket = this->event.prepare_to_look(always);
              asleep = true;
              this->event.wait_for_work(ticket, ~0u, 0);
              up = true;
          }) {}
    ~Sleeper() { thread.join(); }
    EventCount &event;
    Atomic<bool> asleep{false};
    Atomic<bool> up{false};
    std::thread thread;
};

void wait_for(const Atomic<bool> &flag) {
    while (!flag)
        std::this_thread::yield();
    // The margin for the system call that follows.
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
}

/// Returns the word that wait() sleeps on.
Atomic<std::uint32_t> &epoch_of(EventCount &event) {
    return reinterpret_cast<Atomic<std::uint32_t> &>(event);
}

/// This thread is woken from a sleep of its own and never announces its return, like a thread that
/// lost its processor.
struct LateSleeper {
    explicit LateSleeper(EventCount &event)
        : thread([this, &event] {
              const EventCount::Ticket ticket = event.prepare_to_look(always);
              asleep = true;
              while (epoch_of(event).load() == ticket.epoch)
                  futex_wait(epoch_of(event), ticket.epoch);
          }) {}
    Atomic<bool> asleep{false};
    std::thread thread;
};

constexpr int kCallsUntilOneLooks = 16;

TEST(EventCount, OneThatDoesNotGetUpKeepsNobodyElseAsleep) {
    EventCount event;
    LateSleeper late(event);
    wait_for(late.asleep);
    Sleeper other(event);
    wait_for(other.asleep);
    event.notify_one();
    late.thread.join();
    EXPECT_FALSE(other.up);
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    for (int call = 0; call < kCallsUntilOneLooks; ++call)
        event.notify_one();
    const auto start = Clock::now();
    while (!other.up && Clock::now() - start < std::chrono::seconds(10))
        std::this_thread::yield();
    EXPECT_TRUE(other.up);
    event.notify_all();
}

// The call that finds the wake-up too old wakes another sleeper, though other calls rely on the
// wake-up between its steps.
TEST(EventCount, CallsAtATimeFindTheOneThatDoesNotGetUp) {
    constexpr int kThreads = 3;
    // The second look at the clock is out of reach even with the call that proves that a sleeper
    // was woken.
    constexpr int kEach = (2 * kCallsUntilOneLooks - 2) / kThreads;
    static_assert(kThreads * kEach > kCallsUntilOneLooks);
    int rounds = 0;
    for (int attempt = 0; attempt < 2000 && rounds < 300; ++attempt) {
        EventCount event;
        LateSleeper late(event);
        while (!late.asleep)
            std::this_thread::yield();
        std::this_thread::sleep_for(std::chrono::microseconds(200));
        event.notify_one();
        const std::uint32_t woken = epoch_of(event);
        event.notify_one();
        late.thread.join();
        if (epoch_of(event) != woken)
            continue; // no thread was asleep
        ++rounds;
        std::this_thread::sleep_for(std::chrono::microseconds(300));
        Atomic<int> ready{0};
        std::vector<std::thread> threads;
        for (int i = 0; i < kThreads; ++i)
            threads.emplace_back([&] {
                ++ready;
                while (ready < kThreads)
                    ;
                for (int call = 0; call < kEach; ++call)
                    event.notify_one();
            });
        for (std::thread &thread : threads)
            thread.join();
        ASSERT_NE(epoch_of(event), woken) << "round " << rounds;
    }
    EXPECT_GT(rounds, 0);
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

// Only the first looker passes a heavy fence, and it may leave without work.
TEST(EventCount, NobodySleepsForEverIfTheFirstLookerLeaves) {
    constexpr int kEach = 40;
    for (int round = 0; round < 100; ++round) {
        EventCount event;
        Atomic<int> work{0};
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
                    const EventCount::Ticket ticket = event.prepare_to_look(always);
                    if (work.load(std::memory_order_relaxed) > 0) {
                        if (event.cancel_look(ticket))
                            event.notify_one();
                        continue;
                    }
                    event.wait_for_work(ticket, ~0u, 0);
                    if (work.load(std::memory_order_relaxed) > 0)
                        event.notify_one();
                }
                // The wake-up of this thread may stand for other sleepers, too.
                event.notify_one();
            });
        for (int i = 0; i < 2; ++i)
            threads.emplace_back([&] {
                for (int n = 0; n < kEach; ++n) {
                    work.fetch_add(1, std::memory_order_release);
                    event.notify_one();
                }
            });
        threads.emplace_back([&] {
            for (int n = 0; n < kEach; ++n) {
                const EventCount::Ticket ticket = event.prepare_to_look(always);
                if (event.cancel_look(ticket) && work.load(std::memory_order_relaxed) > 0)
                    event.notify_one();
            }
        });
        for (std::thread &thread : threads)
            thread.join();
        EXPECT_EQ(work, 0);
        EXPECT_EQ(event.sleepers(), 0);
    }
}

} // namespace
} // namespace loomp::core
