// TaskDeque: order, growth, and that the owner and thieves get each task exactly once.
#include "platform/atomic.h"
#include "runtime/core/queues/deque.h"

#include <thread>
#include <vector>

#include <gtest/gtest.h>

namespace loomp::core {
namespace {

// The deque does not read tasks, so numbers suffice.
Task *number(std::uintptr_t n) { return reinterpret_cast<Task *>(n); }
std::uintptr_t of(Task *task) { return reinterpret_cast<std::uintptr_t>(task); }

TEST(Deque, OwnerTakesTheNewestThiefTheOldest) {
    TaskDeque deque;
    EXPECT_EQ(deque.take(), nullptr);
    EXPECT_EQ(deque.steal(), nullptr);
    EXPECT_TRUE(deque.looks_empty());
    for (std::uintptr_t i = 1; i <= 4; ++i)
        deque.push(number(i));
    EXPECT_EQ(deque.size_hint(), 4);
    EXPECT_EQ(of(deque.take()), 4u);
    EXPECT_EQ(of(deque.steal()), 1u);
    EXPECT_EQ(of(deque.steal()), 2u);
    EXPECT_EQ(of(deque.take()), 3u);
    EXPECT_EQ(deque.take(), nullptr);
    EXPECT_EQ(deque.steal(), nullptr);
}

TEST(Deque, GrowsAndWraps) {
    TaskDeque deque;
    std::uintptr_t next = 1, oldest = 1;
    // Pushes grow the deque far beyond the first buffer; steals move the window along.
    for (int round = 0; round < 200; ++round) {
        for (int i = 0; i < 100; ++i)
            deque.push(number(next++));
        for (int i = 0; i < 60; ++i)
            ASSERT_EQ(of(deque.steal()), oldest++);
    }
    while (next > oldest)
        ASSERT_EQ(of(deque.take()), --next);
    EXPECT_EQ(deque.take(), nullptr);
}

TEST(Deque, HandsOutEachTaskOnce) {
    constexpr std::uintptr_t kTasks = 200000;
    constexpr int kThieves = 3;
    TaskDeque deque;
    std::vector<Atomic<unsigned char>> got(kTasks + 1);
    Atomic<bool> done{false};
    const auto hand_out = [&](Task *task) { got[of(task)].fetch_add(1); };
    std::vector<std::thread> thieves;
    for (int t = 0; t < kThieves; ++t)
        thieves.emplace_back([&] {
            while (!done.load())
                if (Task *task = deque.steal())
                    hand_out(task);
        });
    std::uintptr_t next = 1;
    unsigned seed = 12345;
    while (next <= kTasks) {
        seed = seed * 1664525u + 1013904223u;
        // Short deques most of the time, so that the owner and thieves meet.
        for (unsigned n = (seed >> 16) % 5; n > 0 && next <= kTasks; --n)
            deque.push(number(next++));
        for (unsigned n = (seed >> 24) % 5; n > 0; --n)
            if (Task *task = deque.take())
                hand_out(task);
    }
    while (Task *task = deque.take())
        hand_out(task);
    done = true;
    for (std::thread &thief : thieves)
        thief.join();
    while (Task *task = deque.steal())
        hand_out(task);
    for (std::uintptr_t i = 1; i <= kTasks; ++i)
        ASSERT_EQ(got[i].load(), 1) << i;
}

} // namespace
} // namespace loomp::core
