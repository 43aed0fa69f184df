// Tasks with priorities: highest first, equal ones in order of creation.
#include "runtime/core/scheduling/priority.h"

#include "runtime/core/environment/settings.h"
#include "runtime/core/scheduling/priority_graph.h"

#include <algorithm>
#include <chrono>
#include <memory>
#include <sched.h>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "platform/atomic.h"
#include "tests/unit/support.h"

namespace loomp::core {
namespace {

template <class F> void spawn_prioritized(F body, int priority) {
    Task &task = test::make_task(std::move(body));
    task.priority = priority;
    task.flags |= priority != 0 ? std::uint32_t{kPrioritized} : 0u;
    spawn(*Worker::current(), task);
}

template <class F> void in_three(F body) { test::in_parallel(3, body); }

TEST(Priority, ExactOrder) {
    PriorityQueue queue;
    EXPECT_EQ(queue.take(), nullptr);
    std::vector<std::unique_ptr<Task>> tasks;
    unsigned seed = 1;
    for (int i = 0; i < 5000; ++i) {
        tasks.push_back(std::make_unique<Task>());
        seed = seed * 1664525u + 1013904223u;
        tasks.back()->priority = static_cast<int>((seed >> 8) % 700) + 1;
        tasks.back()->flags = kPrioritized;
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

// A wait runs the tasks that it is for out of the worker's own queue, the latest first.
TEST(Priority, ComesFirstInAWait) {
    const test::AllTasksQueued queued;
    std::vector<int> order;
    test::in_single(1, [&] {
        const auto create_and = [&](auto wait) {
            spawn_prioritized([&] { order.push_back(1); }, 1);
            for (int i = 0; i < 3; ++i)
                test::spawn_task([&] { order.push_back(0); });
            wait();
        };
        create_and([] { taskwait(); });
        begin_taskgroup();
        create_and([] { end_taskgroup(); });
        taskwait();
    });
    EXPECT_EQ(order, (std::vector<int>{1, 0, 0, 0, 1, 0, 0, 0}));
}

// Its predecessor's worker would have run it next, but one with a priority comes first, and that
// may wait for it: for a lock that is held until it has run, say.
TEST(Priority, WhatWouldHaveRunNextIsSeenByOthers) {
    using Clock = std::chrono::steady_clock;
    Atomic<bool> begun{false};
    Atomic<bool> go_on{false};
    Atomic<bool> prioritized_begun{false};
    Atomic<bool> has_run{false};
    bool waited_in_vain = false;
    test::in_single(2, [&] {
        int x = 0;
        const Dependence on_x = test::on(&x, Access::inout);
        test::spawn_task(
            [&] {
                begun = true;
                while (!go_on)
                    sched_yield();
            },
            {on_x});
        test::spawn_task([&] { has_run = true; }, {on_x});
        while (!begun)
            sched_yield();
        spawn_prioritized(
            [&] {
                prioritized_begun = true;
                const auto end = Clock::now() + std::chrono::seconds(10);
                while (!has_run && Clock::now() < end)
                    sched_yield();
                waited_in_vain = !has_run;
            },
            1);
        go_on = true;
        while (!prioritized_begun)
            sched_yield();
        taskwait();
    });
    EXPECT_FALSE(waited_in_vain);
}

TEST(Priority, DecidesWhatRunsNext) {
    std::vector<int> order;
    test::in_single(1, [&] {
        for (int priority : {1, 5, 3, 9, 3, 0, 7}) {
            spawn_prioritized([&order, priority] { order.push_back(priority); }, priority);
        }
    });
    EXPECT_EQ(order, (std::vector<int>{9, 7, 5, 3, 3, 1, 0}));
}

TEST(Priority, ATaskTakesTheHighestOfAllQueues) {
    // Two members queue different priorities; a third takes them in the order of both together.
    std::vector<std::unique_ptr<Task>> tasks;
    std::vector<int> taken;
    Atomic<int> queued{0};
    in_three([&](Member &member) {
        if (member.num != 0) {
            member.team->note(Team::kPriorities);
            for (int i = 0; i < 10; ++i) {
                Task &task = *new Task();
                task.priority = 2 * i + member.num;
                task.flags = kPrioritized;
                queue_prioritized(member, task);
            }
            queued.fetch_add(1, std::memory_order_release);
            while (queued.load(std::memory_order_acquire) != 3)
                std::this_thread::yield();
            return;
        }
        while (queued.load(std::memory_order_acquire) != 2)
            std::this_thread::yield();
        while (Task *task = PrioritizedTasks::take(*Worker::current(), member)) {
            taken.push_back(task->priority);
            tasks.emplace_back(task);
        }
        queued.fetch_add(1, std::memory_order_release);
    });
    std::vector<int> expected;
    for (int i = 20; i > 0; --i)
        expected.push_back(i);
    EXPECT_EQ(taken, expected);
}

TEST(Priority, ALongQueueDoesNotGrow) {
    // The creator is throttled, or runs what comes first, so the queue stays short; every task
    // runs.
    constexpr int kTasks = 50000;
    Atomic<int> ran{0};
    std::size_t longest = 0;
    test::in_single(2, [&] {
        unsigned seed = 1;
        for (int i = 0; i < kTasks; ++i) {
            seed = seed * 1664525u + 1013904223u;
            spawn_prioritized([&] { ran.fetch_add(1, std::memory_order_relaxed); },
                              static_cast<int>(seed >> 2) + 1);
            longest = std::max(longest, prioritized_count(*Worker::current()->member));
        }
    });
    EXPECT_EQ(ran.load(), kTasks);
    EXPECT_LE(longest, kManyPrioritized + 1);
}

/// While it lives, priorities go to predecessors.
class Propagating {
  public:
    explicit Propagating(PriorityPropagation how, PriorityWhen when = PriorityWhen::creation) {
        mutable_settings().priority_propagation = how;
        mutable_settings().priority_when = when;
        propagates_priorities = true;
        discovery_watched = true;
    }
    ~Propagating() {
        mutable_settings().priority_propagation = PriorityPropagation::none;
        mutable_settings().priority_when = PriorityWhen::creation;
        propagates_priorities = false;
        discovery_watched = false;
    }
    Propagating(const Propagating &) = delete;
    Propagating &operator=(const Propagating &) = delete;
};

/// Chains of three tasks, all held by a first one; only the last of chain `i` has a priority, i
/// + 1. The order in which chains' tasks ran.
std::vector<int> order_of_chains(int chains) {
    std::vector<int> order;
    int gate = 0;
    std::vector<int> data(static_cast<std::size_t>(chains));
    const test::AllTasksQueued queued;
    test::in_single(1, [&] {
        test::spawn_task([] {}, {test::on(&gate, Access::inout)});
        for (int step = 0; step < 3; ++step) {
            for (int i = 0; i < chains; ++i) {
                Task &task = test::make_task([&order, i, step] { order.push_back(10 * i + step); });
                task.priority = step == 2 ? i + 1 : 0;
                task.flags |= task.priority != 0 ? std::uint32_t{kPrioritized} : 0u;
                const Dependence dependences[] = {
                    test::on(&gate, Access::in),
                    test::on(&data[static_cast<std::size_t>(i)], Access::inout)};
                spawn(task, dependences, 2);
            }
        }
    });
    return order;
}

TEST(PriorityGraph, EqualBringsWholeChainsForward) {
    const Propagating on(PriorityPropagation::equal);
    EXPECT_EQ(order_of_chains(3), (std::vector<int>{20, 21, 22, 10, 11, 12, 0, 1, 2}));
}

TEST(PriorityGraph, DecrementCountsTheSteps) {
    const Propagating on(PriorityPropagation::decrement);
    // The chains' tasks have the priorities 0 0 1, 0 1 2 and 1 2 3.
    EXPECT_EQ(order_of_chains(3), (std::vector<int>{20, 21, 22, 10, 11, 12, 0, 1, 2}));
    EXPECT_EQ(order_of_chains(1), (std::vector<int>{0, 1, 2}));
}

TEST(PriorityGraph, RedirectNodesPassPrioritiesOn) {
    const Propagating on(PriorityPropagation::equal);
    const test::AllTasksQueued queued;
    std::vector<int> order;
    int gate = 0;
    int a = 0;
    int b = 0;
    test::in_single(1, [&] {
        test::spawn_task([] {}, {test::on(&gate, Access::inout)});
        for (int *set : {&a, &b})
            for (int i = 0; i < 8; ++i)
                test::spawn_task([&order, set, &a] { order.push_back(set == &a ? 0 : 1); },
                                 {test::on(&gate, Access::in), test::on(set, Access::inoutset)});
        for (int i = 0; i < 2; ++i) {
            Task &task = test::make_task([&order] { order.push_back(2); });
            task.priority = i; // the second, which waits for the redirect node only
            task.flags |= i != 0 ? std::uint32_t{kPrioritized} : 0u;
            const Dependence dependence = test::on(&b, Access::in);
            spawn(task, &dependence, 1);
        }
    });
    ASSERT_EQ(order.size(), 18u);
    for (int i = 0; i < 8; ++i)
        EXPECT_EQ(order[static_cast<std::size_t>(i)], 1);
}

TEST(PriorityGraph, UnderThreadsEveryTaskRunsOnceAndInOrder) {
    for (const PriorityWhen when : {PriorityWhen::creation, PriorityWhen::idle}) {
        const Propagating on(PriorityPropagation::decrement, when);
        constexpr int kChains = 32;
        constexpr int kSteps = 200;
        std::vector<int> steps(kChains);
        Atomic<int> wrong{0};
        test::in_single(4, [&] {
            for (int step = 0; step < kSteps; ++step)
                for (int i = 0; i < kChains; ++i) {
                    int &mine = steps[static_cast<std::size_t>(i)];
                    Task &task = test::make_task([&mine, &wrong, step] {
                        if (mine++ != step)
                            wrong.fetch_add(1, std::memory_order_relaxed);
                    });
                    task.priority = step % 7 == 0 ? 1 + i * 3 : 0;
                    const Dependence dependence = test::on(&mine, Access::inout);
                    spawn(task, &dependence, 1);
                }
        });
        EXPECT_EQ(wrong.load(), 0);
        EXPECT_EQ(steps, std::vector<int>(kChains, kSteps));
    }
}

} // namespace
} // namespace loomp::core
