// Metrics beyond the golden cases: parts of the time, several ranks, kinds, discovery.
#include <array>

#include <gtest/gtest.h>

#include "profiler/metrics/breakdown.h"
#include "profiler/metrics/communication.h"
#include "profiler/metrics/constructs.h"
#include "profiler/metrics/efficiency.h"
#include "profiler/metrics/figures.h"
#include "profiler/metrics/inflation.h"
#include "profiler/metrics/tables.h"
#include "profiler/metrics/tasks.h"
#include "profiler/metrics/user_regions.h"
#include "profiler/trace/intervals.h"
#include "tests/analysis/support.h"

namespace loomp::analysis {
namespace {

TEST(Intervals, OverlappingAndTouchingOnesAreOne) {
    const auto set = unite({{5, 6}, {1, 3}, {2, 4}, {4, 5}, {8, 8}, {9, 10}});
    ASSERT_EQ(set.size(), 2u);
    EXPECT_EQ(set[0].begin, 1);
    EXPECT_EQ(set[0].end, 6);
    EXPECT_EQ(length_within(set, {2, 20}), 5);
    EXPECT_EQ(common_length(set, unite({{0, 2}, {5, 20}}), {0, 100}), 3);
}

TEST(Breakdown, ReadyTasksOfOtherRanksAreNoOverhead) {
    Events events;
    events.thread("0.0");
    events.task("0.1", 0, 4, "u");
    events.create("1.0", 0, "v");
    events.run("1.0", 1, "v");
    events.leave("1.0", 3);
    const Trace trace = events.take();
    const TimeBreakdown found = break_down(trace);
    EXPECT_EQ(found.window.length(), ns(4));
    const Breakdown first = found.of_rank(trace, 0);
    EXPECT_EQ(first.work, ns(4));
    EXPECT_EQ(first.overhead, 0);
    EXPECT_EQ(first.idle, ns(4));
    const Breakdown second = found.of_rank(trace, 1);
    EXPECT_EQ(second.overhead, ns(1));
    EXPECT_EQ(second.idle, ns(1));
}

TEST(Breakdown, AnyPartOfTheTimeAddsUp) {
    Events events;
    events.create("0.0", 0, "t");
    events.run("0.0", 2, "t");
    events.leave("0.0", 4, Leaving::yielded);
    events.run("0.0", 5, "t");
    events.leave("0.0", 9);
    const TimeBreakdown found = break_down(events.take(), Interval{ns(1), ns(6)});
    EXPECT_EQ(found.threads[0].work, ns(3));
    EXPECT_EQ(found.threads[0].overhead, ns(2));
    EXPECT_EQ(found.threads[0].idle, 0);
}

TEST(Breakdown, ImplicitTasksAreNoWork) {
    Events events;
    events.builder.set_implicit(events.thread("0.0"), events.id("implicit"));
    events.run("0.0", 0, "implicit");
    events.create("0.0", 1, "t");
    events.run("0.0", 2, "t");
    events.leave("0.0", 3);
    events.run("0.0", 3, "implicit");
    events.leave("0.0", 9);
    const TimeBreakdown found = break_down(events.take());
    EXPECT_EQ(found.window.length(), ns(1));
    EXPECT_EQ(found.threads[0].work, ns(1));
}

/// Rank 0 sends at 1, and rank 1 has the message at 5. Rank 0 computes until 4 on one of two
/// threads.
Trace one_message() {
    Events events;
    events.thread("0.1");
    events.create("0.0", 0, "sends");
    events.run("0.0", 0, "sends");
    events.start("0.0", 1, 1, RequestKind::send, 1);
    events.leave("0.0", 4);
    events.create("1.0", 0, "receives");
    events.run("1.0", 0, "receives");
    const Index thread = events.thread("1.0");
    events.builder.enter_call(thread, ns(1));
    events.builder.start(thread, ns(1), 1, {.kind = RequestKind::receive, .peer = 0});
    events.builder.finish(thread, ns(5), 1);
    events.builder.leave_call(thread, ns(5));
    events.leave("1.0", 6);
    return events.take();
}

TEST(Overlap, IsOfAnyThreadsAndAnyPartOfTheTime) {
    const Trace trace = one_message();
    EXPECT_EQ(overlap_of_rank(trace, 0).ratio(), 3.0 / 8);
    EXPECT_EQ(overlap_of_rank(trace, 0, Interval{ns(3), ns(10)}).ratio(), 1.0 / 4);
    EXPECT_EQ(overlap_of_rank(trace, 1).flights, 0u);
    for (const std::optional<Interval> window : {std::optional<Interval>(), {{ns(3), ns(10)}}}) {
        const std::vector<RankOverlap> of_ranks = overlap_of_ranks(trace, window);
        ASSERT_EQ(of_ranks.size(), trace.ranks);
        for (Index rank = 0; rank < trace.ranks; ++rank) {
            const Overlap of_rank = overlap_of_rank(trace, rank, window);
            EXPECT_EQ(of_ranks[rank].messages.ratio(), of_rank.ratio());
            EXPECT_EQ(of_ranks[rank].messages.flights, of_rank.flights);
            EXPECT_EQ(of_ranks[rank].messages.threads, of_rank.threads);
        }
    }
    EXPECT_EQ(overlap_of_rank(trace, 1).ratio(), 0);
    const Index sender = trace.calls[trace.requests[trace.messages[0].send].start_call].thread;
    EXPECT_EQ(overlap(trace, std::array{sender}).ratio(), 3.0 / 4);
}

TEST(Overlap, TimeInMpiIsNoWork) {
    Events events;
    events.create("0.0", 0, "sends");
    events.run("0.0", 0, "sends");
    const Index thread = events.thread("0.0");
    events.builder.enter_call(thread, ns(1));
    events.builder.start(thread, ns(1), 1, {.kind = RequestKind::send, .peer = 1});
    events.builder.leave_call(thread, ns(3));
    events.leave("0.0", 5);
    events.create("1.0", 0, "receives");
    events.run("1.0", 0, "receives");
    events.start("1.0", 0, 1, RequestKind::receive, 0);
    events.finish("1.0", 5, 1);
    events.leave("1.0", 5);
    const Trace trace = events.take();
    EXPECT_EQ(overlap_of_rank(trace, 0).ratio(), 2.0 / 4);
    EXPECT_EQ(ratios_of_rank(trace, 0).r_comm(), 2.0 / 5);
    EXPECT_EQ(ratios_of_rank(trace, 0).r_act(), 3.0 / 5);
}

TEST(Ratios, SuspendedInACallIsNotInMpi) {
    Events events;
    events.create("0.0", 0, "t");
    events.run("0.0", 0, "t");
    const Index thread = events.thread("0.0");
    events.builder.enter_call(thread, ns(1));
    events.leave("0.0", 2, Leaving::suspended);
    events.task("0.0", 2, 8, "u");
    events.run("0.0", 8, "t");
    events.builder.resume_call(thread, ns(8));
    events.builder.leave_call(thread, ns(9));
    events.leave("0.0", 10);
    const Ratios found = ratios_of_rank(events.take(), 0);
    EXPECT_EQ(found.r_comm(), 0.2);
    EXPECT_EQ(found.r_act(), 0.8);
}

TEST(Inflation, WhatOnlyOneRunHasIsCounted) {
    Events reference;
    reference.task("0.0", 0, 1, "a");
    reference.task("0.0", 1, 2, "b");
    Events observed;
    observed.task("0.0", 0, 2, "a");
    observed.builder.create(observed.thread("0.0"), ns(2), observed.id("another"),
                            observed.builder.add_kind("a", ""));
    observed.run("0.0", 2, "another");
    observed.leave("0.0", 5); // not the first of its kind
    const Inflations found = work_inflation(reference.take(), observed.take());
    EXPECT_EQ(found.pairs.size(), 1u);
    EXPECT_EQ(found.ratio(), 2);
    EXPECT_EQ(found.only_reference, 1u);
    EXPECT_EQ(found.only_observed, 1u);
}

TEST(Kinds, HaveCountGrainAndWork) {
    Events events;
    TraceBuilder &builder = events.builder;
    const Index thread = events.thread("0.0");
    const Index small = builder.add_kind("small", "a.c:1");
    const Index large = builder.add_kind("large", "a.c:2");
    double now = 0;
    std::uint64_t id = 0;
    for (const auto &[kind, grain] : std::vector<std::pair<Index, double>>{
             {small, 1}, {large, 9}, {small, 4}, {small, 2}, {small, 1}}) {
        builder.create(thread, ns(now), ++id, kind);
        builder.run(thread, ns(now), id);
        builder.leave(thread, ns(now += grain), Leaving::ended);
    }
    const auto rows = kind_table(events.take());
    ASSERT_EQ(rows.size(), 2u);
    EXPECT_EQ(rows[0].kind, large);
    EXPECT_EQ(rows[1].count, 4u);
    EXPECT_EQ(rows[1].work, ns(8));
    EXPECT_EQ(rows[1].shortest, ns(1));
    EXPECT_EQ(rows[1].median, ns(1));
    EXPECT_EQ(rows[1].longest, ns(4));
    EXPECT_EQ(rows[1].mean(), 2e9);
}

TEST(Kinds, OfAWindowAreThoseThatBeganInIt) {
    Events events;
    events.task("0.0", 0, 3, "before");
    events.task("0.0", 3, 9, "within");
    events.task("0.0", 9, 10, "after");
    const Trace trace = events.take();
    const auto rows = kind_table(trace, Interval{ns(2), ns(9)});
    ASSERT_EQ(rows.size(), 1u);
    EXPECT_EQ(trace.kinds[rows[0].kind].label, "within");
    EXPECT_EQ(rows[0].work, ns(6));
}

TEST(Efficiency, OfAWindow) {
    Events events;
    events.task("0.0", 0, 10, "u");
    events.task("0.1", 0, 4, "v");
    const Efficiency found = efficiencies(events.take(), Interval{ns(2), ns(6)}).hybrid;
    EXPECT_EQ(found.balance, 0.75);
    EXPECT_EQ(found.communication, 1);
}

TEST(Efficiency, WithoutWorkIsNone) {
    Events events;
    events.thread("0.0");
    EXPECT_EQ(efficiencies(events.take()).hybrid.parallel(), 0);
}

TEST(Discovery, IsFromTheFirstCreationToTheLast) {
    Events events;
    events.create("0.0", 1, "producer"); // creates, and runs one of its own in between
    events.run("0.0", 2, "producer");
    events.create("0.0", 3, "a");
    events.create("0.0", 4, "b");
    events.run("0.0", 4, "a");
    events.leave("0.0", 7);
    events.run("0.0", 7, "producer");
    events.create("0.0", 9, "c");
    events.leave("0.0", 10);
    const auto found = discovery(events.take());
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(found[0].tasks, 4u);
    EXPECT_EQ(found[0].time.length(), ns(8));
    EXPECT_EQ(found[0].ran, ns(3));
    EXPECT_EQ(found[0].per_task(), 5e9 / 3);
}

TEST(Discovery, CountsNoTaskwaitsWithAClause) {
    Events events;
    events.create("0.0", 1, "producer");
    events.run("0.0", 2, "producer");
    events.create("0.0", 3, "a");
    const Index thread = events.thread("0.0");
    events.builder.create(thread, ns(4), events.id("taskwait"), events.builder.add_kind("", ""),
                          true);
    events.builder.complete(thread, ns(5), events.id("taskwait"));
    events.leave("0.0", 6);
    const Trace trace = events.take();
    EXPECT_EQ(trace.tasks.size(), 3u);
    EXPECT_EQ(trace.count_tasks(), 2u);
    const auto found = discovery(trace);
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(found[0].tasks, 2u);
}

TEST(NamedRegions, AreTheTasksWhicheverThreadsItRunsOn) {
    Events events;
    const Index in_task = events.builder.add_kind("of the task", "");
    const Index in_thread = events.builder.add_kind("of the thread", "");
    const Index first = events.thread("0.0");
    const Index second = events.thread("0.1");
    events.builder.set_implicit(first, events.id("implicit"));
    events.run("0.0", 0, "implicit");
    events.builder.enter_user(first, ns(0), in_thread, false);
    events.create("0.0", 0, "task");
    events.run("0.0", 0, "task");
    events.builder.enter_user(first, ns(1), in_task, false);
    events.builder.leave_user(first, ns(3), in_task, true);
    events.leave("0.0", 3, Leaving::suspended);
    events.run("0.0", 3, "implicit");
    events.builder.leave_user(first, ns(8), in_thread, false);
    events.builder.leave_user(first, ns(8), in_task, false); // of the thread, which has begun none
    events.run("0.1", 5, "task");
    events.builder.enter_user(second, ns(5), in_task, true);
    events.builder.leave_user(second, ns(6), in_task, false);
    events.leave("0.1", 7);
    const Trace trace = events.take();
    const auto rows = user_region_table(trace);
    ASSERT_EQ(rows.size(), 2u);
    EXPECT_EQ(rows[0].kind, in_thread);
    EXPECT_EQ(rows[0].time, ns(8));
    EXPECT_EQ(rows[0].on_thread, ns(5));
    EXPECT_EQ(rows[1].kind, in_task);
    EXPECT_EQ(rows[1].count, 1u);
    EXPECT_EQ(rows[1].time, ns(5));
    EXPECT_EQ(rows[1].on_thread, ns(3));
    EXPECT_EQ(user_region_table(trace, Interval{ns(0.5), ns(2)}).size(), 1u);
}

TEST(NamedRegions, EndWhereTheyWereSeenLast) {
    Events events;
    const Index kind = events.builder.add_kind("not ended", "");
    const Index thread = events.thread("0.0");
    events.create("0.0", 0, "task");
    events.run("0.0", 0, "task");
    events.builder.enter_user(thread, ns(1), kind, false);
    events.builder.enter_user(thread, ns(2), kind, false); // in itself
    events.builder.leave_user(thread, ns(3), kind, false);
    events.builder.leave_user(thread, ns(4), kind, true);
    events.leave("0.0", 4);
    const Trace trace = events.take();
    ASSERT_EQ(trace.user_regions.size(), 2u);
    EXPECT_EQ(trace.user_regions[0].end, ns(4));
    EXPECT_EQ(trace.user_regions[1].end, ns(3));
}

/// The note below a row of the text; empty if there is none.
std::string note_below(const Trace &trace, const std::string &table, const std::string &label) {
    for (const Table &found : tables_of(trace, figures_of(trace)))
        for (const Row &row : found.rows)
            if (found.name == table && row.label == label)
                return row.note;
    return "no such row";
}

/// Two threads in a region from 1 to 9, which wait in its barrier from 8. Runtimes give the
/// barrier's place to the first one alone.
Trace region_with_barrier(const std::string &place_of_first = "") {
    Events events;
    TraceBuilder &builder = events.builder;
    const Index region = builder.add_kind("parallel app+0x12", "");
    const Index placed = builder.add_kind("implicit barrier" + place_of_first, "");
    const Index barrier = builder.add_kind("implicit barrier", "");
    for (const char *const on : {"0.0", "0.1"}) {
        const Index thread = events.thread(on);
        builder.set_implicit(thread, events.id(on));
        events.run(on, 1, on);
        builder.enter_construct(thread, ns(1), region, ConstructKind::parallel, 1);
        builder.begin_wait(thread, ns(8), WaitFor::team, thread == 0 ? placed : barrier);
        builder.end_wait(thread, ns(9));
        builder.leave_construct(thread, ns(9));
    }
    return events.take();
}

TEST(Tables, HaveOneNameForAFigureOfCommunication) {
    const Trace trace = region_with_barrier();
    const Table table = communication_of(figures_of(trace));
    for (const Column &column : table.columns)
        if (column.name.starts_with("r_")) {
            EXPECT_EQ(column.text, column.name);
            EXPECT_EQ(column.page, column.name);
        }
}

TEST(Tables, SayWhatToReadFirst) {
    const Trace trace = region_with_barrier();
    const Table summary = tables_of(trace, figures_of(trace)).front();
    const auto found =
        std::find_if(summary.columns.begin(), summary.columns.end(),
                     [](const Column &column) { return column.text == "read first: {}\n"; });
    ASSERT_NE(found, summary.columns.end());
    const Value &what =
        summary.rows.front().values[static_cast<std::size_t>(found - summary.columns.begin())];
    EXPECT_TRUE(std::get<std::string>(what).starts_with("serial and waiting in the run; "));
}

TEST(Tables, SayHowLinesOfTheSourceCanBeHad) {
    const Trace trace = region_with_barrier();
    EXPECT_EQ(note_below(trace, "constructs", "parallel app+0x12"),
              "  (trace it with debug information for lines of the source: -g, or its package's "
              "debug symbols)");
}

TEST(Tables, SayWhatIsSerialAndOutside) {
    EXPECT_EQ(note_below(region_with_barrier(), "run", "all"),
              "  (serial: code outside regions; outside: threads that are in no region meanwhile)");
}

TEST(Tables, SayWhatEfficienciesCount) {
    const std::string further =
        "\n  (not computed: serialisation and transfer, the two factors of communication; "
        "computation scaling\n   and global efficiency, which compare runs: loomp compare)";
    EXPECT_EQ(note_below(region_with_barrier(), "efficiencies", "all"),
              "  (no MPI: communication is the share of the time in which the busiest thread "
              "computes)" +
                  further);
    Events events;
    events.create("0.0", 0, "task");
    events.run("0.0", 0, "task");
    events.builder.enter_call(events.thread("0.0"), ns(1), events.builder.add_kind("MPI_Recv", ""));
    events.builder.leave_call(events.thread("0.0"), ns(2));
    events.leave("0.0", 3);
    EXPECT_EQ(note_below(events.take(), "efficiencies", "all"),
              "  (of computation only: work, above, also has the MPI calls of tasks)" + further);
}

TEST(Tables, SayWhatATaskOfDiscoveryIs) {
    Events events;
    events.create("0.0", 0, "task");
    events.run("0.0", 0, "task");
    events.leave("0.0", 3);
    EXPECT_EQ(
        note_below(events.take(), "discovery", "rank 0 thread 0"),
        "  (time: from the first creation to the last; a task: from one creation to the next, "
        "with the\n   creator's own code, without waits and tasks that it ran)");
}

TEST(Constructs, BarriersAtEndsOfRegionsHaveTheirPlaceForAllThreads) {
    for (const char *const place : {" app+0x12", " app+0x99"}) {
        const Trace trace = region_with_barrier(place);
        std::map<std::string, std::size_t> threads;
        for (const ConstructRow &row : construct_table(trace))
            if (row.barrier)
                threads[trace.kinds[row.kind].label] = row.threads;
        const std::map<std::string, std::size_t> one_row = {{"implicit barrier app+0x12", 2}};
        // Another place is not this region's end.
        const std::map<std::string, std::size_t> two_rows = {{"implicit barrier app+0x99", 1},
                                                             {"implicit barrier", 1}};
        EXPECT_EQ(threads, std::string(place) == " app+0x12" ? one_row : two_rows);
    }
}

TEST(Tables, SayWhereImplicitBarriersAre) {
    EXPECT_EQ(note_below(region_with_barrier(), "constructs", "implicit barrier"),
              "  (the ends of regions and loops, whose time contains this waiting)");
    EXPECT_EQ(note_below(region_with_barrier(), "constructs", "parallel"), "no such row");
}

} // namespace
} // namespace loomp::analysis
