// A cancelled construct concerns its team only, and only until it ends: other tasks go on being run
// at once where they are created, in the memory of one.
// env: OMP_CANCELLATION=true
#include "runtime/core/scheduling/cancellation.h"

#include <pthread.h>
#include <sched.h>
#include <thread>

#include <gtest/gtest.h>

#include "platform/atomic.h"
#include "runtime/core/scheduling/speculation.h"
#include "runtime/core/scheduling/taskgroup.h"
#include "tests/unit/support.h"

namespace loomp::core {
namespace {

constexpr int kMany = 20'000;

/// Descriptors that were made while the calling thread's running task created `kMany` empty ones.
std::uint64_t descriptors_for_many() {
    const Worker &worker = *Worker::current();
    const std::uint64_t before = worker.task_blocks.blocks_made();
    for (int i = 0; i < kMany; ++i)
        test::spawn_task([] {});
    return worker.task_blocks.blocks_made() - before;
}

/// Those that a queue holds before tasks are run at once, in teams as small as these.
constexpr std::uint64_t kFewDescriptors = 200;

void expect_immediate_execution() {
    const std::uint64_t most = work_first_possible ? kFewDescriptors : kMany;
    EXPECT_LE(descriptors_for_many(), most);
}

void cancel_a_taskgroup() {
    begin_taskgroup();
    int ran = 0;
    test::spawn_task([&ran] {
        ++ran;
        EXPECT_TRUE(cancel(CancelKind::taskgroup));
    });
    taskwait();
    test::spawn_task([&ran] { ++ran; });
    end_taskgroup();
    EXPECT_EQ(ran, 1);
}

TEST(Cancellation, IsOverWhenTheTaskgroupEnds) {
    test::in_parallel(1, [](Member &) {
        cancel_a_taskgroup();
        expect_immediate_execution();
    });
    test::in_parallel(1, [](Member &) { expect_immediate_execution(); });
}

TEST(Cancellation, IsOverWhenTheRegionEnds) {
    test::in_parallel(2, [](Member &) { EXPECT_TRUE(cancel(CancelKind::parallel)); });
    test::in_parallel(1, [](Member &) { expect_immediate_execution(); });
    test::in_parallel(2, [](Member &member) {
        EXPECT_FALSE(anything_cancelled(*member.team));
        Atomic<int> ran{0};
        for (int i = 0; i < 10; ++i)
            test::spawn_task([&ran] { ++ran; });
        taskwait();
        EXPECT_EQ(ran, 10);
    });
}

TEST(Cancellation, IsOverWhenASpeculationEnds) {
    test::in_parallel(1, [](Member &member) {
        bool ran = false;
        {
            Speculation speculation;
            EXPECT_EQ(speculation.next(), 0);
            EXPECT_EQ(speculation.next(), 1);
            speculation.cut_after(0);
            speculation.cut_after(0);
            test::spawn_task([&ran] { ran = true; });
            EXPECT_TRUE(anything_cancelled(*member.team));
            speculation.wait();
        }
        EXPECT_FALSE(ran);
        EXPECT_FALSE(anything_cancelled(*member.team));
        expect_immediate_execution();
    });
}

// Several members cancel one group, which ends once.
TEST(Cancellation, IsToldOnceOfEachGroup) {
    test::in_parallel(4, [](Member &member) {
        if (member.num != 0)
            return;
        for (int round = 0; round < 200; ++round) {
            begin_taskgroup();
            for (int i = 0; i < 8; ++i)
                test::spawn_task([] { cancel(CancelKind::taskgroup); });
            end_taskgroup();
            EXPECT_FALSE(anything_cancelled(*member.team));
        }
    });
}

TEST(Cancellation, OtherTeamsDoNotLearnOfIt) {
    Atomic<bool> cancelled{false};
    Atomic<bool> looked{false};
    std::thread other([&] {
        while (!cancelled)
            sched_yield();
        test::in_parallel(1, [](Member &) { expect_immediate_execution(); });
        looked = true;
    });
    test::in_parallel(2, [&](Member &member) {
        if (member.num != 0)
            return;
        begin_taskgroup();
        cancel(CancelKind::taskgroup);
        cancelled = true;
        // A nested region is another team, and its tasks are in none of these groups.
        test::in_parallel(1, [](Member &) { expect_immediate_execution(); });
        while (!looked)
            sched_yield();
        end_taskgroup();
    });
    other.join();
}

TEST(Cancellation, TasksOutsideTheGroupAreRunAtOnce) {
    test::in_parallel(1, [](Member &member) {
        bool cancelled = false;
        bool go_on = false;
        test::spawn_task([&] {
            begin_taskgroup();
            cancelled = cancel(CancelKind::taskgroup);
            while (!go_on)
                taskyield();
            end_taskgroup();
        });
        while (!cancelled)
            taskyield();
        EXPECT_TRUE(anything_cancelled(*member.team));
        expect_immediate_execution();
        go_on = true;
        taskwait();
        EXPECT_FALSE(anything_cancelled(*member.team));
    });
}

TEST(Cancellation, ACancelledGroupMayCreateTasksForLong) {
    test::in_parallel(1, [](Member &) {
        begin_taskgroup();
        cancel(CancelKind::taskgroup);
        const Worker &worker = *Worker::current();
        const std::uint64_t before = worker.task_blocks.blocks_made();
        int ran = 0;
        int data = 0;
        for (int i = 0; i < kMany; ++i) {
            test::spawn_task([&ran] { ++ran; });
            test::spawn_task([&ran] { ++ran; }, {test::on(&data, Access::inout)});
        }
        const std::uint64_t most = work_first_possible ? kFewDescriptors : 2 * kMany;
        EXPECT_LE(worker.task_blocks.blocks_made() - before, most);
        end_taskgroup();
        EXPECT_EQ(ran, 0);
    });
}

// Groups within the cancelled one, owned by tasks that run anywhere in the team.
TEST(Cancellation, ReachesGroupsWithinTheGroup) {
    for (int round = 0; round < 50; ++round) {
        Atomic<int> inside{0};
        Atomic<int> ran{0};
        Atomic<bool> cancelled{false};
        test::in_single(4, [&] {
            begin_taskgroup();
            for (int i = 0; i < 4; ++i)
                test::spawn_task([&] {
                    begin_taskgroup();
                    ++inside;
                    while (!cancelled)
                        taskyield();
                    for (int k = 0; k < 100; ++k)
                        test::spawn_task([&ran] { ++ran; });
                    end_taskgroup();
                });
            while (inside != 4)
                taskyield();
            cancel(CancelKind::taskgroup);
            cancelled = true;
            end_taskgroup();
        });
        EXPECT_EQ(ran, 0);
    }
}

} // namespace
} // namespace loomp::core
