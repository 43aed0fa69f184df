// Detachable tasks complete with their body and their event, whichever comes last.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "core/taskgroup.h"
#include "support.h"

namespace loomp::core {
namespace {

TEST(Detach, EventBeforeTheBodyEnds) {
    test::in_single(2, [] {
        for (int i = 0; i < 100; ++i) {
            int done = 0;
            Task &task = test::make_task(
                [&done] {
                    fulfill(*Worker::current()->task);
                    done = 1;
                },
                kTied | kDetachable);
            spawn(*Worker::current(), task);
            taskwait();
            EXPECT_EQ(done, 1);
        }
    });
}

TEST(Detach, EventFromAnotherThreadAfterTheBody) {
    std::vector<std::thread> threads;
    std::atomic<int> fulfilled{0};
    test::in_single(2, [&] {
        int x = 0;
        for (int i = 0; i < 50; ++i) {
            Task &task = test::make_task([] {}, kTied | kDetachable);
            const Dependence out = test::on(&x, Access::inout);
            spawn(task, &out, 1);
            threads.emplace_back([&task, &fulfilled] {
                std::this_thread::sleep_for(std::chrono::microseconds(100));
                ++fulfilled;
                fulfill(task);
            });
            const int before = i;
            // The successor starts after the event, not after the body.
            test::spawn_task([&fulfilled, before] { EXPECT_GT(fulfilled, before); }, {out});
            if (i % 3 == 0)
                taskwait();
        }
        taskwait();
        EXPECT_EQ(fulfilled, 50);
    });
    for (std::thread &thread : threads)
        thread.join();
}

TEST(Detach, BothAtOnce) {
    std::vector<std::thread> threads;
    std::atomic<int> completed{0};
    for (int i = 0; i < 200; ++i) {
        Task *task = nullptr;
        std::atomic<bool> made{false};
        std::thread other;
        test::in_single(2, [&] {
            begin_taskgroup();
            task = &test::make_task([&made] { made = true; }, kTied | kDetachable);
            other = std::thread([&] {
                while (!made)
                    std::this_thread::yield();
                fulfill(*task);
            });
            spawn(*Worker::current(), *task);
            end_taskgroup();
            ++completed;
        });
        other.join();
    }
    EXPECT_EQ(completed, 200);
}

TEST(Detach, SuccessorsRunInTheOrderOfTheEvents) {
    test::in_single(1, [] {
        constexpr int kTasks = 20;
        int x[kTasks] = {};
        Task *held[kTasks];
        int bodies = 0;
        std::vector<int> order;
        for (int i = 0; i < kTasks; ++i) {
            const Dependence on_x = test::on(&x[i], Access::inout);
            held[i] = &test::make_task([&bodies] { ++bodies; }, kTied | kDetachable);
            spawn(*held[i], &on_x, 1);
            test::spawn_task([&order, i] { order.push_back(i); }, {on_x});
        }
        while (bodies < kTasks)
            taskyield();
        for (Task *task : held)
            fulfill(*task);
        taskwait();
        ASSERT_EQ(order.size(), std::size_t{kTasks});
        EXPECT_TRUE(std::is_sorted(order.begin(), order.end()));
    });
}

} // namespace
} // namespace loomp::core
