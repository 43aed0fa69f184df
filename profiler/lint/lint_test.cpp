// Each finding in a trace that has it, with its gain computed by hand, and none in a trace that
// does not.
#include <algorithm>
#include <map>

#include <gtest/gtest.h>

#include "profiler/lint/lint.h"
#include "tests/analysis/support.h"

namespace loomp::analysis {
namespace {

std::vector<Finding> find(const Trace &trace, Advice advice) {
    EXPECT_TRUE(trace.problems.empty());
    std::vector<Finding> findings = lint(trace);
    EXPECT_TRUE(std::is_sorted(findings.begin(), findings.end(), [](const auto &a, const auto &b) {
        return std::pair(is_fault(a.advice), a.gain) > std::pair(is_fault(b.advice), b.gain);
    }));
    std::erase_if(findings, [&](const Finding &finding) { return finding.advice != advice; });
    return findings;
}

std::string label(const Trace &trace, Index kind) { return trace.kinds.at(kind).label; }

/// Tasks in a row on one thread, with the given edges.
Trace chain(const std::vector<std::pair<std::string, std::string>> &edges) {
    Events events;
    double now = 0;
    for (const char *name : {"a", "b", "c", "d"}) {
        events.task("0.0", now, now + 1, name);
        ++now;
    }
    for (const auto &[from, to] : edges)
        events.depend(0, from, to);
    return events.take();
}

TEST(Lint, EdgesThatOthersImply) {
    const Trace trace = chain({{"a", "b"}, {"b", "c"}, {"c", "d"}, {"a", "d"}, {"b", "d"}});
    const auto found = find(trace, Advice::redundant_edges);
    ASSERT_EQ(found.size(), 2u);
    for (const Finding &finding : found) {
        EXPECT_EQ(label(trace, finding.kind), "d");
        EXPECT_EQ(finding.count, 1u);
        EXPECT_NE(label(trace, finding.other), "c");
    }
    EXPECT_TRUE(
        find(chain({{"a", "b"}, {"a", "c"}, {"b", "d"}, {"c", "d"}}), Advice::redundant_edges)
            .empty());
}

/// The unit of time in traces where the cost of creations matters: a creation is short.
constexpr double kUnit = 1e-6;

/// A main task creates `items.size()` tasks. Creating takes two units plus one for each item.
/// Another thread runs the tasks.
using Items = std::vector<std::pair<AccessKind, std::uint64_t>>;
Trace with_items(const std::vector<Items> &items, double duration = 1) {
    Events events;
    TraceBuilder &builder = events.builder;
    builder.keep_accesses();
    const Index thread = events.thread("0.0");
    const Index kind = builder.add_kind("kind", "");
    builder.set_implicit(thread, events.id("main"));
    events.run("0.0", 0, "main");
    double now = 0;
    std::vector<double> created;
    for (std::size_t i = 0; i < items.size(); ++i) {
        const std::uint64_t id = events.id(std::to_string(i));
        builder.create(thread, ns(now * kUnit), id, kind);
        for (const auto &[how, where] : items[i])
            builder.access(0, id, how, where);
        created.push_back(now);
        now += 2 + static_cast<double>(items[i].size());
    }
    events.leave("0.0", 1000 * kUnit);
    double free = 0;
    for (std::size_t i = 0; i < items.size(); ++i) {
        free = std::max(free, created[i]);
        events.run("0.1", free * kUnit, std::to_string(i));
        events.leave("0.1", (free += duration) * kUnit);
    }
    return builder.take();
}

constexpr AccessKind kIn = AccessKind::in;
constexpr AccessKind kInout = AccessKind::inout;

TEST(Lint, LocationsNamedTwice) {
    const Trace trace = with_items({{{kIn, 1}, {kInout, 1}, {kIn, 2}}, {{kIn, 1}}, {{kInout, 3}}});
    const auto found = find(trace, Advice::duplicate_items);
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(found[0].count, 1u);
    EXPECT_NEAR(static_cast<double>(found[0].cause), 1e9 * kUnit, 1);
    EXPECT_NEAR(found[0].gain, 0.5e9 * kUnit, 1); // a unit of two threads
    EXPECT_TRUE(
        find(with_items({{{kIn, 1}, {kInout, 2}}, {{kIn, 1}}}), Advice::duplicate_items).empty());
}

TEST(Lint, WritersThatNobodyReadsBetween) {
    // Four tasks of 10 that write one location, created at 0, 3, 6 and 9: in a row they take 40. An
    // inoutset on two threads: thread 1 runs the first and second, to 20. Thread 0 creates the last
    // at 9, then runs the third to 19 and the last to 29.
    const Trace trace = with_items(std::vector<Items>(4, {{kInout, 1}}), 10);
    const auto found = find(trace, Advice::inoutset);
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(found[0].count, 4u);
    EXPECT_DOUBLE_EQ(found[0].gain, 11e9 * kUnit);
    // A reader after each writer.
    const Trace read = with_items({{{kInout, 1}}, {{kIn, 1}}, {{kInout, 1}}, {{kIn, 1}}}, 10);
    EXPECT_TRUE(find(read, Advice::inoutset).empty());
    // A reader ends a row: three of the writers come after it.
    const Trace after =
        with_items({{{kInout, 1}}, {{kIn, 1}}, {{kInout, 1}}, {{kInout, 1}}, {{kInout, 1}}}, 10);
    const auto later = find(after, Advice::inoutset);
    ASSERT_EQ(later.size(), 1u);
    EXPECT_EQ(later[0].count, 3u);
    // Work that one thread does anyway is no gain.
    Events one;
    one.builder.keep_accesses();
    one.thread("0.0");
    const Index kind = one.builder.add_kind("kind", "");
    for (const std::uint64_t id : {1, 2}) {
        one.builder.create(0, ns(0), id, kind);
        one.builder.access(0, id, kInout, 1);
    }
    for (const std::uint64_t id : {1, 2}) {
        one.builder.run(0, ns(static_cast<double>(id)), id);
        one.builder.leave(0, ns(static_cast<double>(id + 1)), Leaving::ended);
    }
    EXPECT_TRUE(find(one.take(), Advice::inoutset).empty());
}

TEST(Lint, ThreadsThatAreIdleWhileTasksAreCreated) {
    // Created at 0, 2, 4 and 6, each runs for a unit: thread 1 is idle for 3 units between them.
    const Trace trace = with_items(std::vector<Items>(4));
    const auto found = find(trace, Advice::discovery);
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(found[0].rank, 0u);
    EXPECT_EQ(found[0].count, 4u);
    EXPECT_EQ(found[0].cause, ns(6 * kUnit));
    EXPECT_DOUBLE_EQ(found[0].gain, 1.5e9 * kUnit);
    EXPECT_FALSE(found[0].computes);
    EXPECT_TRUE(find(with_items(std::vector<Items>(4), 2), Advice::discovery).empty());
}

/// Rank 0 sends at `sent`. Rank 1 starts to receive at `begun`, after a task that ends at 1, and
/// has the message at `done`.
Trace one_message(double sent, double begun, double done) {
    Events events;
    events.create("0.0", 0, "sends");
    events.run("0.0", 0, "sends");
    events.start("0.0", sent, 1, RequestKind::send, 1);
    events.finish("0.0", sent, 1);
    events.leave("0.0", 10);
    events.task("1.0", 0, 1, "before");
    events.create("1.0", begun, "receives");
    events.run("1.0", begun, "receives");
    events.start("1.0", begun, 1, RequestKind::receive, 0);
    events.leave("1.0", begun, Leaving::suspended);
    events.run("1.0", done, "receives");
    events.finish("1.0", done, 1);
    events.leave("1.0", 10);
    return events.take();
}

TEST(Lint, ReceivesThatBeginLongAfterTheMessageHasCome) {
    // The message arrived at 3, as far as the trace shows; rank 1 is idle from 1 to 7.
    const Trace trace = one_message(3, 7, 7);
    const auto found = find(trace, Advice::late_receives);
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(label(trace, found[0].kind), "receives");
    EXPECT_EQ(label(trace, found[0].other), "sends");
    EXPECT_EQ(found[0].gain, 4e9);
    EXPECT_TRUE(find(trace, Advice::late_sends).empty());
}

TEST(Lint, SendsThatReceiversWaitFor) {
    const Trace trace = one_message(6, 2, 6);
    const auto found = find(trace, Advice::late_sends);
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(label(trace, found[0].kind), "sends");
    EXPECT_EQ(found[0].cause, ns(4));
    EXPECT_EQ(found[0].gain, 4e9);
    EXPECT_TRUE(find(trace, Advice::late_receives).empty());
}

TEST(Lint, LateMessagesMatterOnlyToIdleThreads) {
    Events events;
    events.create("0.0", 0, "sends");
    events.run("0.0", 0, "sends");
    events.start("0.0", 6, 1, RequestKind::send, 1);
    events.finish("0.0", 6, 1);
    events.leave("0.0", 6);
    events.create("1.0", 0, "receives");
    events.create("1.0", 0, "computes");
    events.run("1.0", 0, "receives");
    events.start("1.0", 0, 1, RequestKind::receive, 0);
    events.leave("1.0", 0, Leaving::suspended);
    events.run("1.0", 0, "computes");
    events.leave("1.0", 6);
    events.run("1.0", 6, "receives");
    events.finish("1.0", 6, 1);
    events.leave("1.0", 7);
    EXPECT_TRUE(find(events.take(), Advice::late_sends).empty());
}

TEST(Lint, TasksThatAreHardlyLongerThanTheirCost) {
    // A creation takes 2; so a task should take 40, and one of 4 is a tenth of that.
    const Trace trace = with_items(std::vector<Items>(4), 4);
    const auto found = find(trace, Advice::fine_tasks);
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(found[0].count, 4u);
    EXPECT_EQ(found[0].cause, ns(2 * kUnit));
    EXPECT_DOUBLE_EQ(found[0].gain, 3e9 * kUnit); // three of them, by two threads
    EXPECT_TRUE(find(with_items(std::vector<Items>(4), 40), Advice::fine_tasks).empty());
}

/// When a thread waits in its team's barriers, in seconds since the begin of the region.
using Waits = std::vector<Interval>;

/// Two threads execute a region every 10 s. The thread `first` + i waits at `waits[i]`, and the
/// region ends at `end`. Nothing is known of a thread before the first.
Trace with_regions(const std::vector<Waits> &waits, double end, int count, double run,
                   Index first = 0) {
    Events events;
    events.thread("0.0");
    TraceBuilder &builder = events.builder;
    const Index kind = builder.add_kind("region", "");
    for (Index i = 0; i < waits.size(); ++i) {
        const std::string on = "0." + std::to_string(first + i);
        const Index thread = events.thread(on);
        builder.set_implicit(thread, events.id("member " + on));
        events.run(on, 0, "member " + on);
        for (int region = 0; region < count; ++region) {
            const Time begin = ns(10 * region);
            builder.enter_construct(thread, begin, kind, ConstructKind::parallel,
                                    static_cast<std::uint64_t>(region) + 1);
            for (const Interval &wait : waits[i]) {
                builder.begin_wait(thread, begin + wait.begin, WaitFor::team);
                builder.end_wait(thread, begin + wait.end);
            }
            builder.leave_construct(thread, begin + ns(end));
        }
    }
    builder.begin_run(0, 0);
    builder.end_run(0, ns(run));
    return events.take();
}

/// Thread i works for `work[i]` and waits then.
Trace with_regions(const std::vector<double> &work, double end, int count, double run) {
    std::vector<Waits> waits;
    for (const double time : work)
        waits.push_back({{ns(time), ns(end)}});
    return with_regions(waits, end, count, run);
}

TEST(Lint, RegionsWithUnequalWork) {
    const Trace trace = with_regions({6.0, 2.0}, 6, 3, 26);
    const auto found = find(trace, Advice::imbalance);
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(label(trace, found[0].kind), "region");
    EXPECT_EQ(found[0].count, 3u);
    EXPECT_EQ(found[0].cause, ns(18));
    EXPECT_EQ(found[0].gain, 6e9); // 6 instead of 4, three times
    EXPECT_TRUE(find(trace, Advice::fine_regions).empty());
    EXPECT_TRUE(find(with_regions({6.0, 6.0}, 6, 3, 26), Advice::imbalance).empty());
}

TEST(Lint, RegionsThatAreHardlyLongerThanTheirCost) {
    const Trace trace = with_regions({2e-4, 2e-4}, 3e-4, 3, 23);
    const auto found = find(trace, Advice::fine_regions);
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(found[0].count, 3u);
    EXPECT_EQ(found[0].cause, ns(1e-4));
    EXPECT_EQ(found[0].gain, 3e5);
    EXPECT_TRUE(find(trace, Advice::late_threads).empty());
    EXPECT_TRUE(find(with_regions({9e-4, 9e-4}, 9.1e-4, 3, 30), Advice::fine_regions).empty());
}

TEST(Lint, RegionsWhoseThreadsHadNoProcessor) {
    const Trace trace = with_regions({2.0, 2.0}, 3, 3, 23);
    const auto found = find(trace, Advice::late_threads);
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(found[0].cause, ns(1));
    EXPECT_EQ(found[0].gain, 3e9);
    EXPECT_TRUE(find(trace, Advice::fine_regions).empty());
}

TEST(Lint, RegionsWhoseThreadsWorkInTurnAreNotFine) {
    // One thread works before the barrier, the other one after it.
    const std::vector<Waits> waits = {{{ns(4), ns(4)}, {ns(4), ns(8)}},
                                      {{ns(0), ns(4)}, {ns(8), ns(8)}}};
    EXPECT_TRUE(find(with_regions(waits, 8, 3, 28), Advice::fine_regions).empty());
}

TEST(Lint, SerialCodeWhileThreadsWait) {
    const auto found = find(with_regions({2.0, 2.0}, 2, 1, 26), Advice::serial_code);
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(found[0].rank, 0u);
    EXPECT_EQ(found[0].count, 1u);
    EXPECT_EQ(found[0].cause, ns(24));
    EXPECT_EQ(found[0].gain, 12e9);
    EXPECT_TRUE(find(with_regions({9.0, 9.0}, 9, 3, 29.5), Advice::serial_code).empty());
    // Thread 0 waits for the others.
    const Waits none = {{ns(9), ns(9)}};
    EXPECT_TRUE(find(with_regions({none, none}, 9, 3, 29.5, 1), Advice::serial_code).empty());
}

/// Thread 0 creates a task every `gap` seconds; thread 1 runs it at once, for `duration`.
Trace created_every(double gap, double duration, int count) {
    Events events;
    const Index thread = events.thread("0.0");
    events.builder.set_implicit(thread, events.id("main"));
    events.run("0.0", 0, "main");
    const Index kind = events.builder.add_kind("kind", "");
    for (int i = 0; i < count; ++i) {
        const std::uint64_t id = events.id(std::to_string(i));
        events.builder.create(thread, ns(i * gap), id, kind);
        events.run("0.1", i * gap, std::to_string(i));
        events.leave("0.1", i * gap + duration);
    }
    events.leave("0.0", count * gap);
    return events.take();
}

TEST(Lint, WhatACreatorComputesIsNoCostOfCreation) {
    // A task of 5 ms every 10 ms: the creator computes meanwhile, and the tasks are not fine.
    EXPECT_TRUE(find(created_every(0.010, 0.005, 11), Advice::fine_tasks).empty());
    // A task of 10 us every 20 us: as long as nothing is known of the creator, creating costs that.
    const auto found = find(created_every(20e-6, 10e-6, 11), Advice::fine_tasks);
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(found[0].cause, ns(20e-6));
}

TEST(Lint, LongCreationsCostAtMostTheLongestOne) {
    // A task of 30 us every 150 us: creating it costs at most 100 us of that. Merged into one, ten
    // of eleven creations are saved, by two threads: 500 us of the makespan of 1,530.
    const Trace often = created_every(150e-6, 30e-6, 11);
    const auto found = find(often, Advice::fine_tasks);
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(found[0].cause, ns(100e-6));
    EXPECT_TRUE(found[0].computes);
    EXPECT_DOUBLE_EQ(found[0].gain, 500e3);
    // It does not matter if the creator computes for most of the time: 500 us of 1.1 s.
    const Trace seldom = created_every(0.110, 30e-6, 11);
    for (const Finding &finding : find(seldom, Advice::fine_tasks))
        EXPECT_LT(finding.gain, 0.001 * static_cast<double>(seldom.makespan().length()));
}

TEST(Lint, LongCreationsAreThoseOfManyItems) {
    // A creation takes 40 us and 20 us for each item: 240, 280 and 260 for 10, 12 and 11. The first
    // task names a location twice, which costs 20 us, or 10 by two threads. Creations take the
    // least of these times, 240, as their items show.
    Events events;
    TraceBuilder &builder = events.builder;
    builder.keep_accesses();
    const Index thread = events.thread("0.0");
    const Index kind = builder.add_kind("kind", "");
    builder.set_implicit(thread, events.id("main"));
    events.run("0.0", 0, "main");
    double now = 0;
    std::uint64_t location = 0;
    for (const int items : {10, 12, 11, 1}) {
        const std::uint64_t id = events.id(std::to_string(items));
        builder.create(thread, ns(now), id, kind);
        for (int i = 0; i < items; ++i)
            builder.access(0, id, kIn, items == 10 && i == 1 ? location : ++location);
        now += 40e-6 + 20e-6 * items;
    }
    events.leave("0.0", 1);
    for (const int items : {10, 12, 11, 1}) {
        events.run("0.1", 2, std::to_string(items));
        events.leave("0.1", 3);
    }
    const Trace trace = events.take();
    const auto found = find(trace, Advice::duplicate_items);
    ASSERT_EQ(found.size(), 1u);
    EXPECT_NEAR(static_cast<double>(found[0].cause), 20e3, 1);
    EXPECT_NEAR(found[0].gain, 10e3, 1);
}

TEST(Lint, NoThreadCreatesWhileItWaits) {
    // Thread 0 creates a at 0 and b at 1, waits for both from 2 to 42 and creates c at 43. So it
    // creates from 0 to 2 and from 42 to 43. Thread 1 runs a to 20 and b to 40, and is idle for 1
    // of that. Thread 2 is idle for 3.
    Events events;
    const Index thread = events.thread("0.0");
    events.builder.set_implicit(thread, events.id("main"));
    events.run("0.0", 0, "main");
    events.create("0.0", 0, "a");
    events.create("0.0", 1, "b");
    events.depend(0, "a", "b");
    events.builder.begin_wait(thread, ns(2), WaitFor::tasks);
    events.run("0.1", 0, "a");
    events.leave("0.1", 20);
    events.run("0.1", 20, "b");
    events.leave("0.1", 40);
    events.builder.end_wait(thread, ns(42));
    events.create("0.0", 43, "c");
    events.run("0.1", 43, "c");
    events.leave("0.1", 44);
    events.leave("0.0", 44);
    events.thread("0.2");
    const Trace trace = events.take();
    const auto found = find(trace, Advice::discovery);
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(found[0].cause, ns(3));
    EXPECT_DOUBLE_EQ(found[0].gain, (1 + 3) * 1e9 / 3);
    EXPECT_TRUE(found[0].computes); // no creation takes a second
}

TEST(Lint, PausesAndStandInsAreNotIdle) {
    // Receives of rank 1 wait from 2 to 6 for a send. Its one thread is not recorded from 3 to 5.
    Events events;
    events.create("0.0", 0, "sends");
    events.run("0.0", 0, "sends");
    events.start("0.0", 6, 1, RequestKind::send, 1);
    events.finish("0.0", 6, 1);
    events.leave("0.0", 10);
    const Index thread = events.thread("1.0");
    events.create("1.0", 2, "receives");
    events.run("1.0", 2, "receives");
    events.start("1.0", 2, 1, RequestKind::receive, 0);
    events.leave("1.0", 2, Leaving::suspended);
    events.builder.add_thread(1, 1, true); // a stand-in
    const Index pauses = events.thread("1.2");
    events.builder.unknown(pauses, ns(3));
    events.builder.known(pauses, ns(5));
    events.builder.run(thread, ns(6), events.id("receives"));
    events.finish("1.0", 6, 1);
    events.leave("1.0", 10);
    const auto found = find(events.take(), Advice::late_sends);
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(found[0].gain, (4 + 2) * 1e9 / 2); // thread 0's, and the other one's
}

/// One message of a task.
struct Talk {
    RequestKind how = RequestKind::send;
    Index peer = 1;
    std::int32_t tag = 7;
    Index communicator = 0;
    bool wildcard = false;
};

/// The main task of rank 0 creates tasks, thread 1 runs each at once, and main waits at the end. A
/// task's kind is the first letter of its name.
class Talks {
  public:
    Talks() : main_(events_.thread("0.0")) {
        events_.builder.keep_accesses();
        events_.builder.set_implicit(main_, events_.id("main"));
        events_.run("0.0", 0, "main");
    }

