// The division of iterations among tasks: all iterations, in order, within the limits of the
// clauses.
#include "runtime/core/creation/taskloop.h"

#include <gtest/gtest.h>

namespace loomp::core {
namespace {

std::uint64_t total(const TaskloopSplit &split) {
    std::uint64_t sum = 0;
    for (std::uint64_t i = 0; i < split.tasks; ++i)
        sum += split.length(i);
    return sum;
}

TEST(Taskloop, NumTasks) {
    for (std::uint64_t n = 1; n <= 200; ++n)
        for (std::uint64_t tasks = 1; tasks <= 220; tasks += 3) {
            const TaskloopSplit split = split_by_tasks(n, tasks);
            ASSERT_EQ(split.tasks, std::min(n, tasks));
            ASSERT_EQ(total(split), n);
            for (std::uint64_t i = 0; i < split.tasks; ++i)
                ASSERT_LE(split.length(0) - split.length(i), 1u);
        }
}

TEST(Taskloop, Grainsize) {
    for (std::uint64_t n = 1; n <= 200; ++n)
        for (std::uint64_t grain = 1; grain <= 220; grain += 3) {
            const TaskloopSplit split = split_by_grainsize(n, grain, false);
            ASSERT_EQ(total(split), n);
            for (std::uint64_t i = 0; i < split.tasks; ++i) {
                ASSERT_GE(split.length(i), std::min(grain, n));
                ASSERT_LT(split.length(i), 2 * grain);
            }
        }
}

TEST(Taskloop, StrictGrainsize) {
    for (std::uint64_t n = 1; n <= 200; ++n)
        for (std::uint64_t grain = 1; grain <= 220; grain += 3) {
            const TaskloopSplit split = split_by_grainsize(n, grain, true);
            ASSERT_EQ(total(split), n);
            for (std::uint64_t i = 0; i + 1 < split.tasks; ++i)
                ASSERT_EQ(split.length(i), grain);
            ASSERT_GT(split.length(split.tasks - 1), 0u);
        }
}

TEST(Taskloop, WholeRange) {
    const TaskloopSplit split = split_by_grainsize(~0ull, 1ull << 60, false);
    EXPECT_EQ(total(split), ~0ull);
}

} // namespace
} // namespace loomp::core
