// Lists of ready tasks: the order in which tasks leave them, tasks of one kind, borrowed tasks, and
// threads that add and take at once.
#include "runtime/core/queues/ready_list.h"

#include <memory>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

namespace loomp::core {
namespace {

TEST(ReadyLists, FirstComeFirstServed) {
    const auto lists = std::make_unique<GatheredQueues>();
    Task tasks[3] = {};
    EXPECT_TRUE(lists->looks_empty());
    EXPECT_EQ((*lists)[7].pop(), nullptr);
    std::uint32_t before = 0;
    for (Task &task : tasks)
        EXPECT_EQ((*lists)[7].push(task), before++);
    EXPECT_FALSE(lists->looks_empty());
    EXPECT_TRUE((*lists)[0].looks_empty());
    for (Task &task : tasks)
        EXPECT_EQ((*lists)[7].pop(), &task);
    EXPECT_TRUE(lists->looks_empty());
}

TEST(ReadyList, WhatIsWantedLeavesAndTheRestKeepsItsOrder) {
    Atomic<std::int32_t> filled{0};
    ReadyList list;
    list.count_in(filled);
    Task tasks[6] = {};
    for (int i = 0; i < 6; ++i) {
        tasks[i].priority = i;
        list.push(tasks[i]);
    }
    const auto odd = [](const Task &task) { return task.priority % 2 == 1; };
    EXPECT_EQ(list.take(9, 1, odd).count, 0U); // not among the first one
    const ReadyList::Taken two = list.take(2, 9, odd);
    EXPECT_EQ(two.count, 2U);
    EXPECT_EQ(two.first, &tasks[1]);
    EXPECT_EQ(two.first->next, &tasks[3]);
    EXPECT_EQ(tasks[3].next, nullptr);
    EXPECT_EQ(list.take(9, 9, odd).first, &tasks[5]); // the last one
    EXPECT_EQ(list.size(), 3U);
    EXPECT_EQ(filled, 1);
    list.push_all(two);
    for (const int i : {0, 2, 4, 1, 3})
        EXPECT_EQ(list.pop(), &tasks[i]);
    EXPECT_EQ(list.pop(), nullptr);
    EXPECT_TRUE(list.looks_empty());
    EXPECT_EQ(filled, 0);
}

TEST(ReadyList, ABorrowedTaskCountsUntilItIsKept) {
    ReadyList list;
    Task tasks[2] = {};
    for (Task &task : tasks)
        list.push(task);
    EXPECT_EQ(list.borrow(), &tasks[0]);
    EXPECT_EQ(list.borrow(), &tasks[1]);
    EXPECT_EQ(list.borrow(), nullptr);
    EXPECT_EQ(list.size(), 2U);
    EXPECT_EQ(list.pop(), nullptr);
    list.give_back(tasks[1]);
    list.keep_borrowed();
    EXPECT_EQ(list.size(), 1U);
    EXPECT_EQ(list.pop(), &tasks[1]);
    EXPECT_TRUE(list.looks_empty());
}

TEST(ReadyList, HandsOutEachTaskOnce) {
    constexpr int kThreads = 3;
    constexpr std::uint32_t kTasks = 3000;
    ReadyList list;
    std::vector<Task> tasks(kTasks);
    std::vector<int> times(kTasks);
    Atomic<std::uint32_t> left{kTasks};
    std::vector<std::thread> threads;
    for (int i = 0; i < kThreads; ++i)
        threads.emplace_back([&, i] {
            while (left.load(std::memory_order_relaxed) != 0) {
                const ReadyList::Taken some =
                    list.take(3, 8, [i](const Task &task) { return task.priority % 3 != i; });
                for (const Task *task = some.first; task != nullptr; task = task->next)
                    ++times[static_cast<std::size_t>(task - tasks.data())];
                left.fetch_sub(some.count, std::memory_order_relaxed);
                if (some.count == 0)
                    std::this_thread::yield();
            }
        });
    for (std::uint32_t i = 0; i < kTasks; ++i) {
        tasks[i].priority = static_cast<std::int32_t>(i);
        list.push(tasks[i]);
    }
    for (std::thread &thread : threads)
        thread.join();
    EXPECT_TRUE(list.looks_empty());
    EXPECT_EQ(times, std::vector<int>(kTasks, 1));
}

} // namespace
} // namespace loomp::core
