// A task of its own: what it contains does not disturb the code around it, and the other way round.
#include "runtime/core/regions/own_task.h"

#include <sched.h>

#include <gtest/gtest.h>

#include "runtime/core/progress/poller.h"
#include "runtime/core/team/icv.h"
#include "tests/unit/support.h"

namespace loomp::core {
namespace {

template <class F> void in_own_task(F body) {
    run_in_own_task([](void *data) { (*static_cast<F *>(data))(); }, &body);
}

/// A chain of tasks, others that yield, a wait, and a region.
int use_everything() {
    Atomic<int> done{0};
    static int location;
    int last = 0;
    for (int i = 0; i < 5; ++i) {
        test::spawn_task(
            [&, i] {
                last = i;
                ++done;
            },
            {test::on(&location, Access::inout)});
        test::spawn_task([&done] {
            taskyield();
            ++done;
        });
    }
    taskwait();
    EXPECT_EQ(last, 4);
    test::in_parallel(2, [&done](Member &) {
        test::spawn_task([&done] { ++done; });
        taskwait();
    });
    return done;
}

TEST(OwnTask, RunsOnItsThreadAndLeavesTheTaskBelowAsItWas) {
    Atomic<int> right{0};
    test::in_single(3, [&right] {
        for (int i = 0; i < 100; ++i)
            test::spawn_task([&right] {
                Worker &worker = *Worker::current();
                Task *const task = worker.task;
                Member *const member = worker.member;
                in_own_task([&] {
                    EXPECT_EQ(Worker::current(), &worker);
                    EXPECT_NE(worker.task, task);
                    const int done = use_everything();
                    EXPECT_EQ(Worker::current(), &worker);
                    right += done == 11 ? 1 : 0; // the region has one thread
                });
                EXPECT_EQ(worker.task, task);
                EXPECT_EQ(worker.member, member);
                test::spawn_task([] { taskyield(); });
                taskwait();
            });
    });
    EXPECT_EQ(right, 100);
}

TEST(OwnTask, WithinAnotherAndOutsideRegionsIsTheTaskThere) {
    Task *const outside = Worker::current()->task;
    in_own_task([outside] { EXPECT_EQ(Worker::current()->task, outside); });
    test::in_parallel(2, [](Member &) {
        in_own_task([] {
            Task *const own = Worker::current()->task;
            in_own_task([own] { EXPECT_EQ(Worker::current()->task, own); });
        });
    });
}

TEST(OwnTask, HasTheIcvsOfTheTaskBelowAndKeepsNone) {
    test::in_single(2, [] {
        test::spawn_task([] {
            Task &below = *Worker::current()->task;
            change_icvs(below, [](IcvValues &icvs) {
                icvs.max_active_levels = 2;
                icvs.num_threads = 3;
            });
            for (int round = 0; round < 2; ++round)
                in_own_task([] {
                    Task &own = *Worker::current()->task;
                    EXPECT_EQ(own.icvs->num_threads, 3);
                    change_icvs(own, [](IcvValues &icvs) { icvs.num_threads = 2; });
                    Atomic<int> members{0};
                    test::in_parallel(0, [&members](Member &) { ++members; });
                    EXPECT_EQ(members, 2);
                });
            EXPECT_EQ(below.icvs->num_threads, 3);
        });
    });
}

/// Called back by a poller, on whatever thread polls, also between regions.
TEST(OwnTask, BelowAPollerBetweenTasksAndRegions) {
    static Atomic<int> calls{0};
    static Atomic<int> right{0};
    const PollFn poll = [](void *) {
        ++calls;
        in_own_task(
            [] { right += use_everything() >= 11 ? 1 : 0; }); // the helper has regions of two
        return 0;
    };
    Poller *poller = register_poller("own", poll, nullptr);
    ASSERT_NE(poller, nullptr);
    expect(*poller, 1);
    for (int round = 0; round < 300 || calls < 50; ++round)
        test::in_single(2 + round % 3, [] {
            for (int i = 0; i < 10; ++i)
                test::spawn_task([] {
                    taskyield();
                    sched_yield();
                });
        });
    unregister_poller(*poller);
    EXPECT_EQ(right, calls);
}

} // namespace
} // namespace loomp::core
