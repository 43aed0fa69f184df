// Producers first: a creator of tasks without dependences neither runs them nor waits until few are
// left, until tasks take the memory that they may.
#include "platform/atomic.h"

#include <gtest/gtest.h>

#include "runtime/core/environment/settings.h"
#include "runtime/core/memory/task_budget.h"
#include "runtime/core/process/stats.h"
#include "runtime/core/scheduling/spawning.h"
#include "runtime/core/scheduling/throttle.h"
#include "tests/unit/support.h"

namespace loomp::core {
namespace {

/// Outside regions.
class ProducersFirst {
  public:
    ProducersFirst() { producers_first = true; }
    ~ProducersFirst() { producers_first = false; }
    ProducersFirst(const ProducersFirst &) = delete;
    ProducersFirst &operator=(const ProducersFirst &) = delete;
};

constexpr int kTasks = 5000;

/// Every other thread of the team is busy until the creator has created all of its tasks: should it
/// wait, nobody would ever end. `prepare` may change a task before it is spawned.
template <class F> void expect_all_created_first(int threads, F prepare) {
    Atomic<int> ran{0};
    Atomic<int> busy{0};
    Atomic<bool> created{false};
    int ran_before = 0;
    test::in_single(threads, [&] {
        for (int thread = 1; thread < threads; ++thread)
            test::spawn_task([&] {
                busy.fetch_add(1, std::memory_order_relaxed);
                while (!created.load(std::memory_order_acquire))
                    ;
            });
        while (busy.load(std::memory_order_relaxed) < threads - 1)
            ;
        for (int i = 0; i < kTasks; ++i) {
            Task &task = test::make_task([&] { ran.fetch_add(1, std::memory_order_relaxed); });
            prepare(task, i);
            spawn(*Worker::current(), task);
        }
        ran_before = ran.load(std::memory_order_relaxed);
        created.store(true, std::memory_order_release);
    });
    EXPECT_EQ(ran_before, 0) << threads << " threads";
    EXPECT_EQ(ran.load(), kTasks);
}

TEST(ProducersFirst, ACreatorNeitherRunsNewTasksNorWaits) {
    const ProducersFirst on;
    for (const int threads : {1, 2, 4})
        expect_all_created_first(threads, [](Task &, int) {});
}

TEST(ProducersFirst, TasksWithPrioritiesNeither) {
    const ProducersFirst on;
    for (const int threads : {1, 2, 4})
        expect_all_created_first(threads, [](Task &task, int i) {
            task.priority = i % 3;
            task.flags |= task.priority != 0 ? std::uint32_t{kPrioritized} : 0u;
        });
}

TEST(ProducersFirst, OnlyWhereAskedFor) {
    Atomic<int> ran{0};
    int ran_before = 0;
    test::in_single(1, [&] {
        for (int i = 0; i < kTasks; ++i)
            test::spawn_task([&] { ran.fetch_add(1, std::memory_order_relaxed); });
        ran_before = ran.load(std::memory_order_relaxed);
    });
    EXPECT_GT(ran_before, 0);
    EXPECT_EQ(ran.load(), kTasks);
}

TEST(ProducersFirst, MemoryBoundsThem) {
    const ProducersFirst on;
    constexpr std::size_t kRoom = std::size_t{4} << 20;
    constexpr int kMany = 300000; // 60 MiB and more, all at once
    for (const int threads : {1, 2}) {
        const std::size_t before = reserved_for_tasks();
        const std::uint64_t throttled_before = sum_of_stats().throttled;
        mutable_settings().task_memory = before + kRoom;
        Atomic<int> ran{0};
        test::in_single(threads, [&] {
            for (int i = 0; i < kMany; ++i)
                test::spawn_task([&] { ran.fetch_add(1, std::memory_order_relaxed); });
        });
        mutable_settings().task_memory = 0;
        EXPECT_EQ(ran.load(), kMany);
        if (threads == 1) {
            EXPECT_GT(sum_of_stats().throttled, throttled_before);
        }
        EXPECT_LE(reserved_for_tasks(), before + 3 * kRoom);
    }
}

} // namespace
} // namespace loomp::core
