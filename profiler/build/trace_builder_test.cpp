// Traces from events of threads in any order, truncated or contradictory, and MPI's matching.
#include "profiler/build/trace_builder.h"

#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "tests/analysis/support.h"

namespace loomp::analysis {
namespace {

TEST(TraceBuilder, ThreadsMayComeInAnyOrder) {
    Events events;
    events.run("0.1", 2, "t"); // created by a thread that is read later
    events.leave("0.1", 3);
    events.create("0.0", 1, "t");
    const Trace trace = events.take();
    EXPECT_TRUE(trace.problems.empty());
    ASSERT_EQ(trace.tasks.size(), 1u);
    EXPECT_EQ(trace.tasks[0].created, ns(1));
    EXPECT_EQ(trace.tasks[0].ended, ns(3));
    EXPECT_EQ(trace.segments_of(0).front().ready, ns(1));
}

TEST(TraceBuilder, RanksHaveNamesOfTheirOwn) {
    Events events;
    events.task("0.0", 0, 1, "t");
    events.task("1.0", 0, 1, "t");
    EXPECT_EQ(events.take().tasks.size(), 2u);
}

TEST(TraceBuilder, AChildOnTopOfItsParentSuspendsIt) {
    Events events;
    events.create("0.0", 0, "parent");
    events.run("0.0", 0, "parent");
    events.create("0.0", 1, "child");
    events.run("0.0", 2, "child");
    events.leave("0.0", 3);
    events.run("0.0", 3, "parent");
    events.leave("0.0", 5);
    const Trace trace = events.take();
    const Index parent = find_task(trace, "parent");
    const Index child = find_task(trace, "child");
    EXPECT_EQ(trace.tasks[child].parent, parent);
    ASSERT_EQ(trace.segments_of(parent).size(), 2u);
    EXPECT_EQ(trace.segments_of(parent)[0].end, ns(2));
    EXPECT_EQ(trace.segments_of(parent)[1].begin, ns(3));
}

TEST(TraceBuilder, TheSegmentsOfEachThreadAreInOrderOfTime) {
    Events events;
    events.create("0.0", 0, "a");
    events.create("0.0", 0, "b");
    events.run("0.0", 1, "b");
    events.leave("0.0", 2, Leaving::yielded);
    events.run("0.1", 2, "b");
    events.run("0.0", 2, "a");
    events.leave("0.0", 2);
    events.leave("0.1", 3, Leaving::yielded);
    events.run("0.0", 3, "b");
    events.leave("0.0", 4);
    const Trace trace = events.take();
    const auto begins_on = [&](Index thread) {
        std::vector<std::pair<Index, Time>> begins;
        for (const Index i : trace.segments_on(thread)) {
            EXPECT_EQ(trace.segments[i].thread, thread);
            begins.emplace_back(trace.segments[i].task, trace.segments[i].begin);
        }
        return begins;
    };
    using Begins = std::vector<std::pair<Index, Time>>;
    EXPECT_EQ(begins_on(0), (Begins{{1, ns(1)}, {0, ns(2)}, {1, ns(3)}}));
    EXPECT_EQ(begins_on(1), (Begins{{1, ns(2)}}));
}

TEST(TraceBuilder, ATaskIsReadyAgainWhenWhatItWaitedForHappens) {
    Events events;
    events.create("0.0", 0, "t");
    events.run("0.0", 0, "t");
    events.leave("0.0", 1, Leaving::yielded);
    events.run("0.0", 2, "t");
    events.leave("0.0", 3, Leaving::suspended);
    events.builder.resumable(events.thread("0.1"), ns(4), events.id("t"));
    events.run("0.0", 6, "t");
    events.leave("0.0", 7, Leaving::suspended);
    events.run("0.0", 9, "t"); // nothing is reported for this one
    events.leave("0.0", 10);
    const Trace trace = events.take();
    const auto segments = trace.segments_of(0);
    ASSERT_EQ(segments.size(), 4u);
    EXPECT_EQ(segments[1].ready, ns(1));
    EXPECT_EQ(segments[2].ready, ns(4));
    EXPECT_EQ(segments[3].ready, ns(9));
}

TEST(TraceBuilder, ATaskIsReadyWhenItsLastPredecessorHasEnded) {
    Events events;
    events.create("0.0", 0, "after");
    events.task("0.0", 0, 3, "short");
    events.task("0.1", 0, 7, "long");
    events.task("0.2", 0, 5, "middle");
    for (const std::string before : {"short", "long", "middle"})
        events.depend(0, before, "after");
    events.run("0.1", 8, "after");
    events.leave("0.1", 9);
    const Trace trace = events.take();
    EXPECT_EQ(trace.segments_of(find_task(trace, "after")).front().ready, ns(7));
}

TEST(TraceBuilder, ATruncatedTraceEndsWhatIsOpen) {
    Events events;
    events.create("0.0", 0, "t");
    events.run("0.0", 1, "t");
    events.builder.enter_call(events.thread("0.0"), ns(2));
    events.create("0.0", 3, "never");
    const Trace trace = events.take();
    const Index task = find_task(trace, "t");
    EXPECT_EQ(trace.tasks[task].ended, kNever);
    EXPECT_EQ(trace.segments_of(task).front().end, ns(3));
    EXPECT_EQ(trace.calls_of(task).front().end, ns(3));
    EXPECT_TRUE(trace.segments_of(find_task(trace, "never")).empty());
}

TEST(TraceBuilder, ACallWithinACallIsTimeOfTheOuterOne) {
    Events events;
    TraceBuilder &builder = events.builder;
    events.create("0.0", 0, "t");
    events.run("0.0", 0, "t");
    const Index outer = builder.add_kind("MPI_Waitall", "");
    const Index inner = builder.add_kind("MPI_Wait", "");
    builder.enter_call(events.thread("0.0"), ns(1), outer);
    builder.enter_call(events.thread("0.0"), ns(2), inner);
    events.leave("0.0", 3, Leaving::suspended); // in both
    builder.run(events.thread("0.1"), ns(4), events.id("t"));
    builder.resume_call(events.thread("0.1"), ns(4));
    builder.leave_call(events.thread("0.1"), ns(6));
    events.leave("0.1", 7);
    const Trace trace = events.take();
    ASSERT_EQ(trace.calls.size(), 1u);
    EXPECT_EQ(trace.calls[0].begin, ns(1));
    EXPECT_EQ(trace.calls[0].end, ns(6));
    EXPECT_EQ(trace.calls[0].function, outer);
}

TEST(TraceBuilder, ACallGoesOnWhereItsTaskDoesInAnyOrderOfThreads) {
    Events events;
    TraceBuilder &builder = events.builder;
    events.create("0.0", 0, "t");
    const Index first = events.thread("0.0");
    const Index second = events.thread("0.1");
    const Index function = builder.add_kind("MPI_Recv", "");
    builder.run(second, ns(5), events.id("t"));
    builder.resume_call(second, ns(5), function);
    events.finish("0.1", 6, 1);
    builder.leave_call(second, ns(7));
    events.leave("0.1", 8);
    events.run("0.0", 0, "t");
    builder.enter_call(first, ns(1), function);
    events.start("0.0", 1, 1, RequestKind::receive, 0);
    events.leave("0.0", 2, Leaving::suspended);
    const Trace trace = events.take();
    ASSERT_EQ(trace.calls.size(), 1u);
    EXPECT_EQ(trace.calls[0].begin, ns(1));
    EXPECT_EQ(trace.calls[0].end, ns(7));
    EXPECT_EQ(trace.calls[0].thread, first);
    EXPECT_EQ(trace.calls[0].changes_count, 2u);
    EXPECT_EQ(trace.requests[0].start_call, 0u);
    EXPECT_EQ(trace.requests[0].completion_call, 0u);
}

TEST(TraceBuilder, WaitsArePairedInAnyOrderOfThreads) {
    Events events;
    TraceBuilder &builder = events.builder;
    events.create("0.0", 0, "t");
    const Index first = events.thread("0.0");
    const Index second = events.thread("0.1");
    events.run("0.1", 4, "t");
    builder.end_wait(second, ns(4));
    builder.begin_wait(second, ns(5), WaitFor::tasks);
    events.leave("0.1", 6, Leaving::suspended);
    events.run("0.0", 0, "t");
    builder.begin_wait(first, ns(1), WaitFor::tasks);
    events.leave("0.0", 2, Leaving::suspended);
    events.run("0.0", 7, "t");
    builder.end_wait(first, ns(8));
    builder.begin_wait(first, ns(9), WaitFor::team);
    events.leave("0.0", 10);
    const Trace trace = events.take();
    ASSERT_EQ(trace.waits.size(), 3u);
    const auto interval = [&](std::size_t i) {
        return std::pair(trace.waits[i].begin, trace.waits[i].end);
    };
    EXPECT_EQ(interval(0), std::pair(ns(1), ns(4)));
    EXPECT_EQ(interval(1), std::pair(ns(5), ns(8)));
    EXPECT_EQ(interval(2), std::pair(ns(9), ns(10)));
    EXPECT_EQ(trace.waits[1].thread, second);
    EXPECT_EQ(trace.waits[2].what, WaitFor::team);
}

/// A task for each holding on a thread of its own, from 0 to 9.
struct MutexUser {
    std::string task;
    double acquires; ///< negative: it does not
    double releases; ///< negative: it does not
};

Trace mutex_users(const std::vector<MutexUser> &users, double renewed = -1) {
    Events events;
    if (renewed >= 0)
        events.builder.renew(events.thread("0.9"), ns(renewed), 7);
    for (std::size_t i = users.size(); i > 0; --i) {
        const auto &[task, acquires, releases] = users[i - 1];
        const std::string on = "0." + std::to_string(i);
        events.create(on, 0, task);
        events.run(on, 0, task);
        if (acquires >= 0)
            events.builder.acquire(events.thread(on), ns(acquires), 7);
        if (releases >= 0)
            events.builder.release(events.thread(on), ns(releases), 7);
        events.leave(on, 9);
    }
    return events.take();
}

struct Held {
    std::string task;
    double begin;
    double end;
    Index mutex;

