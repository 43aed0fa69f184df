// Detachable tasks complete with their body and their event, whichever comes last.
#include <algorithm>
#include <chrono>
#include <set>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "platform/atomic.h"
#include "runtime/core/scheduling/detach_event.h"
#include "runtime/core/scheduling/task_allocation.h"
#include "runtime/core/scheduling/taskgroup.h"
#include "tests/unit/support.h"

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
    Atomic<int> fulfilled{0};
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
    Atomic<int> completed{0};
    for (int i = 0; i < 200; ++i) {
        Task *task = nullptr;
        Atomic<bool> made{false};
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

/// A detached task of the calling thread's, outside of regions.
Task &run_detached() {
    Task &task = test::make_task([] {}, kTied | kDetachable);
    run_undeferred(task);
    return task;
}

TEST(Detach, EventAfterTheEndOfTheThread) {
    Task *left = nullptr;
    const Team *root = nullptr;
    std::thread([&] {
        left = &run_detached();
        root = Worker::current()->root_team;
    }).join();
    // The next thread has the same worker, but not the team, which the task belongs to still.
    std::thread([&] {
        EXPECT_NE(Worker::current()->root_team, root);
        Task &own = run_detached();
        fulfill(*left);
        Atomic<bool> fulfilled{false};
        std::thread other([&] {
            std::this_thread::sleep_for(std::chrono::milliseconds(20));
            fulfilled = true;
            fulfill(own);
        });
        taskwait();
        EXPECT_TRUE(fulfilled);
        other.join();
    }).join();
    // Now nothing needs it any more. `other` may have taken it, or the team of the thread before.
    std::vector<const Team *> spare;
    std::vector<Task *> keepers;
    for (int i = 0; i < 3; ++i)
        std::thread([&] {
            spare.push_back(Worker::current()->root_team);
            keepers.push_back(&run_detached());
        }).join();
    EXPECT_NE(std::find(spare.begin(), spare.end(), root), spare.end());
    for (Task *keeper : keepers)
        fulfill(*keeper);
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

TEST(Detach, AnEventIsSettledOnceAndItsHandleIsNeverAnothers) {
    test::in_single(1, [] {
        Worker &worker = *Worker::current();
        Task &task = *allocate_task(worker, *worker.task, 0, kTied);
        std::set<EventHandle> handles;
        for (int i = 0; i < 1000; ++i) {
            const EventHandle handle = make_event(task);
            EXPECT_TRUE(handles.insert(handle).second);
            EXPECT_EQ(settle_event(handle), &task);
            EXPECT_EQ(settle_event(handle), nullptr);
            EXPECT_EQ(settle_event(*handles.begin()), nullptr);
        }
        EXPECT_EQ(settle_event(0), nullptr);
        discard_task(task);
    });
}

} // namespace
} // namespace loomp::core
