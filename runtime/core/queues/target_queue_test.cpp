// Ready tasks that need no worker: workers take them, or a thread without a task.
#include "runtime/core/queues/target_queue.h"

#include <thread>

#include <gtest/gtest.h>

#include "platform/atomic.h"
#include "tests/unit/support.h"

namespace loomp::core {
namespace {

constexpr TaskFlags kTargetTask = kTied | kTarget;

/// Makes a task like a front end's that begins on a device.
template <class F> Task &make_target_task(F body, TaskFlags flags = kTargetTask) {
    Task &task = test::make_task(std::move(body), flags);
    task.route.set_begins_on_device(true);
    return task;
}

/// Runs a task that workers left, like a thread without a task.
bool run_any() {
    Task *task = TargetQueue::pop_any();
    if (task == nullptr)
        return false;
    execute(*task);
    flush_completions(*Worker::current());
    return true;
}

/// Such a thread, during this object's life.
class Outsider {
  public:
    ~Outsider() {
        ends_ = true;
        thread_.join();
    }

  private:
    Atomic<bool> ends_{false};
    std::thread thread_{[this] {
        while (!ends_)
            if (!run_any())
                std::this_thread::yield();
    }};
};

TEST(TargetQueue, HoldsWhatBeginsOnADeviceAndNothingElse) {
    test::in_parallel(1, [](Member &) {
        Task &task = make_target_task([] {});
        EXPECT_TRUE(needs_no_worker(task));
        task.route.set_begins_on_device(false);
        EXPECT_FALSE(needs_no_worker(task)) << "it may be host code";
        task.route.set_begins_on_device(true);
        for (const TaskFlags flag : {TaskFlags{kUndeferred}, TaskFlags{kPrioritized},
                                     TaskFlags{kFusible}, TaskFlags{kExclusive}}) {
            task.flags |= flag;
            EXPECT_FALSE(needs_no_worker(task)) << flag;
            task.flags &= ~flag;
        }
        discard_task(task);
    });
}

TEST(TargetQueue, GivesTasksOfAllTeamsInTurn) {
    TargetQueue a;
    TargetQueue b;
    test::in_parallel(1, [&](Member &) {
        Task *tasks[6];
        for (Task *&task : tasks)
            task = &make_target_task([] {});
        EXPECT_EQ(TargetQueue::left_since(), 0);
        (void)TargetQueue::taken();
        for (int i = 0; i < 4; ++i)
            a.push(*tasks[i]);
        b.push(*tasks[4]);
        b.push(*tasks[5]);
        EXPECT_NE(TargetQueue::left_since(), 0);
        EXPECT_EQ(TargetQueue::pop_any(), tasks[0]);
        EXPECT_EQ(TargetQueue::pop_any(), tasks[4]);
        EXPECT_EQ(TargetQueue::pop_any(), tasks[1]);
        EXPECT_EQ(b.pop(), tasks[5]);
        EXPECT_EQ(b.pop(), nullptr);
        EXPECT_EQ(TargetQueue::pop_any(), tasks[2]);
        EXPECT_EQ(a.pop(), tasks[3]);
        EXPECT_EQ(TargetQueue::pop_any(), nullptr);
        EXPECT_EQ(TargetQueue::left_since(), 0);
        EXPECT_EQ(TargetQueue::taken(), 6);
        EXPECT_EQ(TargetQueue::taken(), 0);
        for (Task *task : tasks)
            discard_task(*task);
    });
}

TEST(TargetQueue, AChainGoesOnWhileAllWorkersAreInTasks) {
    const Outsider outsider;
    for (const int threads : {1, 2, 3}) {
        constexpr int kLinks = 200;
        Atomic<int> done{0};
        test::in_single(threads, [&] {
            int cell = 0;
            for (int i = 0; i < kLinks; ++i) {
                Task &task = make_target_task([&, i] {
                    EXPECT_EQ(done, i);
                    ++done;
                });
                const Dependence dependence = test::on(&cell, Access::inout);
                spawn(task, &dependence, 1);
            }
            for (int t = 0; t < threads; ++t)
                test::spawn_task([&] {
                    while (done < kLinks)
                        std::this_thread::yield();
                });
            taskwait();
        });
        EXPECT_EQ(done, kLinks);
    }
}

TEST(TargetQueue, WorkersAndOthersRunEachTaskOnce) {
    const Outsider one;
    const Outsider another;
    constexpr int kTasks = 4000;
    Atomic<int> device{0};
    Atomic<int> host{0};
    test::in_single(3, [&] {
        int cells[8] = {};
        for (int i = 0; i < kTasks; ++i) {
            const Dependence dependence = test::on(&cells[i % 8], Access::inout);
            if (i % 3 == 0)
                spawn(*Worker::current(), make_target_task([&] { ++device; }));
            else if (i % 3 == 1)
                spawn(make_target_task([&] { ++device; }), &dependence, 1);
            else
                test::spawn_task([&] { ++host; }, {dependence});
        }
        taskwait();
        EXPECT_EQ(device + host, kTasks);
    });
    EXPECT_EQ(host, kTasks / 3);
}

TEST(TargetQueue, AHeldTaskThatAnOutsiderBeganCompletesOnceReleased) {
    const Outsider outsider;
    Atomic<Task *> held{nullptr};
    Atomic<bool> came_after{false};
    test::in_single(2, [&] {
        int cell = 0;
        const Dependence dependence = test::on(&cell, Access::inout);
        spawn(make_target_task([&] { held = hold(1); }), &dependence, 1);
        test::spawn_task([&] { came_after = true; }, {dependence});
        for (int t = 0; t < 2; ++t)
            test::spawn_task([&] {
                while (held == nullptr)
                    std::this_thread::yield();
            });
        while (held == nullptr)
            std::this_thread::yield();
        EXPECT_FALSE(came_after);
        release_holds(*held, 1);
        taskwait();
        EXPECT_TRUE(came_after);
    });
}

} // namespace
} // namespace loomp::core
