// Code that takes as long as in another trace, by hand.
#include <gtest/gtest.h>

#include "profiler/simulation/kind_code.h"
#include "profiler/simulation/simulation.h"
#include "tests/analysis/support.h"

namespace loomp::analysis {

namespace {

/// A thread computes for `before`, and runs a task for each time, one after the other. Their kinds
/// are their names.
Trace one_after_another(double before, const std::vector<std::pair<std::string, double>> &tasks) {
    Events events;
    const Index thread = events.thread("0.0");
    double now = 0;
    std::uint64_t id = 1;
    events.create("0.0", 0, "first");
    events.run("0.0", 0, "first");
    events.leave("0.0", 0);
    now += before;
    for (const auto &[name, time] : tasks) {
        const Index kind = events.builder.add_kind(name, "");
        events.builder.create(thread, ns(now), 100 + id, kind);
        events.builder.run(thread, ns(now), 100 + id++);
        now += time;
        events.builder.leave(thread, ns(now), Leaving::ended);
    }
    return events.take();
}

} // namespace

// Here a takes 4 and 6 s, b 10; there a takes 2 s and b 5, twice as often. So a takes 2 / 5 of its
// time, b half, and all together 2 * 2 + 5 of 20: c, which is not there, takes 9 / 20 of its time.
TEST(KindCode, TakesAsLongAsInAnotherTrace) {
    const Trace here = one_after_another(0, {{"a", 4}, {"a", 6}, {"b", 10}, {"c", 20}});
    const Trace there = one_after_another(0, {{"a", 2}, {"b", 5}, {"b", 5}});
    const std::optional<CodeFactors> found = learn_code(here, there);
    ASSERT_TRUE(found);
    EXPECT_DOUBLE_EQ(found->of_all, 0.45);
    SimulationOptions options;
    options.task_overhead = 0;
    const Simulation simulation =
        simulate(here, with_code(here, make_program(here), *found), options);
    EXPECT_EQ(simulation.makespan, ns(4 * 0.4 + 6 * 0.4 + 10 * 0.5 + 20 * 0.45));
}

// The thread's own code, such as that between creations, takes its share of all code, too.
TEST(KindCode, IsAlsoThatOfThreads) {
    const Trace here = one_after_another(2, {{"a", 4}});
    const Trace there = one_after_another(0, {{"a", 1}});
    const std::optional<CodeFactors> found = learn_code(here, there);
    ASSERT_TRUE(found);
    SimulationOptions options;
    options.task_overhead = 0;
    const Simulation simulation =
        simulate(here, with_code(here, make_program(here), *found), options);
    EXPECT_EQ(simulation.makespan, ns(1 + 0.5));
}

TEST(KindCode, NeedsTasksOfTheSameKinds) {
    EXPECT_FALSE(learn_code(one_after_another(0, {{"a", 4}}), one_after_another(0, {{"b", 1}})));
}

} // namespace loomp::analysis
