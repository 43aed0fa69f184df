// Iterations that are created ahead and cut off: what runs, what is discarded, who waits.
#include "runtime/core/scheduling/speculation.h"

#include <chrono>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "platform/atomic.h"
#include "tests/unit/support.h"

namespace loomp::core {
namespace {

/// Chains of one task an iteration, each waiting for the one before; the task of iteration `last`
/// cuts off the rest. Returns which ran; `begun`: how many iterations there were.
std::vector<int> run_chain(int threads, int iterations, int last, int *begun) {
    std::vector<int> ran;
    int link = 0;
    const test::AllTasksQueued queued;
    test::in_single(threads, [&] {
        Speculation speculation;
        for (int i = 0; i < iterations && speculation.next() >= 0; ++i)
            test::spawn_task(
                [&ran, &speculation, i, last] {
                    EXPECT_EQ(iteration_of(*Worker::current()->task).number, i);
                    ran.push_back(i);
                    if (i == last)
                        speculation.cut_after(i);
                },
                {test::on(&link, Access::inout)});
        speculation.wait();
        *begun = speculation.begun();
        EXPECT_EQ(speculation.last(), last < iterations ? last : Speculation::kUncut);
        EXPECT_TRUE(speculation.completed_up_to(*begun - 1));
        EXPECT_FALSE(speculation.completed_up_to(*begun));
        EXPECT_EQ(iteration_of(*Worker::current()->task).speculation, nullptr);
    });
    return ran;
}

TEST(Speculation, TasksOfLaterIterationsAreDiscarded) {
    for (int threads : {1, 3}) {
        int begun = 0;
        EXPECT_EQ(run_chain(threads, 20, 4, &begun), (std::vector<int>{0, 1, 2, 3, 4}));
        EXPECT_GE(begun, 5);
        EXPECT_EQ(run_chain(threads, 3, 7, &begun), (std::vector<int>{0, 1, 2}));
        EXPECT_EQ(begun, 3);
    }
}

TEST(Speculation, IterationsUpToTheLastAreCompleted) {
    // Tasks of the same iteration that do not precede the deciding one run all the same, nested
    // ones among them.
    Atomic<int> ran{0};
    test::in_single(2, [&] {
        Speculation speculation;
        for (int i = 0; i < 3; ++i) {
            if (speculation.next() < 0)
                break;
            if (i == 0)
                test::spawn_task([&speculation] { speculation.cut_after(0); });
            if (i > 0)
                continue;
            for (int j = 0; j < 50; ++j)
                test::spawn_task([&ran, &speculation] {
                    test::spawn_task([&ran, &speculation] {
                        EXPECT_EQ(iteration_of(*Worker::current()->task).speculation, &speculation);
                        ran.fetch_add(1);
                    });
                });
        }
        speculation.wait();
    });
    EXPECT_EQ(ran.load(), 50);
}

TEST(Speculation, AnIterationIsNotCompleteBeforeItsLastTask) {
    test::in_single(2, [] {
        Speculation speculation;
        EXPECT_EQ(speculation.next(), 0);
        Atomic<bool> waiting{false};
        test::spawn_task([&] {
            // The owner waits, or is just about to.
            while (!waiting.load())
                std::this_thread::yield();
            std::this_thread::sleep_for(std::chrono::milliseconds(20));
            EXPECT_FALSE(speculation.completed_up_to(0));
        });
        waiting = true;
        speculation.wait();
        EXPECT_TRUE(speculation.completed_up_to(0));
    });
}

TEST(Speculation, TheEarliestCutCounts) {
    test::in_single(1, [&] {
        Speculation speculation;
        for (int i = 0; i < 6; ++i)
            EXPECT_EQ(speculation.next(), i);
        speculation.cut_after(4);
        speculation.cut_after(2);
        speculation.cut_after(3);
        EXPECT_EQ(speculation.last(), 2);
        EXPECT_EQ(speculation.next(), -1);
        speculation.wait();
    });
}

} // namespace
} // namespace loomp::core
