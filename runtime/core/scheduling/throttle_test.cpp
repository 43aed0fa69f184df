// Creators of too many tasks are throttled until some have completed, by number and by memory.
#include "runtime/core/scheduling/throttle.h"
#include "runtime/core/scheduling/throttled_creators.h"

#include <chrono>
#include <string>
#include <thread>

#include <gtest/gtest.h>

#include "platform/atomic.h"
#include "runtime/core/environment/settings.h"
#include "runtime/core/memory/task_budget.h"
#include "runtime/core/process/stats.h"
#include "tests/unit/support.h"

namespace loomp::core {
namespace {

// First, while no other thread counts.
TEST(Stats, InoutsetMakesTheSumOfEdgesNotTheProduct) {
    constexpr int kWriters = 20;
    constexpr int kReaders = 30;
    const DiscoveryStats before = sum_of_stats();
    const test::AllTasksQueued queued;
    int data = 0;
    test::in_single(1, [&] {
        for (int i = 0; i < kWriters; ++i)
            test::spawn_task([] {}, {test::on(&data, Access::inoutset)});
        for (int i = 0; i < kReaders; ++i)
            test::spawn_task([] {}, {test::on(&data, Access::in)});
    });
    const DiscoveryStats after = sum_of_stats();
    EXPECT_EQ(after.edges_made - before.edges_made, std::uint64_t{kWriters + kReaders});
    EXPECT_EQ(after.redirects - before.redirects, 1u);
}

TEST(Stats, TableNamesEveryCount) {
    const std::string table = format_stats();
    for (const char *word :
         {"tasks", "edges made", "edges pruned", "edges merged", "discovery", "steals", "parks",
          "suspensions", "peak live tasks", "peak task memory"})
        EXPECT_NE(table.find(word), std::string::npos) << word;
}

class AtMostTasks {
  public:
    explicit AtMostTasks(int count) {
        mutable_settings().max_tasks = count;
        discovery_watched = true;
    }
    ~AtMostTasks() {
        mutable_settings().max_tasks = 0;
        discovery_watched = false;
    }
    AtMostTasks(const AtMostTasks &) = delete;
    AtMostTasks &operator=(const AtMostTasks &) = delete;
};

void expect_bounded(int threads, int most) {
    const AtMostTasks limit(most);
    constexpr int kTasks = 20000;
    Atomic<int> ran{0};
    int created = 0;
    int ahead = 0;
    int chains[7] = {};
    test::in_single(threads, [&] {
        for (; created < kTasks; ++created) {
            test::spawn_task([&] { ran.fetch_add(1, std::memory_order_relaxed); },
                             {test::on(&chains[created % 7], Access::inout)});
            ahead = std::max(ahead, created - ran.load(std::memory_order_relaxed));
        }
    });
    EXPECT_EQ(ran.load(), kTasks);
    EXPECT_LE(ahead, most);
}

TEST(Throttle, NumberOfTasks) {
    for (const int most : {1, 2, 100, 1000})
        for (const int threads : {1, 2, 4})
            expect_bounded(threads, most);
}

TEST(Throttle, TheCreatorDoesNotRunTasksOnTopOfItself) {
    // The first task waits for what its creator does after it was throttled; a thread that ran
    // tasks on top of the creator would wait for ever in the second.
    const AtMostTasks limit(8);
    Atomic<bool> created_all{false};
    int data = 0;
    int other = 0;
    test::in_single(2, [&] {
        test::spawn_task(
            [&] {
                while (!created_all.load(std::memory_order_acquire))
                    taskyield();
            },
            {test::on(&data, Access::inout)});
        for (int i = 0; i < 100; ++i)
            test::spawn_task([] {}, {test::on(&other, Access::inout)});
        created_all.store(true, std::memory_order_release);
    });
    EXPECT_TRUE(created_all.load());
}

TEST(Throttle, NestedCreatorsGoOn) {
    const AtMostTasks limit(4);
    Atomic<int> ran{0};
    test::in_single(3, [&] {
        for (int i = 0; i < 50; ++i) {
            test::spawn_task(
                [&] {
                    int mine = 0;
                    for (int k = 0; k < 50; ++k)
                        test::spawn_task([&] { ran.fetch_add(1, std::memory_order_relaxed); },
                                         {test::on(&mine, Access::inout)});
                    taskwait();
                },
                {test::on(&ran, Access::in)});
        }
    });
    EXPECT_EQ(ran.load(), 2500);
}

// The thread that completes a child may resume the creator, on another thread, as soon as it can be
// resumed: then the thread that it leaves has nothing more to do with it. (ThreadSanitizer sees
// when it does.)
TEST(Throttle, ACreatorGoesOnWhileItIsStillBeingLeft) {
    const AtMostTasks limit(2);
    constexpr int kTasks = 5000;
    Atomic<int> ran{0};
    test::in_single(4, [&] {
        for (int creator = 0; creator < 2; ++creator)
            test::spawn_task(
                [&ran] {
                    int chains[2] = {};
                    for (int i = 0; i < kTasks; ++i)
                        test::spawn_task([&ran] { ran.fetch_add(1, std::memory_order_relaxed); },
                                         {test::on(&chains[i % 2], Access::inout)});
                    taskwait();
                },
                0);
    });
    EXPECT_EQ(ran.load(), 2 * kTasks);
}

TEST(Throttle, MemoryOfTasks) {
    // A gate holds all tasks until so much memory is taken that the creator must wait.
    const std::size_t before = reserved_for_tasks();
    constexpr std::size_t kRoom = std::size_t{4} << 20;
    mutable_settings().task_memory = before + kRoom;
    Atomic<int> ran{0};
    Atomic<bool> open{false};
    const std::uint64_t throttled_before = Worker::current()->discovery.throttled;
    constexpr int kTasks = 300000;
    int gate = 0;
    test::in_single(2, [&] {
        test::spawn_task(
            [&] {
                while (!open.load(std::memory_order_acquire) &&
                       throttled_creators.load(std::memory_order_relaxed) == 0)
                    taskyield();
            },
            {test::on(&gate, Access::inout)});
        for (int i = 0; i < kTasks; ++i)
            test::spawn_task([&] { ran.fetch_add(1, std::memory_order_relaxed); },
                             {test::on(&gate, Access::in)});
        open.store(true, std::memory_order_release);
    });
    mutable_settings().task_memory = 0;
    EXPECT_EQ(ran.load(), kTasks);
    EXPECT_GT(Worker::current()->discovery.throttled, throttled_before);
    // All of them would take 60 MiB and more.
    EXPECT_LE(reserved_for_tasks(), before + 3 * kRoom);
}

TEST(LeavingOff, NobodySleepsBesideACreatorThatMayGoOn) {
    // The state is as after a look at a long queue that thieves have emptied since: the creator is
    // not taken, nothing else is to be seen, and nobody will wake the worker.
    test::in_parallel(1, [](Member &member) {
        Worker &worker = *Worker::current();
        Suspension creator;
        member.throttled = &creator;
        Atomic<bool> too_late{false};
        std::thread rescue([&] {
            std::this_thread::sleep_for(std::chrono::seconds(2));
            too_late.store(true);
            member.team->event.notify_all();
        });
        idle_until(worker, member, [&too_late] { return too_late.load(); });
        EXPECT_FALSE(too_late.load());
        member.throttled = nullptr;
        rescue.join();
    });
}

TEST(TaskBudget, KnowsTheMachine) { EXPECT_GT(available_memory(), std::size_t{16} << 20); }

/// The bound as looked up when tasks have so much more.
std::size_t bound_with(std::size_t bytes) {
    reserve_for_tasks(bytes);
    take_from_tasks(bytes);
    return task_memory_bound();
}

TEST(TaskBudget, IsDividedAmongTheProcessesOfAJob) {
    if (available_memory() < std::size_t{1} << 30)
        GTEST_SKIP() << "less than 1 GiB is available";
    // Each time beyond where the look before put the next one.
    const std::size_t alone = bound_with(std::size_t{128} << 20);
    share_task_memory(4);
    const std::size_t shared = bound_with(std::size_t{256} << 20);
    share_task_memory(1);
    EXPECT_LT(shared, alone / 2);
    EXPECT_GT(shared, alone / 8);
}

} // namespace
} // namespace loomp::core
