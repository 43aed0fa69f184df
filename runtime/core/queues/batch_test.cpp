// BatchQueue: tasks added together are taken together, each task once, while other threads take.
#include "platform/atomic.h"
#include "runtime/core/queues/batch.h"

#include <memory>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

namespace loomp::core {
namespace {

TEST(BatchQueue, KeepsTheTasksOfAKindTogether) {
    BatchQueue gathering;
    std::vector<Task> tasks(4);
    for (Task &task : tasks)
        task.route.set_kind(3);
    EXPECT_TRUE(gathering.looks_empty());
    EXPECT_TRUE(gathering.add(tasks[0]));
    EXPECT_FALSE(gathering.add(tasks[1]));
    EXPECT_FALSE(gathering.add(tasks[2]));
    EXPECT_FALSE(gathering.looks_empty());
    EXPECT_EQ(gathering.size(3), 3u);
    EXPECT_EQ(gathering.kind(3), 3u);
    EXPECT_EQ(gathering.take_if(3, 4), nullptr);
    EXPECT_EQ(gathering.take(2), nullptr);
    const Task *latest = gathering.take_if(3, 3);
    ASSERT_EQ(latest, &tasks[2]);
    EXPECT_EQ(latest->next, &tasks[1]);
    EXPECT_EQ(latest->next->next, &tasks[0]);
    EXPECT_EQ(latest->next->next->next, nullptr);
    EXPECT_TRUE(gathering.looks_empty());
    EXPECT_TRUE(gathering.add(tasks[3]));
}

TEST(BatchQueue, ASlotHoldsOneKind) {
    BatchQueue gathering;
    std::vector<Task> tasks(2);
    tasks[0].route.set_kind(1);
    tasks[1].route.set_kind(1 + BatchQueue::kSlots);
    EXPECT_TRUE(gathering.add(tasks[0]));
    EXPECT_EQ(gathering.take_if(1, 2), nullptr);
    EXPECT_EQ(gathering.take_if(1 + BatchQueue::kSlots, 2), &tasks[0]);
    EXPECT_TRUE(gathering.add(tasks[1]));
    EXPECT_EQ(gathering.kind(1), 1 + BatchQueue::kSlots);
}

TEST(BatchQueue, HoldsTheLargestBatchButOne) {
    BatchQueue gathering;
    std::vector<Task> tasks(kMaxBatch - 1);
    for (Task &task : tasks) {
        task.route.set_kind(kMaxTaskKinds - 1);
        gathering.add(task);
    }
    EXPECT_EQ(gathering.size((kMaxTaskKinds - 1) % BatchQueue::kSlots), kMaxBatch - 1);
    EXPECT_EQ(gathering.kind((kMaxTaskKinds - 1) % BatchQueue::kSlots), kMaxTaskKinds - 1);
    unsigned count = 0;
    for (const Task *task = gathering.take_if(kMaxTaskKinds - 1, kMaxBatch - 1); task != nullptr;
         task = task->next)
        ++count;
    EXPECT_EQ(count, kMaxBatch - 1);
}

TEST(BatchQueue, HandsOutEachTaskOnce) {
    constexpr unsigned kTasks = 50000;
    constexpr unsigned kKinds = 11; // more than there are slots
    constexpr unsigned kFull = 16;
    BatchQueue gathering;
    const auto tasks = std::make_unique<Task[]>(kTasks);
    std::vector<Atomic<int>> taken(kTasks);
    Atomic<unsigned> wrong{0};
    Atomic<bool> done{false};
    const auto hand_out = [&](Task *task) {
        const Task *first = task;
        for (unsigned count = 1; task != nullptr; ++count, task = task->next) {
            ++taken[static_cast<std::size_t>(task - tasks.get())];
            wrong += task->route.kind() != first->route.kind() || count > kFull;
        }
    };
    std::vector<std::thread> others;
    for (int t = 0; t < 2; ++t)
        others.emplace_back([&] {
            while (!done.load())
                for (unsigned slot = 0; slot < BatchQueue::kSlots; ++slot)
                    hand_out(gathering.take(slot));
        });
    for (unsigned i = 0; i < kTasks; ++i) {
        Task &task = tasks[i];
        task.route.set_kind(static_cast<unsigned>(1 + i / 3 % kKinds));
        hand_out(gathering.take_if(task.route.kind(), kFull));
        gathering.add(task);
    }
    done.store(true);
    for (std::thread &other : others)
        other.join();
    for (unsigned slot = 0; slot < BatchQueue::kSlots; ++slot)
        hand_out(gathering.take(slot));
    for (unsigned i = 0; i < kTasks; ++i)
        ASSERT_EQ(taken[i].load(), 1) << i;
    EXPECT_EQ(wrong.load(), 0u);
}

} // namespace
} // namespace loomp::core
