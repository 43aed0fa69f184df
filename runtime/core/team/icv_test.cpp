// Control variables of a task: children keep the values of their creation, and a task that changes
// its own again and again keeps few blocks.
#include "runtime/core/team/icv.h"

#include <gtest/gtest.h>

#include "runtime/core/scheduling/task_signal.h"
#include "tests/unit/support.h"

namespace loomp::core {
namespace {

void set_threads(int count) {
    change_icvs(*Worker::current()->task, [count](IcvValues &own) { own.num_threads = count; });
}
int threads_now() { return Worker::current()->task->icvs->num_threads; }

int blocks_of(const Task &task) {
    int blocks = 0;
    if (task.has(kOwnsIcvs))
        for (const Icvs *block = task.icvs; block != nullptr; block = block->owned_next)
            ++blocks;
    return blocks;
}

class ControlVariables : public ::testing::TestWithParam<TaskFlags> {};

/// Runs `body` in a tied or untied task that has a child which lives until `body` has returned, and
/// then finds 77 threads.
template <class Body> void beside_a_child(TaskFlags flags, Body body) {
    const test::AllTasksQueued queued;
    test::in_single(2, [&] {
        test::spawn_task(
            [&body] {
                TaskSignal over;
                set_threads(77);
                test::spawn_task([&over] {
                    over.wait();
                    EXPECT_EQ(threads_now(), 77);
                });
                body();
                over.signal();
                taskwait();
            },
            flags);
        taskwait();
    });
}

TEST_P(ControlVariables, ChangeInPlaceWhileNoChildIsCreated) {
    beside_a_child(GetParam(), [] {
        for (int i = 1; i < 10'000; ++i) {
            set_threads(i % 4 + 1);
            ASSERT_EQ(threads_now(), i % 4 + 1);
        }
        EXPECT_LE(blocks_of(*Worker::current()->task), 5);
    });
}

TEST(ControlVariable, ChangeInPlaceWhateverTheValues) {
    beside_a_child(kTied, [] {
        for (int i = 1; i < 10'000; ++i)
            set_threads(i);
        EXPECT_LE(blocks_of(*Worker::current()->task), 3);
    });
}

TEST_P(ControlVariables, AreKeptByChildren) {
    beside_a_child(GetParam(), [] {
        for (int i = 1; i < 1000; ++i) {
            const int mine = i % 5 + 1;
            set_threads(mine);
            test::spawn_task([mine] {
                EXPECT_EQ(threads_now(), mine);
                test::spawn_task([mine] { EXPECT_EQ(threads_now(), mine); });
                set_threads(mine + 100);
                EXPECT_EQ(threads_now(), mine + 100);
            });
            set_threads(50);
        }
        EXPECT_LE(blocks_of(*Worker::current()->task), 7);
    });
}

TEST(ControlVariable, OlderBlocksGoWhenNoChildIsLeft) {
    test::in_single(2, [] {
        const test::AllTasksQueued queued;
        for (int i = 1; i < 100; ++i) {
            set_threads(i);
            test::spawn_task([i] { EXPECT_EQ(threads_now(), i); });
        }
        taskwait();
        set_threads(1);
        EXPECT_EQ(blocks_of(*Worker::current()->task), 1);
    });
}

INSTANTIATE_TEST_SUITE_P(Tied, ControlVariables, ::testing::Values(TaskFlags{kTied}, TaskFlags{0}));

} // namespace
} // namespace loomp::core
