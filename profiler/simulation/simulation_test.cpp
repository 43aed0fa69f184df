// Simulates traces on other threads, networks and schedulers, and compares with schedules made by
// hand.
#include <gtest/gtest.h>

#include "profiler/graph/critical_path.h"
#include "profiler/graph/graph.h"
#include "profiler/simulation/ranks.h"
#include "profiler/simulation/ready_queue.h"
#include "profiler/simulation/simulation.h"
#include "tests/analysis/support.h"

namespace loomp::analysis {
namespace {

struct How {
    Index threads = 1;
    Order order = Order::fifo;
    std::optional<bool> at_once = {};
    std::optional<bool> suspends = {};
    double overhead = 0;
    std::optional<Network> network = {};
};

Simulation run(const Trace &trace, const How &how) {
    EXPECT_TRUE(trace.problems.empty());
    const Program program = make_program(trace);
    return simulate(trace, program,
                    {.threads = how.threads,
                     .order = how.order,
                     .at_once = how.at_once,
                     .suspends = how.suspends,
                     .task_overhead = ns(how.overhead),
                     .network = how.network});
}

Time makespan(const Trace &trace, const How &how) { return run(trace, how).makespan; }

/// Tasks in a row on a thread, created as they start.
Trace in_turn(const std::vector<std::pair<std::string, double>> &tasks,
              const std::vector<std::pair<std::string, std::string>> &edges = {}) {
    Events events;
    double now = 0;
    for (const auto &[name, duration] : tasks) {
        events.task("0.0", now, now + duration, name);
        now += duration;
    }
    for (const auto &[from, to] : edges)
        events.depend(0, from, to);
    return events.take();
}

TEST(ReadyQueue, AResumedTaskComesFirstWithoutARanking) {
    for (const Order order : {Order::fifo, Order::lifo}) {
        const std::vector<Time> no_ranking;
        ReadyQueue queue(order, no_ranking);
        queue.push(1);
        queue.push(2);
        queue.push_resumed(3);
        EXPECT_EQ(queue.pop(), 3u);
        EXPECT_EQ(queue.pop(), order == Order::fifo ? 1u : 2u);
    }
}

TEST(Simulation, KeepsDependences) {
    // The graph of golden/critical_path.json: a, then b and c, then d.
    const Trace trace = in_turn({{"a", 2}, {"b", 3}, {"c", 4}, {"d", 1}},
                                {{"a", "b"}, {"a", "c"}, {"b", "d"}, {"c", "d"}});
    EXPECT_EQ(makespan(trace, {.threads = 1}), ns(10));
    const Simulation two = run(trace, {.threads = 2});
    EXPECT_EQ(two.makespan, ns(7));
    EXPECT_EQ(two.ranks[0].work, ns(10));
    EXPECT_EQ(two.ranks[0].idle, ns(4));
    EXPECT_EQ(two.tasks[find_task(trace, "d")].length(), ns(1));
    EXPECT_EQ(two.unfinished, 0u);
    EXPECT_EQ(makespan(trace, {.threads = 9}), ns(7)); // T-infinity
}

TEST(Simulation, ACreatorWaitsForAnUndeferredTask) {
    Events events;
    const Index thread = events.thread("0.0");
    const Index kind = events.builder.add_kind("undeferred", "");
    events.create("0.0", 0, "creator");
    events.run("0.0", 0, "creator");
    for (std::uint64_t i = 0; i < 4; ++i) {
        const auto begin = static_cast<double>(2 * i);
        events.builder.create(thread, ns(begin), 100 + i, kind, true);
        events.builder.run(thread, ns(begin), 100 + i);
        events.leave("0.0", begin + 2);
        events.run("0.0", begin + 2, "creator");
    }
    events.leave("0.0", 8);
    const Trace trace = events.take();
    for (const Index threads : {1U, 2U, 4U})
        EXPECT_EQ(makespan(trace, {.threads = threads}), ns(8));
}

/// A task of 1 us has an event, which another one of 4 us fulfils after 3 us. A third one of 2 us
/// depends on the first.
Trace with_event() {
    Events events;
    for (const char *task : {"t", "by", "after"})
        events.create("0.0", 0, task);
    events.builder.completes_later(events.thread("0.0"), events.id("t"));
    events.run("0.0", 0, "t");
    events.leave("0.0", 1);
    events.run("0.1", 0, "by");
    events.builder.complete(events.thread("0.1"), ns(3), events.id("t"));
    events.leave("0.1", 4);
    events.run("0.0", 3, "after");
    events.leave("0.0", 5);
    events.depend(0, "t", "after");
    return events.take();
}

TEST(Simulation, ATaskWaitsForTheFulfilmentOfItsEvent) {
    const Trace trace = with_event();
    for (const bool waits : {false, true}) {
        const auto path = critical_path(build_graph(trace, {.waits = waits}));
        ASSERT_TRUE(path);
        EXPECT_EQ(path->work, ns(7));
        EXPECT_EQ(path->length, ns(5));
    }
    EXPECT_EQ(makespan(trace, {.threads = 1}), ns(7));
    EXPECT_EQ(makespan(trace, {.threads = 2}), ns(5));
    const auto two = with_ranks(trace, 2);
    ASSERT_TRUE(two.trace);
    EXPECT_EQ(makespan(*two.trace, {.threads = 2}), ns(5));
}

TEST(Simulation, TakesTasksInTheOrderOfItsScheduler) {
    const Trace trace = in_turn({{"a", 1}, {"b", 1}, {"c", 1}, {"long", 3}});
    // a | b, then c | long: to 4. With the long one first: to 3.
    EXPECT_EQ(makespan(trace, {.threads = 2, .order = Order::fifo}), ns(4));
    EXPECT_EQ(makespan(trace, {.threads = 2, .order = Order::lifo}), ns(3));
    EXPECT_EQ(makespan(trace, {.threads = 2, .order = Order::critical_path}), ns(3));
}

TEST(Simulation, TheCriticalPathLeadsThroughSuccessors) {
    // a, b and c take 1, 2 and 2, and c precedes a task of 4. a is created first and goes to the
    // idle thread; then the scheduler chooses between b and c.
    const Trace trace = in_turn({{"a", 1}, {"b", 2}, {"c", 2}, {"d", 4}}, {{"c", "d"}});
    EXPECT_EQ(makespan(trace, {.threads = 2, .order = Order::fifo}), ns(7));
    EXPECT_EQ(makespan(trace, {.threads = 2, .order = Order::critical_path}), ns(6));
}

// On one thread l, m and n follow a first task, and s, which sends, follows n. With fifo, l and m
// run before n; it does not help to prefer s, which is not ready, but to prefer n.
TEST(Simulation, TasksThatLeadToSendsCanComeFirst) {
    Events events;
    double now = 0;
    for (const auto &[name, duration] : std::vector<std::pair<std::string, double>>{
             {"first", 1}, {"l", 4}, {"m", 2}, {"n", 3}, {"s", 1}}) {
        events.create("0.0", now, name);
        events.run("0.0", now, name);
        if (name == "s")
            events.start("0.0", now, 1, RequestKind::send, 1);
        now += duration;
        events.leave("0.0", now);
    }
    events.depend(0, "first", "l");
    events.depend(0, "first", "m");
    events.depend(0, "first", "n");
    events.depend(0, "n", "s");
    events.create("1.0", 0, "r");
    events.run("1.0", 0, "r");
    events.start("1.0", 0, 1, RequestKind::receive, 0);
    events.finish("1.0", now, 1);
    events.leave("1.0", now);
    const Trace trace = events.take();
    const auto begin_of_send = [&](Order order) {
        SimulationOptions options;
        options.order = order;
        options.at_once = false;
        options.task_overhead = 0;
        const Simulation found = simulate(trace, make_program(trace), options);
        return found.tasks[find_task(trace, "s")].begin;
    };
    EXPECT_EQ(begin_of_send(Order::fifo), ns(1 + 4 + 2 + 3));
    EXPECT_EQ(begin_of_send(Order::sends), ns(1 + 4 + 2 + 3));
    EXPECT_EQ(begin_of_send(Order::early_sends), ns(1 + 3));
    EXPECT_EQ(ranking(trace, Order::early_sends)[find_task(trace, "first")], -2);
}

/// An implicit task creates `count` tasks, one a second; another thread runs each at once.
Trace slowly_created(int count, double duration) {
    Events events;
    events.builder.set_implicit(events.thread("0.0"), events.id("main"));
    events.run("0.0", 0, "main");
    for (int i = 0; i < count; ++i) {
        const std::string name = "task " + std::to_string(i);
        events.create("0.0", i, name);
        events.run("0.1", i, name);
        events.leave("0.1", i + duration);
    }
    events.leave("0.0", count + duration);
    return events.take();
}

TEST(Simulation, NoTaskStartsBeforeItIsCreated) {
    const Trace trace = slowly_created(3, 0.5);
    const Simulation two = run(trace, {.threads = 2});
    EXPECT_EQ(two.makespan, ns(2.5));
    EXPECT_EQ(two.ranks[0].creating, ns(2));
    EXPECT_EQ(two.ranks[0].idle, ns(2 * 2.5 - 2 - 1.5));
    // One thread runs each task at its creation, or after all have been created.
    EXPECT_EQ(makespan(trace, {.threads = 1}), ns(3.5));
    EXPECT_EQ(makespan(trace, {.threads = 1, .at_once = false}), ns(1.5));
}

TEST(Simulation, CreatorsThatAreTasksGoOnWhenTheirThreadIsFree) {
    // The creator works for 1, creates a child of 2, and works for 3.
    Events events;
    events.create("0.0", 0, "creator");
    events.run("0.0", 0, "creator");
    events.create("0.0", 1, "child");
    events.leave("0.0", 4);
    events.run("0.0", 4, "child");
    events.leave("0.0", 6);
    const Trace trace = events.take();
    EXPECT_EQ(makespan(trace, {.threads = 2}), ns(4));
    const Simulation at_once = run(trace, {.threads = 1});
    EXPECT_EQ(at_once.makespan, ns(6));
    EXPECT_EQ(at_once.tasks[find_task(trace, "child")].end, ns(3));
    const Simulation ahead = run(trace, {.threads = 1, .at_once = false});
    EXPECT_EQ(ahead.tasks[find_task(trace, "creator")].end, ns(4));
}

TEST(Simulation, WhatFollowsATaskwaitComesAfterTheTasks) {
    // Two tasks of 4, one after the other, then a call of 1, then a task of 2.
    Events events;
    events.builder.set_implicit(events.thread("0.0"), events.id("main"));
    events.run("0.0", 0, "main");
    events.create("0.0", 0, "a");
    events.create("0.0", 0, "b");
    events.builder.begin_wait(events.thread("0.0"), 0, WaitFor::tasks);
    events.run("0.1", 0, "a");
    events.leave("0.1", 4);
    events.run("0.1", 4, "b");
    events.leave("0.1", 8);
    events.builder.end_wait(events.thread("0.0"), ns(8));
    events.builder.enter_call(events.thread("0.0"), ns(8));
    events.builder.leave_call(events.thread("0.0"), ns(9));
    events.create("0.0", 9, "c");
    events.run("0.1", 9, "c");
    events.leave("0.1", 11);
    events.leave("0.0", 11);
    const Trace trace = events.take();
    EXPECT_EQ(makespan(trace, {.threads = 2}), ns(4 + 1 + 2));
    EXPECT_EQ(makespan(trace, {.threads = 1}), ns(4 + 4 + 1 + 2));
}

TEST(Simulation, TasksCostOverhead) {
    const Trace trace = in_turn({{"a", 1}, {"b", 1}});
    const Simulation found = run(trace, {.threads = 1, .overhead = 0.25});
    EXPECT_EQ(found.makespan, ns(2.25)); // it begins with a
    EXPECT_EQ(found.ranks[0].overhead, ns(0.25));
}

/// Rank 0 computes for 2 and sends. Rank 1 computes for 1, receives, computes for 3; another of its
/// tasks takes 4. Rank 0 computes for `after` then.
Trace one_message(std::uint64_t bytes = 0, double after = 0) {
    Events events;
    TraceBuilder &builder = events.builder;
    events.create("0.0", 0, "sends");
    events.run("0.0", 0, "sends");
    builder.start(events.thread("0.0"), ns(2), 1,
                  {.kind = RequestKind::send, .peer = 1, .bytes = bytes});
    events.finish("0.0", 2, 1);
    events.leave("0.0", 2);
    if (after > 0)
        events.task("0.0", 2, 2 + after, "computes");
    const Index thread = events.thread("1.0");
    events.create("1.0", 0, "receives");
    events.run("1.0", 0, "receives");
    builder.enter_call(thread, ns(1));
    builder.start(thread, ns(1), 1, {.kind = RequestKind::receive, .peer = 0, .bytes = bytes});
    builder.finish(thread, ns(2), 1);
    builder.leave_call(thread, ns(2));
    events.leave("1.0", 5);
    events.task("1.0", 5, 9, "computes");
    return events.take();
}

TEST(Simulation, WaitingForMessagesSuspendsOrHolds) {
    const Trace trace = one_message();
    const How blocking{.threads = 1, .at_once = false, .suspends = false};
    const Simulation held = run(trace, blocking);
    EXPECT_EQ(held.makespan, ns(9));
    EXPECT_EQ(held.ranks[1].work, ns(9));
    const How suspending{.threads = 1, .at_once = false, .suspends = true};
    const Simulation suspended = run(trace, suspending);
    EXPECT_EQ(suspended.makespan, ns(8)); // 1, 4 of the other one, 3
    EXPECT_EQ(suspended.ranks[1].work, ns(8));
    EXPECT_EQ(suspended.ranks[1].idle, 0);
}

TEST(Simulation, MessagesTakeWhatTheNetworkTakes) {
    const Trace trace = one_message(1000);
    // Sent at 2, it arrives at 4.5.
    How how{.threads = 1, .at_once = false, .suspends = false, .network = Network{ns(2.5), 0}};
    EXPECT_EQ(makespan(trace, how), ns(4.5 + 3 + 4));
    how.network = Network{ns(0.5), 500}; // it takes the same time, by its size
    EXPECT_EQ(makespan(trace, how), ns(4.5 + 3 + 4));
    how.suspends = true;
    EXPECT_EQ(makespan(trace, how), ns(8));
}

TEST(Simulation, WhatTheSenderComputesOverlapsItsMessages) {
    const Trace trace = one_message(1000, 1);
    // The message is in flight from 2 to 4.5, and the sender computes to 3.
    const How how{.threads = 1, .at_once = false, .suspends = true, .network = Network{ns(2.5), 0}};
    const Simulation found = run(trace, how);
    EXPECT_EQ(found.ranks[0].messages.communication, ns(2.5));
    EXPECT_EQ(found.ranks[0].messages.work, ns(1));
    EXPECT_EQ(found.ranks[1].messages.communication, 0);
}

TEST(Simulation, HeldThreadsCanBeDeadlocked) {
    Events events;
    for (const std::string rank : {"0", "1"}) {
        const std::string on = rank + ".0";
        const Index other = rank == "0" ? 1 : 0;
        events.create(on, 0, "receives " + rank);
        events.run(on, 0, "receives " + rank);
        const Index thread = events.thread(on);
        events.builder.enter_call(thread, 0);
        events.start(on, 0, 1, RequestKind::receive, other);
        events.leave(on, 0, Leaving::suspended);
        events.create(on, 0, "sends " + rank);
        events.run(on, 0, "sends " + rank);
        events.start(on, 1, 2, RequestKind::send, other);
        events.finish(on, 1, 2);
        events.leave(on, 1);
        events.run(on, 1, "receives " + rank);
        events.builder.resume_call(thread, ns(1));
        events.finish(on, 1, 1);
        events.builder.leave_call(thread, ns(1));
        events.leave(on, 2);
    }
    const Trace trace = events.take();
    EXPECT_TRUE(make_program(trace).suspends);
    const Simulation recorded = run(trace, {.threads = 1});
    EXPECT_EQ(recorded.makespan, ns(2));
    EXPECT_EQ(recorded.unfinished, 0u);
    EXPECT_EQ(run(trace, {.threads = 1, .at_once = false, .suspends = false}).unfinished, 4u);
}

TEST(Simulation, CollectivesMeet) {
    // Rank 0 arrives at 1, rank 1 at 3. Both continue for 1, half a second after they have met.
    Events events;
    for (const auto &[on, comes] : {std::pair("0.0", 1.0), std::pair("1.0", 3.0)}) {
        events.create(on, 0, on);
        events.run(on, 0, on);
        events.builder.enter_call(events.thread(on), ns(comes));
        events.start(on, comes, 1, RequestKind::collective);
        events.finish(on, 3.5, 1);
        events.builder.leave_call(events.thread(on), ns(3.5));
        events.leave(on, 4.5);
    }
    const Trace trace = events.take();
    EXPECT_EQ(make_program(trace).transport.duration.back(), ns(0.5));
    EXPECT_EQ(makespan(trace, {.threads = 1}), ns(4.5));
    // Rank 0 is in the call from 1 to 3.5, and its request is in flight then; tasks compute for 2.
    const SimulatedRank first = run(trace, {.threads = 1}).ranks.front();
    EXPECT_EQ(first.communicating, ns(2.5));
    EXPECT_EQ(first.in_flight, ns(2.5));
    EXPECT_EQ(first.work - first.calls, ns(2));
    // A suspended call's request is in flight equally long, but no thread is in the call.
    const SimulatedRank suspended = run(trace, {.threads = 1, .suspends = true}).ranks.front();
    EXPECT_EQ(suspended.communicating, 0);
    EXPECT_EQ(suspended.in_flight, ns(2.5));
    EXPECT_EQ(makespan(trace, {.threads = 1, .network = Network{ns(2), 0}}), ns(6));
}

TEST(Simulation, CollectivesOverANetworkTakeItsLatencyForEachLevelOfATree) {
    Events events;
    for (const std::string on : {"0.0", "1.0", "2.0", "3.0"}) {
        events.create(on, 0, on);
        events.run(on, 0, on);
        events.builder.enter_call(events.thread(on), ns(1));
        events.start(on, 1, 1, RequestKind::collective);
        events.finish(on, 2, 1);
        events.builder.leave_call(events.thread(on), ns(2));
        events.leave(on, 3);
    }
    const Trace trace = events.take();
    EXPECT_EQ(makespan(trace, {.threads = 1}), ns(3));
    EXPECT_EQ(makespan(trace, {.threads = 1, .network = Network{ns(2), 0}}), ns(1 + 2 * 2 + 1));
}

TEST(Simulation, BarriersWaitForWhatAnyThreadCreated) {
    // Thread 1 of a rank creates a task that exchanges a message, like in a single construct.
    // Thread 0 calls a collective after a barrier: on one thread the collective must not come
    // first.
    Events events;
    for (const std::string rank : {"0", "1"}) {
        const std::string creator = rank == "0" ? "0.0" : "1.1";
        const std::string caller = rank + ".0";
        const Index thread = events.thread(caller);
        const auto meet = [&](const std::string &on, const std::string &task) {
            events.builder.set_implicit(events.thread(on), events.id(task));
            events.run(on, 3, task);
            events.builder.begin_wait(events.thread(on), ns(3), WaitFor::team);
            events.builder.end_wait(events.thread(on), ns(3.5));
        };
        events.create(creator, 0, "task " + rank);
        events.run(creator, 1, "task " + rank);
        events.start(creator, 1, 1, rank == "0" ? RequestKind::receive : RequestKind::send,
                     rank == "0" ? 1 : 0);
        events.finish(creator, 2, 1);
        events.leave(creator, 3);
        meet(caller, "main " + rank);
        if (creator != caller)
            meet(creator, "other " + rank);
        events.builder.enter_call(thread, ns(4));
        events.start(caller, 4, 2, RequestKind::collective);
        events.finish(caller, 5, 2);
        events.builder.leave_call(thread, ns(5));
        events.leave(caller, 6);
    }
    EXPECT_EQ(run(events.take(), {.threads = 1}).unfinished, 0u);
}

TEST(Simulation, TasksThatWaitForTheirChildrenHoldNoThread) {
    // Two parents create a child each after 1, wait for it and continue for 1; it takes 4.
    Events events;
    for (const std::string i : {"0", "1"}) {
        const std::string on = "0." + i;
        events.create(on, 0, "parent " + i);
        events.run(on, 0, "parent " + i);
        events.create(on, 1, "child " + i);
        events.builder.begin_wait(events.thread(on), ns(1), WaitFor::tasks);
        events.run(on, 1, "child " + i);
        events.leave(on, 5);
        events.run(on, 5, "parent " + i);
        events.builder.end_wait(events.thread(on), ns(5.5));
        events.leave(on, 6.5);
    }
    const Trace trace = events.take();
    EXPECT_EQ(trace.segments_of(find_task(trace, "parent 0")).back().begin, ns(5.5));
    EXPECT_EQ(makespan(trace, {.threads = 2}), ns(1 + 4 + 1));
    EXPECT_EQ(makespan(trace, {.threads = 1, .at_once = false}), ns(2 * (1 + 4 + 1)));
    EXPECT_EQ(run(trace, {.threads = 1}).unfinished, 0u);
}

TEST(Simulation, TheOwnerOfAMutexFindsAThreadWhenItContinues) {
    // The owner creates a child, which takes 4, and waits for it. Another task needs the mutex for
    // 1 and was created before the child.
    Events events;
    const Index first = events.thread("0.0");
    const Index second = events.thread("0.1");
    events.create("0.0", 0, "owner");
    events.create("0.0", 0, "other");
    events.run("0.0", 0, "owner");
    events.builder.acquire(first, ns(0), 1);
    events.create("0.0", 1, "child");
    events.builder.begin_wait(first, ns(1), WaitFor::tasks);
    events.run("0.0", 1, "child");
    events.leave("0.0", 5);
    events.run("0.0", 5, "owner");
    events.builder.end_wait(first, ns(5));
    events.builder.release(first, ns(6), 1);
    events.leave("0.0", 6);
    events.run("0.1", 1, "other");
    events.builder.begin_wait(second, ns(1), WaitFor::mutex);
    events.builder.end_wait(second, ns(6));
    events.builder.acquire(second, ns(6), 1);
    events.builder.release(second, ns(7), 1);
    events.leave("0.1", 7);
    const Trace trace = events.take();
    ASSERT_EQ(trace.holdings.size(), 2u);
    for (const Index threads : {1, 2, 3})
        for (const bool at_once : {false, true}) {
            const Simulation found = run(trace, {.threads = threads, .at_once = at_once});
            EXPECT_EQ(found.unfinished, 0u) << threads << at_once;
            EXPECT_EQ(found.makespan, ns(7)) << threads << at_once;
        }
}

TEST(Simulation, AThreadIsFreeForTheOwnerOfAMutexThatAnOwnerWaitsFor) {
    // A has the mutex 1 while it waits for its child, which takes 4. B has the mutex 2 and needs 1
    // after 0.5. D needs 2 and was created before the child: a thread that waited for B with it
    // would keep the child from running.
    Events events;
    const Index first = events.thread("0.0");
    const Index second = events.thread("0.1");
    const Index third = events.thread("0.2");
    for (const char *name : {"A", "B", "D"})
        events.create("0.0", 0, name);
    events.run("0.0", 0, "A");
    events.builder.acquire(first, ns(0), 1);
    events.create("0.0", 1, "child");
    events.builder.begin_wait(first, ns(1), WaitFor::tasks);
    events.run("0.0", 1, "child");
    events.leave("0.0", 5);
    events.run("0.0", 5, "A");
    events.builder.end_wait(first, ns(5));
    events.builder.release(first, ns(6), 1);
    events.leave("0.0", 6);
    events.run("0.1", 0, "B");
    events.builder.acquire(second, ns(0), 2);
    events.builder.begin_wait(second, ns(0.5), WaitFor::mutex);
    events.builder.end_wait(second, ns(6));
    events.builder.acquire(second, ns(6), 1);
    events.builder.release(second, ns(7), 1);
    events.builder.release(second, ns(7), 2);
    events.leave("0.1", 7);
    events.run("0.2", 0, "D");
    events.builder.begin_wait(third, ns(0), WaitFor::mutex);
    events.builder.end_wait(third, ns(7));
    events.builder.acquire(third, ns(7), 2);
    events.builder.release(third, ns(8), 2);
    events.leave("0.2", 8);
    const Trace trace = events.take();
    for (const auto &[threads, makespan] :
         {std::pair(1u, 8.5), std::pair(2u, 8.0), std::pair(3u, 8.0)}) {
        const Simulation found = run(trace, {.threads = threads, .at_once = false});
        EXPECT_EQ(found.unfinished, 0u) << threads;
        EXPECT_EQ(found.makespan, ns(makespan)) << threads;
        EXPECT_EQ(found.ranks[0].work, ns(8.5)) << threads;
    }
}

TEST(Simulation, ACoarseClockLeavesMutexesFree) {
    // Each task has the mutex for no time at 1, and does not have it while it waits for its child.
    Events events;
    for (const std::string i : {"0", "1"}) {
        const std::string on = "0." + i;
        const Index thread = events.thread(on);
        events.create(on, 0, "parent " + i);
        events.run(on, 0, "parent " + i);
        events.builder.acquire(thread, ns(1), 1);
        events.builder.release(thread, ns(1), 1);
        events.builder.acquire(thread, ns(1), 2 + (i == "1" ? 1 : 0));
        events.builder.release(thread, ns(2), 2 + (i == "1" ? 1 : 0));
        events.create(on, 2, "child " + i);
        events.builder.begin_wait(thread, ns(2), WaitFor::tasks);
        events.run(on, 2, "child " + i);
        events.builder.acquire(thread, ns(3), 2 + (i == "1" ? 1 : 0));
        events.builder.release(thread, ns(4), 2 + (i == "1" ? 1 : 0));
        events.leave(on, 5);
        events.run(on, 5, "parent " + i);
        events.builder.end_wait(thread, ns(5));
        events.leave(on, 6);
    }
    const Trace trace = events.take();
    const Simulation found = run(trace, {.threads = 2});
    EXPECT_EQ(found.unfinished, 0u);
    EXPECT_EQ(found.makespan, ns(6));
    EXPECT_EQ(found.ranks[0].work, ns(12));
}

TEST(Simulation, ThreadsComeToARegionWhenItBegins) {
    // Thread 0 works for 3 in serial code. Then a region begins, in which thread 1 creates a task.
    Events events;
    const Index master = events.thread("0.0");
    const Index other = events.thread("0.1");
    events.builder.set_implicit(master, events.id("initial"));
    events.builder.set_implicit(other, events.id("implicit"));
    events.run("0.0", 0, "initial");
    events.create("0.0", 0, "first");
    events.create("0.0", 3, "second");
    events.run("0.0", 3, "second");
    events.leave("0.0", 4);
    events.run("0.0", 4, "initial");
    events.builder.begin_wait(master, ns(4), WaitFor::team);
    events.run("0.1", 4, "implicit"); // after the other one has come to the barrier
    events.create("0.1", 5, "third");
    events.run("0.1", 5, "third");
    events.leave("0.1", 6);
    events.run("0.1", 6, "implicit");
    events.builder.begin_wait(other, ns(6), WaitFor::team);
    events.run("0.0", 6, "first");
    events.leave("0.0", 7);
    events.run("0.0", 7, "initial");
    events.builder.end_wait(master, ns(7));
    events.builder.end_wait(other, ns(7));
    const Trace trace = events.take();
    const Simulation found = run(trace, {.threads = 2, .order = Order::recorded});
    EXPECT_EQ(found.unfinished, 0u);
    // The thread has run "second" before, and took 1 before it created "third".
    EXPECT_EQ(found.tasks[find_task(trace, "third")].begin, ns(3 + 1 + 1));
}

TEST(Simulation, CallsThatHoldAllThreadsAreADeadlock) {
    // On each rank a receiving task comes before the one that sends the other rank's message.
    Events events;
    for (const std::string rank : {"0", "1"}) {
        const std::string thread = rank + ".0";
        const Index peer = rank == "0" ? 1 : 0;
        events.create(thread, 0, rank + " receives");
        events.create(thread, 0, rank + " sends");
        events.run(thread, 0, rank + " receives");
        events.start(thread, 0, 1, RequestKind::receive, peer);
        events.leave(thread, 1, Leaving::suspended);
        events.run(thread, 1, rank + " sends");
        events.start(thread, 3, 2, RequestKind::send, peer);
        events.finish(thread, 3, 2);
        events.leave(thread, 4);
        events.run(thread, 4, rank + " receives");
        events.finish(thread, 4, 1);
        events.leave(thread, 5);
    }
    const Trace trace = events.take();
    const Simulation suspends = run(trace, {.threads = 1, .suspends = true});
    EXPECT_TRUE(suspends.held.empty());
    EXPECT_EQ(suspends.unfinished, 0u);
    const Simulation holds = run(trace, {.threads = 1, .suspends = false});
    EXPECT_EQ(holds.makespan, 0);
    EXPECT_EQ(holds.unfinished, 4u);
    ASSERT_EQ(holds.held.size(), 2u);
    EXPECT_EQ(holds.held[0].activity, find_task(trace, "0 receives"));
    EXPECT_EQ(trace.requests[holds.held[1].request].kind, RequestKind::receive);
    EXPECT_TRUE(run(trace, {.threads = 2, .suspends = false}).held.empty());
}

TEST(Simulation, TheRecordedOrderIsThatOfTheStarts) {
    Events events;
    for (const char *name : {"a", "b", "c"})
        events.create("0.0", 0, name);
    double now = 0;
    for (const char *name : {"b", "c", "a"}) {
        events.run("0.0", now, name);
        events.leave("0.0", now += 1);
    }
    const Trace trace = events.take();
    const Simulation found = run(trace, {.threads = 1, .order = Order::recorded, .at_once = false});
    EXPECT_EQ(found.tasks[find_task(trace, "b")].begin, 0);
    EXPECT_EQ(found.tasks[find_task(trace, "a")].begin, ns(2));
}

TEST(Simulation, ThreadsDoNothingBeforeTheirFirstRegion) {
    // st.c: thread 0 runs a task of 5, computes for 300 and meets a region of four threads, in
    // which thread 1 creates four tasks of 20. One thread takes 5 + 300 + 80. On four, another one
    // runs the first task meanwhile: 300 + 20.
    Events events;
    const Index master = events.thread("0.0");
    events.builder.set_implicit(master, events.id("initial"));
    events.run("0.0", 0, "initial");
    events.task("0.0", 0, 5, "first");
    events.run("0.0", 5, "initial");
    events.builder.begin_wait(master, ns(305), WaitFor::team);
    for (const std::string on : {"0.1", "0.2", "0.3"}) {
        events.builder.set_implicit(events.thread(on), events.id("implicit " + on));
        events.run(on, 305, "implicit " + on);
    }
    for (const char *name : {"a", "b", "c", "d"})
        events.create("0.1", 305, name);
    for (const std::string on : {"0.1", "0.2", "0.3"})
        events.builder.begin_wait(events.thread(on), ns(305), WaitFor::team);
    const std::pair<const char *, const char *> tasks[] = {
        {"0.0", "a"}, {"0.1", "b"}, {"0.2", "c"}, {"0.3", "d"}};
    for (const auto &[on, name] : tasks) {
        events.run(on, 305, name);
        events.leave(on, 325);
        events.run(on, 325, on == std::string("0.0") ? "initial" : "implicit " + std::string(on));
        events.builder.end_wait(events.thread(on), ns(325));
        events.leave(on, 325);
    }
    const Trace trace = events.take();
    EXPECT_EQ(makespan(trace, {.threads = 1}), ns(5 + 300 + 80));
    EXPECT_EQ(makespan(trace, {.threads = 4}), ns(300 + 20));
}

TEST(Program, CreationTakesWhatTheCreatorTookWithoutWhatItRan) {
    Events events;
    events.builder.set_implicit(events.thread("0.0"), events.id("main"));
    events.run("0.0", 0, "main");
    events.create("0.0", 0, "a");
    events.run("0.0", 1, "a");
    events.leave("0.0", 5);
    events.run("0.0", 5, "main");
    events.create("0.0", 7, "b");
    events.run("0.0", 7, "b");
    events.leave("0.0", 8);
    const Trace trace = events.take();
    const Program program = make_program(trace);
    const auto steps = program.steps_of(program.tasks);
    ASSERT_EQ(steps.size(), 3u);
    EXPECT_EQ(steps[1].kind, Step::code);
    EXPECT_EQ(steps[1].duration, ns(3));
    EXPECT_EQ(steps[2].what, find_task(trace, "b"));
}

TEST(Program, OverheadIsBetweenTasksIfTheSecondIsReady) {
    Events events;
    events.create("0.0", 0, "a");
    for (const char *name : {"b", "c", "d"})
        events.create("0.1", 0, name);
    events.create("0.1", 9, "late"); // it is not ready when d ends
    const double starts[] = {0, 2, 4, 7, 9};
    const double ends[] = {1, 3, 5, 8, 10};
    int i = 0;
    for (const char *name : {"a", "b", "c", "d", "late"}) {
        events.run("0.0", starts[i], name);
        events.leave("0.0", ends[i++]);
    }
    EXPECT_EQ(make_program(events.take()).delays.mean, ns(1)); // the mean of 1, 1, 2 and 0
}

TEST(Program, SendsThatNeverEndBeforeTheirReceiveStartsWaitForIt) {
    for (const bool waits : {false, true}) {
        Events events;
        events.create("0.0", 0, "sends");
        events.run("0.0", 0, "sends");
        events.start("0.0", 1, 1, RequestKind::send, 1);
        events.finish("0.0", waits ? 6 : 2, 1);
        events.leave("0.0", 7);
        events.create("1.0", 0, "receives");
        events.run("1.0", 0, "receives");
        events.start("1.0", 4, 1, RequestKind::receive, 0);
        events.finish("1.0", 6, 1);
        events.leave("1.0", 7);
        const Program program = make_program(events.take());
        EXPECT_EQ(program.transport.of_size(0).rendezvous, waits);
        EXPECT_EQ(program.transport.of_size(0).time, ns(2));
    }
}

} // namespace
} // namespace loomp::analysis