    bool operator==(const Held &) const = default;
};

std::vector<Held> held(const Trace &trace) {
    std::vector<Held> found;
    for (const Holding &holding : trace.holdings)
        found.push_back({trace.kinds[trace.tasks[holding.task].kind].label,
                         static_cast<double>(holding.begin) / 1e9,
                         static_cast<double>(holding.end) / 1e9, holding.mutex});
    std::sort(found.begin(), found.end(),
              [](const Held &a, const Held &b) { return a.begin < b.begin; });
    return found;
}

using HeldList = std::vector<Held>;

TEST(TraceBuilder, AMutexHasOneOwnerAtATime) {
    // The release is recorded when another task has the mutex already.
    EXPECT_EQ(held(mutex_users({{"a", 1, 3}, {"b", 2, 4}})),
              (HeldList{{"a", 1, 2, 0}, {"b", 2, 4, 0}}));
    EXPECT_EQ(held(mutex_users({{"a", 1, 6}, {"b", 2, 3}, {"c", 4, 5}, {"d", 7, 8}})),
              (HeldList{{"a", 1, 2, 0}, {"b", 2, 3, 0}, {"c", 4, 5, 0}, {"d", 7, 8, 0}}));
    // Another task gives it back, or nobody does.
    EXPECT_EQ(held(mutex_users({{"a", 1, -1}, {"b", -1, 3}, {"c", 5, 6}})),
              (HeldList{{"a", 1, 3, 0}, {"c", 5, 6, 0}}));
    EXPECT_EQ(held(mutex_users({{"a", 1, -1}})), (HeldList{{"a", 1, 9, 0}}));
    EXPECT_EQ(held(mutex_users({{"a", 1, -1}, {"b", 5, 6}})),
              (HeldList{{"a", 1, 5, 0}, {"b", 5, 6, 0}}));
    EXPECT_EQ(held(mutex_users({{"a", -1, 3}, {"b", 5, 6}})), (HeldList{{"b", 5, 6, 0}}));
}

TEST(TraceBuilder, ANewMutexMayHaveTheNameOfAnOldOne) {
    EXPECT_EQ(held(mutex_users({{"a", 1, 2}, {"b", 5, 6}}, 3)),
              (HeldList{{"a", 1, 2, 0}, {"b", 5, 6, 1}}));
    EXPECT_EQ(held(mutex_users({{"a", 1, -1}, {"b", 5, 6}}, 0)),
              (HeldList{{"a", 1, 5, 0}, {"b", 5, 6, 0}}));
}

TEST(TraceBuilder, AMutexReleasedUnrecordedIsHeldUntilThen) {
    Events events;
    const Index thread = events.thread("0.0");
    events.create("0.0", 0, "a");
    events.run("0.0", 0, "a");
    events.builder.acquire(thread, ns(1), 7);
    events.builder.unknown(thread, ns(3));
    events.builder.known(thread, ns(5));
    events.run("0.0", 5, "a");
    events.leave("0.0", 9);
    EXPECT_EQ(held(events.take()), (HeldList{{"a", 1, 3, 0}}));
}

TEST(TraceBuilder, ContradictionsAreReportedAndLeftOut) {
    Events events;
    events.leave("0.0", 1);
    events.builder.enter_call(events.thread("0.0"), 0);
    events.start("0.0", 1, 1, RequestKind::send, 0);
    events.finish("0.0", 1, 1);
    events.task("0.0", 1, 2, "t");
    events.create("0.0", 1, "t");
    events.run("0.0", 3, "unknown");
    events.start("0.0", 3, 2, RequestKind::send, 0);
    events.start("0.0", 3, 2, RequestKind::send, 0);
    events.finish("0.0", 3, 2);
    events.finish("0.0", 3, 2);
    const std::vector<std::string> expected = {"a thread leaves a task that it is not in",
                                               "an MPI call outside any task",
                                               "an MPI request is started outside any task",
                                               "an MPI request is completed outside any task",
                                               "task 0 is created twice",
                                               "MPI request 2 is started twice",
                                               "an MPI request is completed twice",
                                               "task 1 of rank 0 has no creation",
                                               "1 send has no receive that completed in the trace"};
    EXPECT_EQ(events.take().problems, expected);
}

TEST(TraceBuilder, AWaitOutsideTasksAndAReceiveWithoutSendAreReported) {
    Events events;
    events.builder.begin_wait(events.thread("0.0"), ns(1), WaitFor::tasks);
    events.create("1.0", 1, "receives");
    events.run("1.0", 1, "receives");
    events.start("1.0", 1, 1, RequestKind::receive, 0);
    events.finish("1.0", 2, 1);
    events.leave("1.0", 3);
    EXPECT_EQ(events.take().problems,
              (std::vector<std::string>{"a thread waits outside any task",
                                        "1 receive has no send in the trace"}));
}

/// The starts of each message's send and receive.
std::set<std::pair<Time, Time>> starts_of_messages(const Trace &trace) {
    std::set<std::pair<Time, Time>> starts;
    for (const Message &message : trace.messages)
        starts.emplace(trace.requests[message.send].started,
                       trace.requests[message.receive].started);
    return starts;
}

TEST(TraceBuilder, MessagesWithOneEnvelopeAreMatchedInOrder) {
    Events events;
    events.create("0.0", 0, "sends");
    events.run("0.0", 0, "sends");
    events.start("0.0", 1, 1, RequestKind::send, 1, 5);
    events.start("0.0", 2, 2, RequestKind::send, 1, 6);
    events.start("0.0", 3, 3, RequestKind::send, 1, 5);
    events.create("1.0", 0, "receives");
    events.run("1.0", 0, "receives");
    events.start("1.0", 1, 11, RequestKind::receive); // from any, with any tag
    events.start("1.0", 2, 12, RequestKind::receive, 0, 5);
    events.start("1.0", 3, 13, RequestKind::receive, 0, 6);
    events.start("1.0", 4, 14, RequestKind::receive, 0, 5); // never completed
    for (const std::uint64_t id : {12, 11, 13}) {
        if (id == 11)
            events.builder.set_envelope(events.thread("1.0"), id, 0, 0, 5);
        events.finish("1.0", 5, id);
    }
    const Trace trace = events.take();
    EXPECT_TRUE(trace.problems.empty());
    ASSERT_EQ(trace.messages.size(), 3u);
    EXPECT_EQ(starts_of_messages(trace),
              (std::set<std::pair<Time, Time>>{{ns(1), ns(1)}, {ns(2), ns(3)}, {ns(3), ns(2)}}));
}

TEST(TraceBuilder, AReceiveThatCompletesFirstHasTheMessageOfItsStart) {
    Events events;
    events.create("0.0", 0, "sends");
    events.run("0.0", 0, "sends");
    events.start("0.0", 1, 1, RequestKind::send, 1, 5);
    events.start("0.0", 2, 2, RequestKind::send, 1, 5);
    events.create("1.0", 0, "receives");
    events.run("1.0", 0, "receives");
    events.start("1.0", 1, 11, RequestKind::receive, 0, 5);
    events.start("1.0", 2, 12, RequestKind::receive, 0, 5);
    events.finish("1.0", 5, 12);
    events.finish("1.0", 6, 11);
    EXPECT_EQ(starts_of_messages(events.take()),
              (std::set<std::pair<Time, Time>>{{ns(1), ns(1)}, {ns(2), ns(2)}}));
}

/// Three messages, of which the first receive is freed: it has no completion.
Trace with_a_freed_receive(const Request &freed, bool another = false) {
    Events events;
    for (const std::string on : {"0.0", "1.0"}) {
        events.create(on, 0, on);
        events.run(on, 0, on);
    }
    for (int i = 1; i <= (another ? 2 : 3); ++i)
        events.start("0.0", i, static_cast<std::uint64_t>(i), RequestKind::send, 1, 5);
    events.builder.start(events.thread("1.0"), ns(1), 11, freed);
    for (int i = 2; i <= 3; ++i) {
        events.start("1.0", i, static_cast<std::uint64_t>(10 + i), RequestKind::receive, 0, 5);
        events.finish("1.0", i + 2, static_cast<std::uint64_t>(10 + i));
    }
    return events.take();
}

TEST(TraceBuilder, AReceiveWithoutACompletionTakesItsMessage) {
    const std::set<std::pair<Time, Time>> later = {{ns(2), ns(2)}, {ns(3), ns(3)}};
    const RequestKind kind = RequestKind::receive;
    EXPECT_EQ(starts_of_messages(with_a_freed_receive({.kind = kind, .peer = 0, .tag = 5})), later);
    // A wildcard one may have taken any, and has taken none if all are accounted for.
    EXPECT_TRUE(starts_of_messages(with_a_freed_receive({.kind = kind, .tag = kAnyTag})).empty());
    EXPECT_EQ(starts_of_messages(with_a_freed_receive({.kind = kind, .tag = kAnyTag}, true)),
              (std::set<std::pair<Time, Time>>{{ns(1), ns(2)}, {ns(2), ns(3)}}));
}

TEST(TraceBuilder, ACancelledRequestTakesNoMessage) {
    Events events;
    for (const std::string on : {"0.0", "1.0"}) {
        events.create(on, 0, on);
        events.run(on, 0, on);
        const bool sends = on == "0.0";
        const std::uint64_t first = sends ? 1 : 11;
        for (std::uint64_t i = 0; i < 3; ++i)
            events.start(on, static_cast<double>(i + 1), first + i,
                         sends ? RequestKind::send : RequestKind::receive, sends ? 1 : 0, 5);
        events.builder.cancel(events.thread(on), ns(4), sends ? 1 : 12);
        for (std::uint64_t i = 0; i < 3; ++i)
            if (first + i != 1 && first + i != 12)
                events.finish(on, 5, first + i);
    }
    EXPECT_EQ(starts_of_messages(events.take()),
              (std::set<std::pair<Time, Time>>{{ns(2), ns(1)}, {ns(3), ns(3)}}));
}

TEST(TraceBuilder, MessagesOfDifferentCommunicatorsAreNotMatched) {
    Events events;
    const auto start = [&](const std::string &on, double when, std::uint64_t id, RequestKind kind,
                           Index communicator) {
        const Index peer = kind == RequestKind::send ? 1 : 0;
        events.builder.start(events.thread(on), ns(when), id,
                             {.kind = kind, .communicator = communicator, .peer = peer, .tag = 5});
    };
    for (const std::string on : {"0.0", "1.0"}) {
        events.create(on, 0, on);
        events.run(on, 0, on);
    }
    start("0.0", 1, 1, RequestKind::send, 0);
    start("0.0", 2, 2, RequestKind::send, 1);
    start("1.0", 1, 11, RequestKind::receive, 1);
    start("1.0", 2, 12, RequestKind::receive, 0);
    events.finish("1.0", 5, 11);
    events.finish("1.0", 5, 12);
    EXPECT_EQ(starts_of_messages(events.take()),
              (std::set<std::pair<Time, Time>>{{ns(1), ns(2)}, {ns(2), ns(1)}}));
}

TEST(TraceBuilder, CollectivesOfACommunicatorAreMatchedInOrder) {
    Events events;
    for (const std::string on : {"0.0", "1.0", "2.0"}) {
        const Index thread = events.thread(on);
        events.create(on, 0, on);
        events.run(on, 0, on);
        const auto start = [&](std::uint64_t id, Index communicator) {
            events.builder.start(thread, ns(static_cast<double>(id)), id,
                                 {.kind = RequestKind::collective, .communicator = communicator});
        };
        start(1, 0);
        if (on != "2.0")
            start(2, 1);
        start(3, 0);
    }
    const Trace trace = events.take();
    ASSERT_EQ(trace.collectives.size(), 3u);
    EXPECT_EQ(trace.collectives[0].size(), 3u);
    EXPECT_EQ(trace.collectives[1].size(), 3u);
    EXPECT_EQ(trace.collectives[2].size(), 2u);
    for (const std::vector<Index> &collective : trace.collectives)
        for (const Index request : collective)
            EXPECT_EQ(trace.requests[request].started, trace.requests[collective.front()].started);
}

} // namespace
} // namespace loomp::analysis
