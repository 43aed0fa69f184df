// The arithmetic of the children word, where its fields are nearly full.
#include <gtest/gtest.h>

#include "tests/unit/support.h"

namespace loomp::core {
namespace {

/// A child of the running task that completes before its own child, which waits for `open`.
void spawn_zombie(bool &open, bool &grandchild_ended) {
    test::spawn_task([&] {
        test::spawn_task([&] {
            while (!open)
                taskyield();
            grandchild_ended = true;
        });
    });
}

void expect_flags_untouched(std::uint32_t zombies_before) {
    test::in_single(1, [&] {
        Task &task = *Worker::current()->task;
        // The word looks as if so many children had completed before their own children.
        const std::uint64_t before = zombies_before * (children::kOne + children::kZombie);
        task.children.store(before, std::memory_order_relaxed);
        bool open = false;
        bool grandchild_ended = false;
        spawn_zombie(open, grandchild_ended);
        fold_created(task);
        const std::uint64_t word = task.children.load(std::memory_order_relaxed);
        EXPECT_EQ(word & (children::kUncounted | children::kWaitFewer | children::kFinished |
                          children::kWaitReleased | children::kWaitCompleted),
                  0u);
        EXPECT_EQ(children::live(word), zombies_before + 1);
        open = true;
        // Counted as a zombie, taskwait does not wait for its child.
        while (!grandchild_ended)
            taskyield();
        taskwait();
        EXPECT_EQ(task.children.load(std::memory_order_relaxed), before);
        task.children.store(0, std::memory_order_relaxed);
    });
}

TEST(Children, ZombiesBeyondTheFieldDoNotReachTheFlags) {
    expect_flags_untouched(0);
    expect_flags_untouched(1000);
    expect_flags_untouched(children::kZombieMask);
}

} // namespace
} // namespace loomp::core
