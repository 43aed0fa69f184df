// The global graph beyond the golden case: blocking calls, requests that cross tasks, persistent
// and unmatched ones, collectives, and the paths.
#include "profiler/graph/graph.h"

#include <set>

#include <gtest/gtest.h>

#include "profiler/graph/critical_path.h"
#include "profiler/metrics/degrees.h"
#include "tests/analysis/support.h"

namespace loomp::analysis {
namespace {

using Ends = std::pair<Index, Index>;

std::set<Ends> edges_of(const Graph &graph, EdgeKind kind) {
    std::set<Ends> ends;
    for (const Edge &edge : graph.edges)
        if (edge.kind == kind)
            ends.emplace(edge.from, edge.to);
    return ends;
}

/// One call that starts and completes each of `requests`.
void blocking_call(Events &events, const std::string &on, double begin, double end,
                   std::vector<std::pair<std::uint64_t, RequestKind>> requests, Index peer) {
    const Index thread = events.thread(on);
    events.builder.enter_call(thread, ns(begin));
    for (const auto &[id, kind] : requests)
        events.builder.start(thread, ns(begin), id, {.kind = kind, .peer = peer});
    for (const auto &[id, kind] : requests)
        events.builder.finish(thread, ns(end), id);
    events.builder.leave_call(thread, ns(end));
}

TEST(Graph, ABlockingCallIsTheOnlyWayOn) {
    Events events;
    events.create("0.0", 0, "t");
    events.run("0.0", 0, "t");
    blocking_call(events, "0.0", 1, 2, {{1, RequestKind::send}, {2, RequestKind::receive}}, 0);
    events.leave("0.0", 4);
    const Graph graph = build_graph(events.take());
    // code, two starts, two completions, code
    ASSERT_EQ(graph.nodes.size(), 6u);
    EXPECT_EQ(graph.nodes[0].duration, ns(1));
    EXPECT_EQ(graph.nodes[5].duration, ns(2));
    EXPECT_EQ(edges_of(graph, EdgeKind::order), (std::set<Ends>{{0, 1}, {0, 2}, {3, 5}, {4, 5}}));
    EXPECT_EQ(edges_of(graph, EdgeKind::request), (std::set<Ends>{{1, 3}, {2, 4}}));
    EXPECT_EQ(edges_of(graph, EdgeKind::message), (std::set<Ends>{{1, 4}})); // to itself
}

TEST(Graph, OneTaskStartsAndAnotherCompletes) {
    Events events;
    events.create("0.0", 0, "starts");
    events.create("0.0", 0, "waits");
    events.run("0.0", 0, "starts");
    events.start("0.0", 1, 1, RequestKind::send, 1);
    events.leave("0.0", 2);
    events.run("0.1", 2, "waits");
    events.finish("0.1", 3, 1);
    events.leave("0.1", 4);
    events.depend(0, "starts", "waits");
    const Graph graph = build_graph(events.take());
    // code, start, code; code, completion, code
    EXPECT_EQ(edges_of(graph, EdgeKind::request), (std::set<Ends>{{1, 4}}));
    EXPECT_EQ(edges_of(graph, EdgeKind::dependence), (std::set<Ends>{{2, 3}}));
    EXPECT_EQ(edges_of(graph, EdgeKind::order), (std::set<Ends>{{0, 1}, {0, 2}, {3, 5}, {4, 5}}));
}

TEST(Graph, EachUseOfAPersistentRequestIsARequest) {
    Events events;
    for (const std::string on : {"0.0", "1.0"}) {
        events.create(on, 0, on);
        events.run(on, 0, on);
        for (std::uint64_t use = 1; use <= 2; ++use) {
            const auto kind = on == "0.0" ? RequestKind::send : RequestKind::receive;
            events.start(on, 2.0 * use - 1, use, kind, on == "0.0" ? 1 : 0);
            events.finish(on, 2.0 * use, use);
        }
        events.leave(on, 5);
    }
    const Trace trace = events.take();
    EXPECT_EQ(trace.messages.size(), 2u);
    const Graph graph = build_graph(trace);
    // Each rank: code, start, code, completion, code, start, code, completion, code.
    ASSERT_EQ(graph.nodes.size(), 18u);
    EXPECT_EQ(edges_of(graph, EdgeKind::message), (std::set<Ends>{{1, 12}, {5, 16}}));
    EXPECT_EQ(edges_of(graph, EdgeKind::request),
              (std::set<Ends>{{1, 3}, {5, 7}, {10, 12}, {14, 16}}));
}

/// A nonblocking collective of `ranks`, begun at 1, 2, ... and complete at 10 on each.
Trace collective(Index ranks) {
    Events events;
    for (Index rank = 0; rank < ranks; ++rank) {
        const std::string on = std::to_string(rank) + ".0";
        events.create(on, 0, on);
        events.run(on, 0, on);
        events.start(on, 1 + rank, 1, RequestKind::collective);
        events.finish(on, 10, 1);
        events.leave(on, 11);
    }
    return events.take();
}

TEST(Graph, ACollectiveEndsAfterAllOthersHaveStarted) {
    const Graph graph = build_graph(collective(3));
    ASSERT_EQ(graph.nodes.size(),
              15u); // rank r has code, start, code, completion, code from 5 r on
    EXPECT_EQ(edges_of(graph, EdgeKind::collective),
              (std::set<Ends>{{1, 8}, {1, 13}, {6, 3}, {6, 13}, {11, 3}, {11, 8}}));
    for (const Edge &edge : graph.edges_of(6)) {
        if (edge.kind == EdgeKind::collective) {
            EXPECT_EQ(graph.duration_of(edge), ns(8));
        }
    }
}

TEST(Graph, ManyRanksMeetInOneNode) {
    const Graph graph = build_graph(collective(3), {.direct_collective = 2});
    ASSERT_EQ(graph.nodes.size(), 16u);
    EXPECT_EQ(graph.nodes[15].kind, NodeKind::meeting);
    EXPECT_EQ(graph.nodes[15].begin, ns(3));
    EXPECT_EQ(edges_of(graph, EdgeKind::collective),
              (std::set<Ends>{{1, 15}, {6, 15}, {11, 15}, {15, 3}, {15, 8}, {15, 13}}));
}

TEST(Graph, ImplicitTasksAreThereForTheirCalls) {
    Events events;
    for (const std::string on : {"0.0", "0.1"}) {
        events.builder.set_implicit(events.thread(on), events.id(on));
        events.run(on, 0, on);
    }
    events.start("0.0", 1, 1, RequestKind::collective);
    events.finish("0.0", 2, 1);
    const Graph graph = build_graph(events.take());
    ASSERT_EQ(graph.nodes.size(), 5u);
    for (const Node &node : graph.nodes)
        EXPECT_EQ(node.duration, 0);
}

TEST(Graph, AnUnsuccessfulTestCutsNothing) {
    Events events;
    events.create("0.0", 0, "t");
    events.run("0.0", 0, "t");
    events.builder.enter_call(events.thread("0.0"), ns(1));
    events.builder.leave_call(events.thread("0.0"), ns(2));
    events.leave("0.0", 4);
    const Graph graph = build_graph(events.take());
    ASSERT_EQ(graph.nodes.size(), 1u);
    EXPECT_EQ(graph.nodes[0].duration, ns(3)); // without the time in MPI
}

TEST(Graph, ATaskSuspendedInACallHasItsCodeInTwoPlaces) {
    Events events;
    events.create("0.0", 0, "t");
    events.run("0.0", 0, "t");
    const Index first = events.thread("0.0");
    const Index second = events.thread("0.1");
    events.builder.enter_call(first, ns(1));
    events.builder.start(first, ns(1), 1, {.kind = RequestKind::receive, .peer = 0});
    events.leave("0.0", 1.5, Leaving::suspended);
    events.run("0.1", 5, "t");
    events.builder.resume_call(second, ns(5));
    events.builder.finish(second, ns(5), 1);
    events.builder.leave_call(second, ns(5.5));
    events.leave("0.1", 7);
    const Graph graph = build_graph(events.take());
    ASSERT_EQ(graph.nodes.size(), 4u);
    EXPECT_EQ(graph.nodes[0].duration, ns(1));
    EXPECT_EQ(graph.nodes[3].duration, ns(1.5));
    EXPECT_EQ(graph.nodes[3].thread, second);
}

TEST(Graph, CompletionAfterTheCodeHoldsUpSuccessors) {
    Events events;
    events.create("0.0", 0, "t");
    events.create("0.0", 0, "after");
    events.builder.completes_later(events.thread("0.0"), events.id("t"));
    events.run("0.0", 0, "t");
    events.start("0.0", 1, 1, RequestKind::receive, 0);
    events.leave("0.0", 2);
    events.builder.finish_for(events.thread("0.0"), ns(3), 1, events.id("t"));
    events.builder.complete(events.thread("0.0"), ns(3), events.id("t"));
    events.run("0.0", 4, "after");
    events.leave("0.0", 5);
    events.depend(0, "t", "after");
    const Trace trace = events.take();
    EXPECT_EQ(trace.segments_of(find_task(trace, "after")).front().ready, ns(3));
    const Graph graph = build_graph(trace);
    // code, start, code, completion, (no) code; code
    ASSERT_EQ(graph.nodes.size(), 6u);
    EXPECT_EQ(graph.nodes[4].duration, 0);
    EXPECT_EQ(edges_of(graph, EdgeKind::dependence), (std::set<Ends>{{4, 5}}));
}

TEST(Graph, MessagesMayBeWeighed) {
    Events events;
    events.create("0.0", 0, "sends");
    events.run("0.0", 0, "sends");
    events.start("0.0", 2, 1, RequestKind::send, 1);
    events.leave("0.0", 3);
    events.create("1.0", 0, "receives");
    events.run("1.0", 0, "receives");
    events.start("1.0", 1, 1, RequestKind::receive, 0);
    events.builder.enter_call(events.thread("1.0"), ns(2));
    events.finish("1.0", 6, 1);
    events.builder.leave_call(events.thread("1.0"), ns(6));
    events.leave("1.0", 8);
    const Trace trace = events.take();
    const Graph graph = build_graph(trace);
    EXPECT_EQ(critical_path(graph)->length, ns(1 + 1 + 2)); // the receiver's code
    const auto path = critical_path(graph, Weigh::work_and_communication);
    EXPECT_EQ(path->length, ns(2 + 4 + 2));
    EXPECT_EQ(path->work, ns(3 + 4));
    // The sender's code, the start, the completion, the receiver's code after it.
    EXPECT_EQ(path->nodes, (std::vector<Index>{0, 1, 6, 7}));
}

TEST(Graph, ATaskgroupEndsAfterDescendantsOfItsUndeferredTasks) {
    // In a taskgroup, the undeferred T computes 2 and creates D (5) after 1. Behind the group comes
    // E (2): 1 + 5 + 2.
    Events events;
    TraceBuilder &builder = events.builder;
    const Index thread = events.thread("0.0");
    builder.set_implicit(thread, events.id("main"));
    events.run("0.0", 0, "main");
    builder.create(thread, 0, events.id("T"), builder.add_kind("T", ""), true);
    events.run("0.0", 0, "T");
    events.create("0.0", 1, "D");
    events.run("0.1", 1, "D");
    events.leave("0.1", 6);
    events.leave("0.0", 2);
    events.run("0.0", 2, "main");
    builder.begin_wait(thread, ns(2), WaitFor::group);
    builder.end_wait(thread, ns(6));
    events.create("0.0", 6, "E");
    events.run("0.0", 6, "E");
    events.leave("0.0", 8);
    const Trace trace = events.take();
    EXPECT_EQ(critical_path(build_graph(trace, {.waits = true}))->length, ns(8));
}

TEST(Graph, BarriersOfTwoInitialTasksAreNotOne) {
    // Two threads of the program have initial tasks. Each is in a barrier without others: the
    // first creates b (2) and waits from 1 to 6, the second waits from 2 to 4 and creates d (3). A
    // third thread has a region.
    Events events;
    TraceBuilder &builder = events.builder;
    for (const std::string on : {"0.0", "0.1", "0.2"}) {
        builder.set_implicit(events.thread(on), events.id(on));
        events.run(on, 0, on);
    }
    builder.enter_construct(events.thread("0.2"), 0, builder.add_kind("region", ""),
                            ConstructKind::parallel, 9);
    events.create("0.0", 1, "b");
    builder.begin_wait(events.thread("0.0"), ns(1), WaitFor::team);
    events.run("0.0", 1, "b");
    builder.begin_wait(events.thread("0.1"), ns(2), WaitFor::team);
    events.leave("0.0", 3);
    events.run("0.0", 3, "0.0");
    builder.end_wait(events.thread("0.0"), ns(6));
    builder.end_wait(events.thread("0.1"), ns(4));
    events.create("0.1", 4, "d");
    events.run("0.1", 4, "d");
    events.leave("0.1", 7);
    const Trace trace = events.take();
    EXPECT_EQ(critical_path(build_graph(trace, {.waits = true}))->length, ns(3));
}

TEST(Graph, ACycleHasNoCriticalPath) {
    Events events;
    events.task("0.0", 0, 1, "a");
    events.task("0.0", 1, 2, "b");
    events.depend(0, "a", "b");
    events.depend(0, "b", "a");
    EXPECT_FALSE(critical_path(build_graph(events.take())));
}

TEST(Graph, DegreesOfTasksThatFollowOne) {
    Events events;
    events.task("0.0", 0, 1, "first");
    for (const char *next : {"b", "c", "d"}) {
        events.task("0.0", 1, 2, next);
        events.depend(0, "first", next);
    }
    const Degrees found = degrees(build_graph(events.take()));
    EXPECT_EQ(found.out.most, 3u);
    EXPECT_EQ(found.in.most, 1u);
    EXPECT_EQ(found.out.median, 0u); // 0 0 0 3
    EXPECT_EQ(found.in.median, 1u);  // 0 1 1 1
    EXPECT_EQ(found.all.median, 1u); // 1 1 1 3
}

TEST(Graph, TheMedianOfAnEvenNumberOfDegreesIsTheLowerOne) {
    Events events;
    for (const char *name : {"a", "b", "c", "d"})
        events.task("0.0", 0, 1, name);
    events.depend(0, "a", "b");
    events.depend(0, "a", "c");
    const Degrees found = degrees(build_graph(events.take()));
    EXPECT_EQ(found.in.median, 0u);  // 0 0 1 1
    EXPECT_EQ(found.all.median, 1u); // 0 1 1 2
}

TEST(Graph, NothingIsAGraph) {
    const Graph graph = build_graph(TraceBuilder().take());
    EXPECT_TRUE(graph.nodes.empty());
    EXPECT_EQ(critical_path(graph)->average_parallelism(), 0);
}

} // namespace
} // namespace loomp::analysis
