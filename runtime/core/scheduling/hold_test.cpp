// Holds: a task that puts off its own completion is waited for until they are released, by
// whomever, before or after its end; so are its dependences.
#include <deque>
#include <thread>

#include <gtest/gtest.h>

#include "loomp/loomp.h"
#include "platform/atomic.h"
#include "platform/system_mutex.h"
#include "runtime/core/scheduling/waiting.h"
#include "tests/unit/support.h"

namespace loomp::core {
namespace {

using test::on;

/// A thread of no region that releases what it is given.
class Releaser {
  public:
    Releaser() : thread_([this] { work(); }) {}
    ~Releaser() {
        done_ = true;
        thread_.join();
    }
    void give(loomp_held_task_t *task, unsigned count) {
        const std::lock_guard<SystemMutex> guard(lock_);
        held_.push_back({task, count});
    }
    Atomic<int> released{0};

  private:
    struct Held {
        loomp_held_task_t *task;
        unsigned count;
    };
    void work() {
        while (!done_) {
            Held held{nullptr, 0};
            {
                const std::lock_guard<SystemMutex> guard(lock_);
                if (!held_.empty()) {
                    held = held_.front();
                    held_.pop_front();
                }
            }
            if (held.task == nullptr) {
                std::this_thread::yield();
                continue;
            }
            ++released;
            loomp_release_task(held.task, held.count);
        }
    }
    Atomic<bool> done_{false};
    SystemMutex lock_;
    std::deque<Held> held_;
    std::thread thread_;
};

class Holds : public ::testing::TestWithParam<int> {};

TEST_P(Holds, AreWaitedForByTaskwaitAndBarrier) {
    Releaser releaser;
    test::in_single(GetParam(), [&] {
        for (int i = 0; i < 200; ++i)
            test::spawn_task([&] { releaser.give(loomp_hold_task(1), 1); });
        taskwait();
        EXPECT_EQ(releaser.released, 200);
        for (int i = 0; i < 200; ++i)
            test::spawn_task([&] {
                loomp_held_task_t *task = loomp_hold_task(3);
                releaser.give(task, 1);
                EXPECT_EQ(loomp_hold_task(1), task);
                releaser.give(task, 2);
                releaser.give(task, 1);
            });
    });
    EXPECT_EQ(releaser.released, 800);
}

TEST_P(Holds, DelaySuccessors) {
    Releaser releaser;
    int cell = 0;
    Atomic<int> wrong{0};
    Atomic<int> begun{0};
    test::in_single(GetParam(), [&] {
        for (int i = 0; i < 300; ++i)
            test::spawn_task(
                [&] {
                    // One at a time is released: by then all those before it have been.
                    if (releaser.released != begun++)
                        ++wrong;
                    releaser.give(loomp_hold_task(1), 1);
                },
                {on(&cell, Access::inout)});
    });
    EXPECT_EQ(wrong, 0);
    EXPECT_EQ(releaser.released, 300);
}

TEST_P(Holds, ReleasedBeforeTheEnd) {
    Atomic<int> ran{0};
    test::in_single(GetParam(), [&] {
        for (int i = 0; i < 100; ++i)
            test::spawn_task([&] {
                loomp_held_task_t *task = loomp_hold_task(2);
                ASSERT_NE(task, nullptr);
                loomp_release_task(task, 1);
                loomp_release_task(task, 1);
                // All released: it can be held again.
                ASSERT_EQ(loomp_hold_task(1), task);
                loomp_release_task(task, 1);
                ++ran;
            });
    });
    EXPECT_EQ(ran, 100);
}

INSTANTIATE_TEST_SUITE_P(Threads, Holds, ::testing::Values(1, 2, 4));

TEST(Hold, NotInAnImplicitTaskNorOutside) {
    EXPECT_EQ(loomp_hold_task(1), nullptr);
    test::in_single(1, [] { EXPECT_EQ(loomp_hold_task(1), nullptr); });
}

} // namespace
} // namespace loomp::core