    void add(const std::string &name, const Talk &talk = {}) {
        create(name, "0.0");
        run(name);
        say(talk);
        events_.leave("0.1", now_);
    }
    /// The task creates another one before or after its message.
    void add_with_child(const std::string &name, const std::string &child, bool before) {
        create(name, "0.0");
        run(name);
        if (before)
            create(child, "0.1");
        say({});
        if (!before)
            create(child, "0.1");
        events_.leave("0.1", now_);
        run(child);
        say({});
        events_.leave("0.1", now_);
    }
    void access(const std::string &name, AccessKind how, std::uint64_t where) {
        events_.builder.access(0, events_.id(name), how, where);
    }
    void depend(const std::string &from, const std::string &to) { events_.depend(0, from, to); }
    void wait() {
        events_.builder.begin_wait(main_, ns(now_), WaitFor::tasks);
        events_.builder.end_wait(main_, ns(++now_));
    }
    /// Rank 1 receives the `count` messages with the tag 7 and sends one with the tag 8 after each.
    void answer(int count, bool wildcard) {
        events_.builder.set_implicit(events_.thread("1.0"), events_.id("other"));
        events_.run("1.0", 0, "other");
        for (int i = 0; i < count; ++i) {
            events_.builder.start(
                events_.thread("1.0"), ns(i), ++requests_,
                {.kind = RequestKind::receive, .wildcard = wildcard, .peer = 0, .tag = 7});
            events_.finish("1.0", 100 + i, requests_);
            events_.start("1.0", 100 + i, ++requests_, RequestKind::send, 0, 8);
            events_.finish("1.0", 100 + i, requests_);
        }
    }
    Trace take() {
        wait();
        events_.leave("0.0", now_);
        return events_.take();
    }

