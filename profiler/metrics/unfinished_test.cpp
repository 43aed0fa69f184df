// Unfinished tasks, calls and sends in traces of processes that have no end, made by hand.
#include <gtest/gtest.h>

#include "profiler/metrics/unfinished.h"
#include "tests/analysis/support.h"

namespace loomp::analysis {
namespace {

/// Two ranks whose processes begin at 0, with a function each for sends and receives.
class TwoRanks : public Events {
  public:
    const Index send;
    const Index receive;

    TwoRanks() : send(builder.add_kind("MPI_Send", "")), receive(builder.add_kind("MPI_Recv", "")) {
        for (const char *on : {"0.0", "1.0"})
            thread(on);
        for (const Index rank : {0, 1})
            builder.begin_run(rank, 0);
    }
    /// A task that enters a call and does not return from it.
    void stay(const std::string &on, double when, const std::string &task, const Request &what) {
        create(on, when, task);
        run(on, when, task);
        builder.enter_call(thread(on), ns(when),
                           what.kind == RequestKind::receive ? receive : send);
        builder.start(thread(on), ns(when), ++requests_, what);
        leave(on, when, Leaving::suspended);
    }
    void finish_last(const std::string &on, double when, const std::string &task) {
        run(on, when, task);
        builder.resume_call(thread(on), ns(when), send);
        finish(on, when, requests_);
        builder.leave_call(thread(on), ns(when));
        leave(on, when);
    }
    Trace take_with_ends(const std::vector<Index> &ended) {
        for (const Index rank : ended)
            builder.end_run(rank, ns(100));
        return take();
    }

  private:
    std::uint64_t requests_ = 0;
};

Request to(Index peer, std::int32_t tag, Index communicator = 0) {
    return {.kind = RequestKind::synchronous_send,
            .communicator = communicator,
            .peer = peer,
            .tag = tag};
}
Request from(Index peer, std::int32_t tag, Index communicator = 0) {
    return {.kind = RequestKind::receive, .communicator = communicator, .peer = peer, .tag = tag};
}

TEST(Unfinished, NothingIfAllProcessesEnd) {
    TwoRanks run;
    run.stay("0.0", 1, "a", to(1, 7));
    EXPECT_FALSE(unfinished_of(run.take_with_ends({0, 1})));
    Events unknown; // nothing is known of its begin
    unknown.create("0.0", 0, "a");
    EXPECT_FALSE(unfinished_of(unknown.take()));
}

TEST(Unfinished, TasksByTheirStates) {
    TwoRanks run;
    run.task("0.0", 1, 2, "complete");
    run.create("0.0", 2, "not begun");
    run.stay("0.0", 3, "in a call", from(1, 7));
    run.create("0.0", 4, "with an event");
    run.run("0.0", 4, "with an event");
    run.builder.completes_later(run.thread("0.0"), run.id("with an event"));
    run.leave("0.0", 5);
    run.create("0.0", 5, "in its code");
    run.run("0.0", 5, "in its code");
    run.create("1.0", 6, "of a rank that ends");
    const auto found = unfinished_of(run.take_with_ends({1}));
    ASSERT_TRUE(found);
    EXPECT_EQ(found->ranks, std::vector<Index>{0});
    EXPECT_EQ(found->last_progress, ns(5));
    EXPECT_EQ(found->not_begun, 1u);
    EXPECT_EQ(found->in_calls, 1u);
    EXPECT_EQ(found->for_events, 1u);
    EXPECT_EQ(found->others, 1u);
    EXPECT_EQ(found->tasks(), 4u);
}

TEST(Unfinished, TasksBeforeAPauseMayHaveCompletedInIt) {
    TwoRanks run;
    run.create("0.0", 1, "before");
    run.builder.unknown(run.thread("0.0"), ns(2));
    run.builder.known(run.thread("0.0"), ns(3));
    run.create("0.0", 4, "after");
    EXPECT_EQ(unfinished_of(run.take())->tasks(), 1u);
}

TEST(Unfinished, CallsThatReturnAreNotOpen) {
    TwoRanks run;
    run.stay("0.0", 1, "returns", to(1, 7));
    run.finish_last("0.0", 2, "returns");
    const auto found = unfinished_of(run.take());
    EXPECT_TRUE(found->calls.empty());
    EXPECT_EQ(found->tasks(), 0u);
}

TEST(Unfinished, CallsInGroupsTheRarestFirst) {
    TwoRanks run;
    const Index kind = run.builder.add_kind("kind", "");
    for (std::uint64_t id = 1000; id < 1003; ++id) {
        run.builder.create(0, ns(1), id, kind);
        run.builder.run(0, ns(1), id);
        run.builder.enter_call(0, ns(1), run.receive);
        run.leave("0.0", 1, Leaving::suspended);
    }
    run.stay("0.0", 2, "sends", to(1, 7));
    const Trace trace = run.take();
    const auto found = unfinished_of(trace);
    ASSERT_EQ(found->calls.size(), 2u);
    EXPECT_EQ(found->calls[0].count, 1u);
    EXPECT_EQ(found->calls[0].function, run.send);
    EXPECT_EQ(trace.requests[found->calls[0].request].tag, 7);
    EXPECT_EQ(found->calls[1].count, 3u);
    EXPECT_EQ(found->calls[1].kind, kind);
    EXPECT_EQ(found->calls[1].request, kNone);
}

TEST(Unfinished, ASendWithAnotherTagThanTheReceive) {
    TwoRanks run;
    run.stay("0.0", 1, "a", to(1, 9));
    run.stay("0.0", 1, "b", to(1, 5));
    run.stay("1.0", 1, "c", from(0, 7));
    run.stay("1.0", 1, "d", from(0, 5));
    const Trace trace = run.take();
    const auto found = unfinished_of(trace);
    ASSERT_EQ(found->sends.size(), 1u);
    EXPECT_EQ(trace.requests[found->sends[0].send].tag, 9);
    ASSERT_NE(found->sends[0].receive, kNone);
    EXPECT_EQ(trace.requests[found->sends[0].receive].tag, 7);
}

TEST(Unfinished, ASendWithAnotherCommunicatorAndOneWithoutAnyReceive) {
    TwoRanks run;
    run.stay("0.0", 1, "a", to(1, 7, 1));
    run.stay("1.0", 1, "b", from(0, 7, 2));
    run.stay("1.0", 2, "c", to(0, 7));
    const Trace trace = run.take();
    const auto found = unfinished_of(trace);
    ASSERT_EQ(found->sends.size(), 2u);
    EXPECT_EQ(trace.requests[found->sends[0].receive].communicator, 2u);
    EXPECT_EQ(found->sends[1].receive, kNone);
}

TEST(Unfinished, AReceiveOfAnyMessageTakesTheFirst) {
    TwoRanks run;
    run.stay("0.0", 1, "a", to(1, 1));
    run.stay("0.0", 2, "b", to(1, 2));
    run.stay("1.0", 1, "c", from(kNone, kAnyTag));
    const Trace trace = run.take();
    const auto found = unfinished_of(trace);
    ASSERT_EQ(found->sends.size(), 1u);
    EXPECT_EQ(trace.requests[found->sends[0].send].tag, 2);
}

} // namespace
} // namespace loomp::analysis
