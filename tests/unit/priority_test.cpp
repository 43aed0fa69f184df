// Tasks with priorities: highest first, equal ones in order of creation.
#include "core/priority.h"

#include <algorithm>
#include <memory>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "support.h"

namespace loomp::core {
namespace {

TEST(Priority, ExactOrder) {
    PriorityQueue queue;
    EXPECT_EQ(queue.take(), nullptr);
    std::vector<std::unique_ptr<Task>> tasks;
    unsigned seed = 1;
    for (int i = 0; i < 5000; ++i) {
        tasks.push_back(std::make_unique<Task>());
        seed = seed * 1664525u + 1013904223u;
        tasks.back()->priority = static_cast<int>((seed >> 8) % 700) + 1;
        tasks.back()->created = static_cast<std::uint32_t>(i);
        queue.push(*tasks.back());
    }
    std::vector<Task *> expected;
    for (auto &task : tasks)
        expected.push_back(task.get());
    std::stable_sort(expected.begin(), expected.end(),
                     [](Task *a, Task *b) { return a->priority > b->priority; });
    for (Task *task : expected)
        ASSERT_EQ(queue.take(), task);
    EXPECT_TRUE(queue.looks_empty());
    EXPECT_EQ(queue.take(), nullptr);
}

TEST(Priority, DecidesWhatRunsNext) {
    std::vector<int> order;
    test::in_single(1, [&] {
        for (int priority : {1, 5, 3, 9, 3, 0, 7}) {
            Task &task = test::make_task([&order, priority] { order.push_back(priority); });
            task.priority = priority;
            task.flags |= priority != 0 ? std::uint32_t{kPrioritized} : 0u;
            spawn(*Worker::current(), task);
        }
    });
    EXPECT_EQ(order, (std::vector<int>{9, 7, 5, 3, 3, 1, 0}));
}

} // namespace
} // namespace loomp::core
