// Simulations of other numbers of threads with fitted contention.
#include <gtest/gtest.h>

#include "profiler/simulation/contention.h"
#include "tests/analysis/support.h"

namespace loomp::analysis {

namespace {

/// Each thread runs a thin and then a thick task of the given times, `rounds` times. All threads
/// begin at once.
Trace rounds_of(Index threads, int rounds, double thin, double thick) {
    Events events;
    Index kinds[2] = {events.builder.add_kind("thin", "a.c:1"),
                      events.builder.add_kind("thick", "a.c:2")};
    int made = 0;
    for (Index i = 0; i < threads; ++i) {
        const std::string on = "0." + std::to_string(i);
        double now = 0;
        for (int round = 0; round < rounds; ++round)
            for (const bool is_thick : {false, true}) {
                const std::string task = std::to_string(made++);
                events.builder.create(events.thread(on), 0, events.id(task), kinds[is_thick]);
                events.run(on, now, task);
                now += is_thick ? thick : thin;
                events.leave(on, now);
            }
    }
    return events.take();
}

SimulationOptions on_threads(Index threads) {
    SimulationOptions options;
    options.threads = threads;
    options.at_once = false;
    return options;
}

TEST(Contention, IsWhatTasksTakeLongerWhenOthersAreBusy) {
    const Trace one = rounds_of(1, 10, 1, 2);
    const Trace two =
        rounds_of(2, 4, 1, 3); // thin ones take equally long, thick ones half as long again
    const auto found = learn_contention(one, two);
    ASSERT_TRUE(found);
    EXPECT_EQ(found->busy, 1);
    EXPECT_DOUBLE_EQ(found->slowdowns[0], 0);
    EXPECT_DOUBLE_EQ(found->slowdowns[1], 0.5);
    EXPECT_DOUBLE_EQ(found->slowdowns[2], 0.5 * 20 / 30); // unknown kinds have the mean over time
}

TEST(Contention, MoreThreadsGainLess) {
    const Trace one = rounds_of(1, 10, 1, 2);
    const auto contention = learn_contention(one, rounds_of(2, 4, 1, 3));
    ASSERT_TRUE(contention);
    const Contended found = simulate(one, make_program(one), on_threads(2), *contention);
    // A single thread is busy during each second of the last task, and only then.
    EXPECT_NEAR(found.busy, 2, 0.1);
    EXPECT_NEAR(seconds(static_cast<double>(found.simulation.makespan)), (10 + 30) / 2.0, 1);
}

TEST(Contention, FewerThreadsLoseLess) {
    const Trace two = rounds_of(2, 5, 1, 3);
    const auto contention = learn_contention(two, rounds_of(1, 2, 1, 2));
    ASSERT_TRUE(contention);
    EXPECT_DOUBLE_EQ(contention->slowdowns[1], 0.5);
    const Contended found = simulate(two, make_program(two), on_threads(1), *contention);
    EXPECT_DOUBLE_EQ(found.busy, 1);
    EXPECT_EQ(found.simulation.makespan, ns(10 + 20));
}

TEST(Contention, IsNotLearnedFromAsManyThreadsOrOtherTasks) {
    EXPECT_FALSE(learn_contention(rounds_of(2, 4, 1, 3), rounds_of(2, 8, 1, 3)));
    Events others;
    others.task("0.0", 0, 1, "a");
    others.task("0.1", 0, 1, "b");
    EXPECT_FALSE(learn_contention(rounds_of(1, 4, 1, 2), others.take()));
}

} // namespace

} // namespace loomp::analysis
