// Traces that cover only parts of the run: known parts are used, and nothing is invented.
#include <gtest/gtest.h>

#include "profiler/metrics/breakdown.h"
#include "profiler/metrics/efficiency.h"
#include "profiler/metrics/tasks.h"
#include "profiler/trace/intervals.h"
#include "tests/analysis/support.h"

namespace loomp::analysis {
namespace {

void pause(Events &events, const std::string &on, double from, double to) {
    events.builder.unknown(events.thread(on), ns(from));
    events.builder.known(events.thread(on), ns(to));
}

TEST(Unrecorded, ATaskIsWhereItIsSeen) {
    Events events;
    events.create("0.0", 0, "a");
    events.run("0.0", 1, "a");
    pause(events, "0.0", 2, 5); // it continues meanwhile
    events.run("0.0", 5, "a");
    events.leave("0.0", 6);
    events.run("0.0", 7, "unseen"); // created meanwhile
    events.leave("0.0", 8);
    const Trace trace = events.take();
    EXPECT_TRUE(trace.problems.empty());
    ASSERT_EQ(trace.tasks.size(), 2u);
    const auto segments = trace.segments_of(find_task(trace, "a"));
    ASSERT_EQ(segments.size(), 2u);
    EXPECT_EQ(segments[0].end, ns(2));
    EXPECT_EQ(segments[1].begin, ns(5));
    EXPECT_EQ(kind_table(trace).front().work, ns(2));
    const Breakdown all = break_down(trace).total();
    EXPECT_EQ(all.total(), ns(4)); // from 1 to 8 without 2 to 5
    EXPECT_EQ(all.work, ns(3));
    // In the recorded part of the run, 0 to 2 and 5 to 8, a first thread is in serial code
    // otherwise.
    EXPECT_DOUBLE_EQ(efficiencies(trace).hybrid.parallel(), 1);
}

TEST(Unrecorded, ThreadsMayDifferAndAGapMayLast) {
    Events events;
    events.task("0.0", 0, 10, "a");
    pause(events, "0.1", 0, 6);
    events.task("0.1", 7, 8, "b");
    events.builder.unknown(events.thread("0.1"), ns(9));
    const Trace trace = events.take();
    ASSERT_EQ(trace.unrecorded.size(), 2u);
    EXPECT_EQ(trace.unrecorded[1].time.end, kNever);
    const TimeBreakdown times = break_down(trace);
    EXPECT_EQ(times.threads[0].total(), ns(10));
    EXPECT_EQ(times.threads[1].total(), ns(3));
    EXPECT_EQ(times.threads[1].work, ns(1));
    EXPECT_EQ(trace.recorded(1, {ns(0), ns(10)}).size(), 1u);
}

TEST(Unrecorded, ACallEndsWithWhatIsKnownOfIt) {
    Events events;
    events.create("0.0", 0, "a");
    events.run("0.0", 0, "a");
    events.builder.enter_call(events.thread("0.0"), ns(1));
    events.leave("0.0", 2, Leaving::suspended);
    pause(events, "0.0", 3, 5);
    events.run("0.0", 5, "a"); // by then, it has left the call
    events.builder.enter_call(events.thread("0.0"), ns(6));
    events.builder.leave_call(events.thread("0.0"), ns(7));
    events.leave("0.0", 8);
    const Trace trace = events.take();
    ASSERT_EQ(trace.calls.size(), 2u);
    EXPECT_EQ(trace.calls[0].end, ns(2));
    EXPECT_EQ(trace.calls[1].begin, ns(6));
    EXPECT_EQ(trace.calls[1].end, ns(7));
}

/// Rank 0 sends at these times, and rank 1 receives; each has an implicit task.
class Channel {
  public:
    explicit Channel(Events &events) : events_(events) {
        for (const char *on : {"0.0", "1.0"})
            events.builder.run(events.thread(on), 0, events.id(on));
    }
    void send(double when) {
        events_.start("0.0", when, ++names_, RequestKind::send, 1);
        events_.finish("0.0", when, names_);
    }
    void receive(double start, double end) {
        events_.start("1.0", start, ++names_, RequestKind::receive, 0);
        events_.finish("1.0", end, names_);
    }
    void gap(double from, double to) {
        for (const char *on : {"0.0", "1.0"}) {
            pause(events_, on, from, to);
            events_.builder.run(events_.thread(on), ns(to), events_.id(on));
        }
    }
    void finalize() {
        const Index function = events_.builder.add_kind("MPI_Finalize", "");
        for (const char *on : {"0.0", "1.0"}) {
            events_.builder.enter_call(events_.thread(on), ns(100), function);
            events_.builder.leave_call(events_.thread(on), ns(101));
        }
    }

  private:
    Events &events_;
    std::uint64_t names_ = 0;
};

TEST(UnrecordedMessages, AreMatchedBetweenTheSameGaps) {
    Events events;
    Channel channel(events);
    channel.send(1);
    channel.send(2); // received while unrecorded
    channel.receive(1, 3);
    channel.gap(4, 6);
    channel.send(7);
    channel.receive(7, 8);
    const Trace trace = events.take();
    ASSERT_EQ(trace.messages.size(), 2u);
    EXPECT_EQ(trace.requests[trace.messages[0].send].started, ns(1));
    EXPECT_EQ(trace.requests[trace.messages[1].send].started, ns(7));
}

TEST(UnrecordedMessages, AreLeftAloneWhereNobodyKnows) {
    Events events;
    Channel channel(events);
    channel.gap(0, 1);
    channel.send(2);
    channel.send(3);
    channel.receive(2, 8);
    EXPECT_TRUE(events.take().messages.empty());
}

TEST(UnrecordedMessages, AreNotReceivedBeforeTheyAreSent) {
    Events events;
    Channel channel(events);
    channel.gap(0, 1);
    channel.receive(1, 2);
    channel.send(3);
    EXPECT_TRUE(events.take().messages.empty());
}

TEST(UnrecordedMessages, AreMatchedFromTheEndThatBothCameTo) {
    Events events;
    Channel channel(events);
    channel.gap(0, 1);
    channel.receive(1, 2); // the messages were sent while unrecorded
    channel.receive(3, 6);
    channel.send(5);
    channel.finalize();
    const Trace trace = events.take();
    ASSERT_EQ(trace.messages.size(), 1u);
    EXPECT_EQ(trace.requests[trace.messages[0].receive].completed, ns(6));
}

TEST(Intervals, InBothSets) {
    const std::vector<Interval> both = common({{0, 5}, {7, 9}}, {{1, 2}, {4, 8}});
    ASSERT_EQ(both.size(), 3u);
    EXPECT_EQ(both[1].begin, 4);
    EXPECT_EQ(both[1].end, 5);
    EXPECT_EQ(both[2].end, 8);
}

} // namespace
} // namespace loomp::analysis
