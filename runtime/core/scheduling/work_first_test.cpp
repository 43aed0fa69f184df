// Tasks that run at once where they are created: what happens when they wait, create, yield, nest.
#include "runtime/core/scheduling/work_first.h"

#include <vector>

#include <gtest/gtest.h>

#include "platform/atomic.h"
#include "runtime/core/scheduling/taskgroup.h"
#include "runtime/core/scheduling/waiting.h"
#include "tests/unit/support.h"

namespace loomp::core {
namespace {

using test::on;

class Immediate : public ::testing::Test {
    void SetUp() override {
        if (!work_first_possible)
            GTEST_SKIP() << "not on this machine, or a sanitizer watches";
    }
};

TEST_F(Immediate, RunsBeforeItsCreatorGoesOn) {
    int ran = 0;
    test::in_single(1, [&] {
        for (int i = 0; i < 1000; ++i) {
            test::spawn_task([&ran] { ++ran; });
            EXPECT_EQ(ran, i + 1);
        }
    });
}

TEST_F(Immediate, HasAStackOfItsOwnAndItsOwnTask) {
    test::in_single(1, [] {
        const Worker &worker = *Worker::current();
        const Task *creator = worker.task;
        const Stack *stack = worker.stack;
        test::spawn_task([&] {
            EXPECT_NE(worker.task, creator);
            EXPECT_EQ(worker.task->parent, creator);
            EXPECT_NE(worker.stack, stack);
        });
        EXPECT_EQ(worker.task, creator);
        EXPECT_EQ(worker.stack, stack);
    });
}

TEST_F(Immediate, ItsCreatorGoesOnWhenItWaits) {
    // Each waits for the one created after it: the last one lets all of them end.
    constexpr int kTasks = 200;
    for (const std::uint32_t flags : {std::uint32_t{kTied}, 0u}) {
        std::vector<Suspension *> waiting;
        int ended = 0;
        test::in_single(1, [&] {
            for (int i = 0; i < kTasks; ++i)
                test::spawn_task(
                    [&] {
                        Suspension self;
                        suspend(
                            self, [](void *) { return true; }, (waiting.push_back(&self), nullptr));
                        ++ended;
                    },
                    flags);
            EXPECT_EQ(ended, 0);
            for (Suspension *suspension : waiting)
                make_resumable(*suspension);
            taskwait();
            EXPECT_EQ(ended, kTasks);
        });
    }
}

TEST_F(Immediate, GoesOnItselfWhenWhatItAwaitsHolds) {
    int steps = 0;
    test::in_single(1, [&] {
        test::spawn_task([&] {
            Suspension self;
            suspend(self, [](void *) { return false; }, nullptr);
            ++steps;
        });
        taskwait();
        EXPECT_EQ(steps, 1);
    });
}

TEST_F(Immediate, YieldsToItsCreator) {
    std::vector<int> order;
    test::in_single(1, [&] {
        test::spawn_task([&] {
            order.push_back(1);
            taskyield();
            order.push_back(3);
        });
        order.push_back(2);
        taskwait();
    });
    EXPECT_EQ(order, (std::vector<int>{1, 2, 3}));
}

void descend(int levels, Atomic<int> &count) {
    ++count;
    if (levels == 0)
        return;
    for (int i = 0; i < 2; ++i)
        test::spawn_task([levels, &count] { descend(levels - 1, count); });
    if (levels % 3 == 0)
        taskwait();
}

TEST_F(Immediate, NestsAndIsQueuedBeyondALimit) {
    for (int threads : {1, 2}) {
        Atomic<int> count{0};
        test::in_single(threads, [&] { descend(12, count); });
        EXPECT_EQ(count, (1 << 13) - 1);
    }
    // A chain, each task created by the one before: deeper than there are stacks to spare.
    int links = 0;
    struct Link {
        int &links;
        void operator()() const {
            if (++links < 100000)
                test::spawn_task(Link{links});
        }
    };
    test::in_single(1, [&] { test::spawn_task(Link{links}); });
    EXPECT_EQ(links, 100000);
}

TEST_F(Immediate, TaskgroupsCountThoseThatWait) {
    for (int threads : {1, 3}) {
        Atomic<int> ended{0};
        test::in_single(threads, [&] {
            for (int round = 0; round < 50; ++round) {
                begin_taskgroup();
                for (int i = 0; i < 20; ++i)
                    test::spawn_task([&, i] {
                        if (i % 3 == 0)
                            taskyield();
                        begin_taskgroup();
                        test::spawn_task([&, i] {
                            if (i % 2 == 0)
                                taskyield();
                            ++ended;
                        });
                        end_taskgroup();
                        ++ended;
                    });
                end_taskgroup();
                EXPECT_EQ(ended, 40 * (round + 1));
            }
        });
    }
}

TEST_F(Immediate, DependencesOfATaskThatWaitsHoldBackLaterOnes) {
    int x = 0;
    std::vector<int> order;
    Suspension *waiting = nullptr;
    test::in_single(1, [&] {
        test::spawn_task([&] { order.push_back(0); }, {on(&x, Access::inout)});
        test::spawn_task(
            [&] {
                Suspension self;
                waiting = &self;
                suspend(self, [](void *) { return true; }, nullptr);
                order.push_back(1);
            },
            {on(&x, Access::inout)});
        test::spawn_task([&] { order.push_back(2); }, {on(&x, Access::in)});
        test::spawn_task([&] { order.push_back(3); }, {on(&x, Access::inout)});
        EXPECT_EQ(order, std::vector<int>{0});
        make_resumable(*waiting);
        taskwait();
        // Complete again: nothing to wait for.
        test::spawn_task([&] { order.push_back(4); }, {on(&x, Access::inout)});
        EXPECT_EQ(order, (std::vector<int>{0, 1, 2, 3, 4}));
    });
}

TEST_F(Immediate, RegionsNestedInItKeepItsWorker) {
    Atomic<int> ran{0};
    test::in_single(1, [&] {
        for (int i = 0; i < 20; ++i)
            test::spawn_task([&] {
                test::in_parallel(3, [&](Member &) {
                    for (int j = 0; j < 10; ++j)
                        test::spawn_task([&] {
                            taskyield();
                            ++ran;
                        });
                    taskwait();
                });
                taskyield();
                ++ran;
            });
    });
    EXPECT_EQ(ran, 20 * 31);
}

TEST_F(Immediate, AFullQueueIsRefilled) {
    // More tasks than the queue holds before tasks run at once, with thieves that empty it.
    for (int round = 0; round < 20; ++round) {
        Atomic<int> ran{0};
        test::in_single(4, [&] {
            for (int i = 0; i < 5000; ++i)
                test::spawn_task([&ran, i] {
                    ++ran;
                    if (i % 100 == 0)
                        taskyield();
                });
        });
        EXPECT_EQ(ran, 5000);
    }
}

} // namespace
} // namespace loomp::core
