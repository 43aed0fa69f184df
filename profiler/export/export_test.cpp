// Exports of a trace made by hand to other tools' formats.
#include <sstream>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "profiler/export/exporters.h"
#include "tests/analysis/support.h"

namespace loomp::analysis {
namespace {

/// A task that sends, a task that receives and is suspended meanwhile, and a successor of the
/// first.
Trace example() {
    Events events;
    events.create("0.0", 0, "se\"nds <&\\");
    events.create("0.0", 0, "after");
    events.run("0.0", 1, "se\"nds <&\\");
    events.start("0.0", 2, 1, RequestKind::send, 1);
    events.finish("0.0", 2, 1);
    events.leave("0.0", 3);
    events.depend(0, "se\"nds <&\\", "after");
    events.run("0.0", 3, "after");
    events.leave("0.0", 4);
    events.create("1.0", 0, "receives");
    events.run("1.0", 0, "receives");
    events.builder.enter_call(events.thread("1.0"), ns(1), events.builder.add_kind("MPI_Recv", ""));
    events.start("1.0", 1, 2, RequestKind::receive, 0);
    events.leave("1.0", 1.5, Leaving::suspended);
    events.run("1.1", 5, "receives");
    events.builder.resume_call(events.thread("1.1"), ns(5));
    events.finish("1.1", 5, 2);
    events.builder.leave_call(events.thread("1.1"), ns(5.25));
    events.leave("1.1", 6);
    return events.take();
}

std::size_t count(const std::string &text, const std::string &part) {
    std::size_t found = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
        ++found;
    return found;
}

TEST(Export, PerfettoHasTasksCallsStatesAndArrowsWhereTheyWere) {
    std::ostringstream out;
    write_perfetto(example(), out);
    const auto events = nlohmann::json::parse(out.str())["traceEvents"];
    std::map<std::string, int> phases;
    double in_recv = 0;
    std::string states; // the receiving task's
    for (const auto &event : events) {
        ++phases[event["ph"].get<std::string>() + event.value("cat", "")];
        if (event["name"] == "MPI_Recv")
            in_recv += event["dur"].get<double>();
        if (event["ph"] == "b" && event["name"] != "receives" && event["pid"] == 1)
            states += event["name"].get<std::string>() + ", ";
        if (event["ph"] == "f" && event["cat"] == "dependence") {
            EXPECT_EQ(event["pid"], 0);
            EXPECT_EQ(event["ts"].get<double>(), 3e6);
        }
        if (event["ph"] == "C" && event["pid"] == 1 && event["ts"].get<double>() == 1.5e6) {
            EXPECT_EQ(event["args"]["suspended"], 1);
            EXPECT_EQ(event["args"]["running"], 0);
        }
        if (event["ph"] == "f" && event["cat"] == "message") {
            EXPECT_EQ(event["pid"], 1);
            EXPECT_EQ(event["tid"], 1);
            EXPECT_EQ(event["ts"].get<double>(), 5e6);
        }
    }
    EXPECT_EQ(phases["Xtask"], 4); // one in two parts
    EXPECT_EQ(states, "running, suspended, running, ");
    EXPECT_EQ(phases["sdependence"], 1);
    EXPECT_EQ(phases["fdependence"], 1);
    EXPECT_EQ(phases["btask state"], phases["etask state"]);
    EXPECT_EQ(phases["smessage"], 1);
    EXPECT_EQ(phases["fmessage"], 1);
    EXPECT_EQ(phases["M"], 2 + 3);
    EXPECT_EQ(in_recv, 0.75e6); // 4.25 s on threads
}

TEST(Export, GraphsHaveAllNodesAndEdges) {
    const Trace trace = example();
    const Graph graph = build_graph(trace);
    std::ostringstream dot;
    write_dot(trace, graph, dot);
    EXPECT_EQ(count(dot.str(), " [label="), graph.nodes.size());
    EXPECT_EQ(count(dot.str(), " -> "), graph.edges.size());
    EXPECT_EQ(count(dot.str(), "style=dashed"), 1u);
    // The task's code before the start, before the completion, and after it.
    EXPECT_EQ(count(dot.str(), R"("se\"nds <&\\")"), 3u);
}

TEST(Export, GraphsHaveTheBeginningsOfVeryLongNames) {
    Events events;
    const std::string name(20'000, 'x');
    events.task("0.0", 0, 1, name);
    const Trace trace = events.take();
    std::ostringstream dot;
    write_dot(trace, build_graph(trace), dot);
    EXPECT_EQ(count(dot.str(), '"' + name.substr(0, 2000) + "...\""), 1u);
}

} // namespace
} // namespace loomp::analysis