  private:
    void create(const std::string &name, const std::string &on) {
        const std::string label = name.substr(0, 1);
        if (kinds_.find(label) == kinds_.end())
            kinds_[label] = events_.builder.add_kind(label, "");
        events_.builder.create(events_.thread(on), ns(++now_), events_.id(name), kinds_[label]);
    }
    void run(const std::string &name) { events_.run("0.1", ++now_, name); }
    void say(const Talk &talk) {
        events_.builder.start(events_.thread("0.1"), ns(++now_), ++requests_,
                              {.kind = talk.how,
                               .wildcard = talk.wildcard,
                               .communicator = talk.communicator,
                               .peer = talk.peer,
                               .tag = talk.tag});
        events_.finish("0.1", ++now_, requests_);
    }

    Events events_;
    const Index main_;
    std::map<std::string, Index> kinds_;
    double now_ = 0;
    std::uint64_t requests_ = 0;
};

/// The pairs without order. The trace lacks the other ranks, so its messages have problems.
std::size_t pairs_of(const Trace &trace, Advice advice) {
    std::size_t pairs = 0;
    for (const Finding &finding : lint(trace))
        pairs += finding.advice == advice ? finding.count : 0;
    return pairs;
}
std::size_t sends_of(const Trace &trace) { return pairs_of(trace, Advice::unordered_sends); }

TEST(LintOrder, TwoTasksThatNothingOrders) {
    Talks talks;
    talks.add("a");
    talks.add("b");
    const Trace trace = talks.take();
    const auto findings = lint(trace);
    ASSERT_FALSE(findings.empty());
    EXPECT_EQ(findings[0].advice, Advice::unordered_sends);
    EXPECT_EQ(label(trace, findings[0].kind), "a");
    EXPECT_EQ(label(trace, findings[0].other), "b");
    EXPECT_EQ(findings[0].count, 1u);
    EXPECT_EQ(trace.requests[findings[0].request].tag, 7);
}

TEST(LintOrder, PairsOfTwoKindsAreOneFinding) {
    // a1 to a3 have no order, and each has a partner b that comes after it.
    Talks talks;
    for (const char *number : {"1", "2", "3"}) {
        talks.add(std::string("a") + number);
        talks.add(std::string("b") + number, {.tag = 8});
        talks.depend(std::string("a") + number, std::string("b") + number);
    }
    const Trace trace = talks.take();
    std::size_t found = 0;
    for (const Finding &finding : lint(trace))
        if (is_fault(finding.advice)) {
            EXPECT_EQ(finding.kind, finding.other);
            EXPECT_EQ(finding.count, 2u);
            ++found;
        }
    EXPECT_EQ(found, 2u);
}

TEST(LintOrder, AnotherEnvelopeNeedsNoOrder) {
    Talks talks;
    talks.add("a");
    talks.add("b", {.tag = 8});
    talks.add("c", {.peer = 2});
    talks.add("d", {.communicator = 1});
    talks.add("e", {.how = RequestKind::receive});
    const Trace trace = talks.take();
    EXPECT_EQ(sends_of(trace), 0u);
    EXPECT_EQ(pairs_of(trace, Advice::unordered_receives), 0u);
}

TEST(LintOrder, DependencesAndWaitsOrder) {
    Talks direct;
    direct.add("a");
    direct.add("b");
    direct.depend("a", "b");
    EXPECT_EQ(sends_of(direct.take()), 0u);
    Talks by_another;
    by_another.add("a");
    by_another.add("x", {.tag = 1});
    by_another.add("b");
    by_another.depend("a", "x");
    by_another.depend("x", "b");
    EXPECT_EQ(sends_of(by_another.take()), 0u);
    Talks waits;
    waits.add("a");
    waits.wait();
    waits.add("b");
    EXPECT_EQ(sends_of(waits.take()), 0u);
}

TEST(LintOrder, ATaskComesAfterWhatItsCreatorDidBefore) {
    Talks after;
    after.add_with_child("a", "b", false);
    EXPECT_EQ(sends_of(after.take()), 0u);
    Talks beside;
    beside.add_with_child("a", "b", true);
    EXPECT_EQ(sends_of(beside.take()), 1u);
}

TEST(LintOrder, TurnsOfAMutexAreNoOrder) {
    Talks talks;
    for (const char *name : {"a", "b"}) {
        talks.add(name);
        talks.access(name, AccessKind::mutexinoutset, 1);
    }
    const Trace trace = talks.take();
    ASSERT_EQ(trace.exclusions.size(), 2u);
    EXPECT_EQ(sends_of(trace), 1u);
}

TEST(LintOrder, ReceivesNeedAnOrderUnlessTheyTakeAnyMessage) {
    Talks talks;
    talks.add("a", {.how = RequestKind::receive});
    talks.add("b", {.how = RequestKind::receive});
    const Trace trace = talks.take();
    EXPECT_EQ(pairs_of(trace, Advice::unordered_receives), 1u);
    EXPECT_EQ(sends_of(trace), 0u);
    Talks wild;
    wild.add("a", {.how = RequestKind::receive, .wildcard = true});
    wild.add("b", {.how = RequestKind::receive, .wildcard = true});
    EXPECT_EQ(pairs_of(wild.take(), Advice::unordered_receives), 0u);
}

TEST(LintOrder, SendsToWildcardsNeedNone) {
    for (const bool wildcard : {false, true}) {
        Talks talks;
        talks.add("a");
        talks.add("b");
        talks.answer(2, wildcard);
        EXPECT_EQ(sends_of(talks.take()), wildcard ? 0u : 1u);
    }
}

TEST(LintOrder, AnAnswerOrders) {
    // Rank 1 answers the first message, x receives that, and b comes after x.
    for (const bool after : {true, false}) {
        Talks talks;
        talks.add("a");
        talks.add("x", {.how = RequestKind::receive, .tag = 8});
        talks.add("b");
        if (after)
            talks.depend("x", "b");
        talks.answer(1, false);
        EXPECT_EQ(sends_of(talks.take()), after ? 0u : 1u);
    }
}

TEST(LintOrder, ManyPairsShareAWalk) {
    // A chain of 200 sends, and one beside it that has no order with its neighbours in the chain.
    Talks talks;
    for (int i = 0; i < 200; ++i) {
        talks.add("a" + std::to_string(i));
        if (i > 0)
            talks.depend("a" + std::to_string(i - 1), "a" + std::to_string(i));
    }
    EXPECT_EQ(sends_of(talks.take()), 0u);
    Talks more;
    for (int i = 0; i < 200; ++i) {
        more.add("a" + std::to_string(i));
        if (i > 0)
            more.depend("a" + std::to_string(i - 1), "a" + std::to_string(i));
        if (i == 100) {
            more.add("b");
            more.depend("a100", "b");
        }
    }
    EXPECT_GE(sends_of(more.take()), 1u);
}

TEST(LintOrder, NothingIsSaidWithoutWaitsInTheRecording) {
    Events events;
    for (const char *name : {"a", "b"}) {
        events.create("0.0", 0, name);
        events.run("0.1", 1, name);
        events.start("0.1", 1, events.id(name), RequestKind::send, 1, 7);
        events.leave("0.1", 1);
    }
    EXPECT_EQ(sends_of(events.take()), 0u);
}

TEST(Lint, NothingInATraceWithoutTasks) {
    Events events;
    events.thread("0.0");
    EXPECT_TRUE(lint(events.take()).empty());
}

} // namespace
} // namespace loomp::analysis
