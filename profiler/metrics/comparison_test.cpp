// Compares two runs: the parts add up to the difference of the makespans, computed by hand.
#include <gtest/gtest.h>

#include "profiler/metrics/comparison.h"
#include "profiler/metrics/inflation.h"
#include "tests/analysis/support.h"

namespace loomp::analysis {
namespace {

Time difference_of(const Comparison &comparison, PartOf which, const std::string &name) {
    for (const ComparedPart &part : comparison.parts)
        if (part.of == which && part.name == name)
            return part.difference();
    return kNever;
}

void expect_it_adds_up(const Comparison &comparison) {
    double sum = comparison.by_threads();
    Time parts = 0;
    for (const ComparedPart &part : comparison.parts) {
        sum += comparison.share(part);
        parts += part.difference();
    }
    EXPECT_EQ(parts,
              comparison.observed.makespan * static_cast<Time>(comparison.observed.threads) -
                  comparison.reference.makespan * static_cast<Time>(comparison.reference.threads));
    EXPECT_NEAR(sum,
                static_cast<double>(comparison.observed.makespan - comparison.reference.makespan),
                1e-3);
}

/// The worked example of docs/metrics.md. An implicit task creates u at 0 and v at `second`. u runs
/// from 0 on thread 1, v from `start` on, both for `length`.
Trace two_tasks(double second, double start, double length) {
    Events events;
    events.builder.set_implicit(events.thread("0.0"), events.id("main"));
    events.run("0.0", 0, "main");
    events.create("0.0", 0, "u");
    events.run("0.1", 0, "u");
    events.leave("0.1", length);
    events.create("0.0", second, "v");
    events.run("0.1", start, "v");
    events.leave("0.1", start + length);
    events.leave("0.0", start + length);
    return events.take();
}

TEST(Comparison, PartsAddUpToTheDifferenceOfTheMakespans) {
    // A: v is created at 1, u and v take 3 each: to 6. B: v is created at 5, they take 4 each: to
    // 10. v is ready in vain for one second.
    const Trace a = two_tasks(1, 3, 3);
    const Trace b = two_tasks(5, 6, 4);
    const Comparison found = compare(a, b);
    EXPECT_EQ(found.reference.makespan, ns(6));
    EXPECT_EQ(found.observed.makespan, ns(10));
    EXPECT_EQ(difference_of(found, PartOf::work, "u"), ns(1));
    EXPECT_EQ(difference_of(found, PartOf::work, "v"), ns(1));
    EXPECT_EQ(difference_of(found, PartOf::work, "MPI in tasks"), 0);
    // In A v waits from 1 to 3 for thread 1, in B from 5 to 6. Both threads are outside meanwhile.
    EXPECT_EQ(difference_of(found, PartOf::overhead, "otherwise"), ns(2) - ns(2));
    // Thread 0 creates until 1 and until 5.
    EXPECT_EQ(difference_of(found, PartOf::idle, "while creating tasks"), ns(4));
    // Later: thread 0 is idle from 3 to 6 and from 6 to 10, thread 1 in B from 4 to 5.
    EXPECT_EQ(difference_of(found, PartOf::idle, "otherwise"), ns(2));
    expect_it_adds_up(found);
    ASSERT_NE(found.most(), nullptr);
    EXPECT_EQ(found.most()->name, "while creating tasks");
    EXPECT_EQ(found.share(*found.most()), 2e9);
    // If the runs are exchanged, the signs change.
    const Comparison back = compare(b, a);
    expect_it_adds_up(back);
    EXPECT_EQ(back.most()->name, "while creating tasks");
    EXPECT_EQ(back.share(*back.most()), -2e9);
}

TEST(Comparison, TasksOfStandInsAreNoWork) {
    // A stand-in runs a task of 5 beside one of 2 on the program's thread, which is 1 in MPI.
    const auto run = [](double on_stand_in) {
        Events events;
        const Index thread = events.thread("0.0");
        events.create("0.0", 0, "u");
        events.run("0.0", 0, "u");
        events.builder.enter_call(thread, ns(0.5));
        events.builder.leave_call(thread, ns(1.5));
        events.leave("0.0", 2);
        const Index other = events.builder.add_thread(0, 1, true);
        events.builder.create(thread, ns(0), 77, events.builder.add_kind("v", ""));
        events.builder.run(other, ns(0), 77);
        events.builder.leave(other, ns(on_stand_in), Leaving::ended);
        return events.take();
    };
    const Trace a = run(1);
    const Trace b = run(2);
    const Comparison found = compare(a, b);
    EXPECT_EQ(found.reference.time.work, ns(2));
    EXPECT_EQ(found.parts.back().of, PartOf::idle);
    for (const ComparedPart &part : found.parts) {
        EXPECT_NE(part.name, "v");
        if (part.name == "MPI in tasks")
            EXPECT_EQ(part.reference, ns(1));
    }
    expect_it_adds_up(found);
}

TEST(Comparison, OfOneRunWithItselfNamesNothing) {
    const Trace a = two_tasks(1, 3, 3);
    const Comparison found = compare(a, a);
    expect_it_adds_up(found);
    EXPECT_EQ(found.most(), nullptr);
}

TEST(Comparison, MpiInTasksIsApartFromTheirCode) {
    const auto run = [](double mpi) {
        Events events;
        events.create("0.0", 0, "t");
        events.run("0.0", 0, "t");
        events.builder.enter_call(events.thread("0.0"), ns(1));
        events.builder.leave_call(events.thread("0.0"), ns(1 + mpi));
        events.leave("0.0", 2 + mpi);
        return events.take();
    };
    const Comparison found = compare(run(1), run(4));
    EXPECT_EQ(difference_of(found, PartOf::work, "t"), 0);
    EXPECT_EQ(difference_of(found, PartOf::work, "MPI in tasks"), ns(3));
    EXPECT_EQ(found.most()->name, "MPI in tasks");
    expect_it_adds_up(found);
}

TEST(Comparison, MpiOutsideTasksIsAPartOfIdleTime) {
    const auto run = [](double mpi) {
        Events events;
        events.builder.set_implicit(events.thread("0.0"), events.id("main"));
        events.task("0.0", 0, 1, "first");
        events.run("0.0", 1, "main");
        events.builder.enter_call(events.thread("0.0"), ns(2));
        events.builder.leave_call(events.thread("0.0"), ns(2 + mpi));
        events.leave("0.0", 3 + mpi);
        events.task("0.0", 3 + mpi, 4 + mpi, "second");
        return events.take();
    };
    const Comparison found = compare(run(1), run(3));
    EXPECT_EQ(difference_of(found, PartOf::idle, "in MPI outside tasks"), ns(2));
    EXPECT_EQ(difference_of(found, PartOf::idle, "while creating tasks"), 0);
    expect_it_adds_up(found);
}

TEST(Comparison, WaitsOfACreatorAreNoCreation) {
    const auto run = [](double waited) {
        Events events;
        events.builder.set_implicit(events.thread("0.0"), events.id("main"));
        events.run("0.0", 0, "main");
        events.create("0.0", 0, "first");
        events.builder.begin_wait(events.thread("0.0"), 0, WaitFor::tasks);
        events.run("0.0", 0, "first");
        events.leave("0.0", 1);
        events.run("0.0", 1, "main");
        events.builder.end_wait(events.thread("0.0"), ns(1 + waited));
        events.create("0.0", 2 + waited, "second");
        events.run("0.0", 2 + waited, "second");
        events.leave("0.0", 3 + waited);
        return events.take();
    };
    const Comparison found = compare(run(1), run(3));
    EXPECT_EQ(difference_of(found, PartOf::idle, "waiting for tasks"), ns(2));
    EXPECT_EQ(difference_of(found, PartOf::idle, "while creating tasks"), 0);
    EXPECT_EQ(found.most()->name, "waiting for tasks");
    expect_it_adds_up(found);
}

TEST(Comparison, WithMoreThreadsTheRestIsWhatTheyDoNotHelp) {
    Events one;
    one.task("0.0", 0, 4, "u");
    one.task("0.0", 4, 8, "v");
    Events two;
    two.task("0.0", 0, 5, "u");
    two.task("0.1", 0, 4, "v");
    const Comparison found = compare(one.take(), two.take());
    EXPECT_EQ(found.by_threads(), -4e9); // 8 s on two threads
    EXPECT_EQ(found.by_parts(), 1e9);    // and it took 5
    EXPECT_EQ(difference_of(found, PartOf::work, "u"), ns(1));
    EXPECT_EQ(difference_of(found, PartOf::idle, "otherwise"), ns(1));
    expect_it_adds_up(found);
}

TEST(Comparison, RanksAreComparedOnlyWhereBothHaveAsMany) {
    Events one;
    one.task("0.0", 0, 4, "u");
    Events two;
    two.task("0.0", 0, 2, "u");
    two.task("1.0", 0, 3, "u");
    const Trace a = one.take();
    const Trace b = two.take();
    EXPECT_TRUE(compare(a, b).ranks.empty());
    const Comparison same = compare(b, b);
    ASSERT_EQ(same.ranks.size(), 2u);
    EXPECT_EQ(same.ranks[0].reference.idle, ns(1));
    expect_it_adds_up(compare(a, b));
}

TEST(Inflation, IsSummedByKind) {
    const auto run = [](double of_u, double of_v) {
        Events events;
        events.task("0.0", 0, of_u, "u");
        events.task("0.0", of_u, of_u + of_v, "v");
        return events.take();
    };
    const Trace a = run(2, 4);
    const auto rows = by_kind(a, work_inflation(a, run(3, 4)));
    ASSERT_EQ(rows.size(), 2u);
    EXPECT_EQ(rows[0].label, "v");
    EXPECT_EQ(rows[0].ratio(), 1);
    EXPECT_EQ(rows[1].pairs, 1u);
    EXPECT_EQ(rows[1].ratio(), 1.5);
}

} // namespace
} // namespace loomp::analysis
