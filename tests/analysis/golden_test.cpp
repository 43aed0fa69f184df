// The cases of golden/, computed by hand: each is turned into events, and what the analysis makes
// of them is compared to the last digit.
#include <algorithm>
#include <fstream>
#include <functional>
#include <set>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "analysis/breakdown.h"
#include "analysis/communication.h"
#include "analysis/constructs.h"
#include "analysis/critical_path.h"
#include "analysis/efficiency.h"
#include "analysis/graph.h"
#include "analysis/inflation.h"
#include "analysis/run_times.h"
#include "analysis/support.h"

namespace loomp::analysis {
namespace {

using nlohmann::json;

json golden(const std::string &name) {
    std::ifstream file(LOOMP_GOLDEN + name);
    return json::parse(file);
}

double in_seconds(Time time) { return seconds(static_cast<double>(time)); }

void expect_breakdown(const Breakdown &found, const json &expected) {
    EXPECT_EQ(in_seconds(found.work), expected["work"].get<double>());
    EXPECT_EQ(in_seconds(found.overhead), expected["overhead"].get<double>());
    EXPECT_EQ(in_seconds(found.idle), expected["idle"].get<double>());
}

TEST(Golden, Breakdown) {
    const json golden_case = golden("breakdown.json");
    Events events;
    std::vector<Index> threads;
    for (const json &thread : golden_case["threads"])
        threads.push_back(events.thread(thread));
    for (const json &task : golden_case["tasks"]) {
        const std::string id = task["id"];
        // With predecessors, they and not its creation make it ready.
        const double created = task.contains("after") ? 0.0 : task["ready"].get<double>();
        events.create("0.0", created, id);
        events.run(task["thread"], task["start"], id);
        events.leave(task["thread"], task["end"]);
        if (task.contains("after"))
            for (const json &before : task["after"])
                events.depend(0, before, id);
    }
    const Trace trace = events.take();
    EXPECT_TRUE(trace.problems.empty());
    const TimeBreakdown found = break_down(trace);
    const json &expected = golden_case["expect"];
    expect_breakdown(found.total(), expected);
    EXPECT_EQ(in_seconds(found.total().total()), expected["total"].get<double>());
    for (std::size_t i = 0; i < threads.size(); ++i)
        expect_breakdown(found.threads[threads[i]],
                         expected["by_thread"][golden_case["threads"][i].get<std::string>()]);
}

TEST(Golden, CriticalPath) {
    const json golden_case = golden("critical_path.json");
    Events events;
    double now = 0; // one after the other, in the order of the file
    for (const json &task : golden_case["tasks"]) {
        const double duration = task["duration"];
        events.task("0.0", now, now + duration, task["id"]);
        now += duration;
    }
    for (const json &edge : golden_case["edges"])
        events.depend(0, edge[0], edge[1]);
    const Trace trace = events.take();
    const Graph graph = build_graph(trace);
    const auto path = critical_path(graph);
    ASSERT_TRUE(path);
    const json &expected = golden_case["expect"];
    EXPECT_EQ(in_seconds(path->work), expected["T1"].get<double>());
    EXPECT_EQ(in_seconds(path->length), expected["Tinf"].get<double>());
    EXPECT_EQ(path->average_parallelism(), expected["average_parallelism"].get<double>());
    EXPECT_EQ(seconds(path->lower_bound(2)), expected["lower_bound_p2"].get<double>());
    EXPECT_EQ(seconds(path->upper_bound(2)), expected["graham_upper_bound_p2"].get<double>());
    std::vector<std::string> names;
    for (const Index node : path->nodes)
        names.push_back(trace.kinds[trace.tasks[graph.nodes[node].task].kind].label);
    EXPECT_EQ(names, expected["path"].get<std::vector<std::string>>());
}

using Names = std::set<std::pair<std::string, std::string>>;

Names names_in(const json &edges) {
    Names names;
    for (const json &edge : edges)
        names.emplace(edge[0], edge[1]);
    return names;
}

Trace two_ranks(RequestKind send) {
    Events events;
    for (const std::string rank : {"0", "1"}) {
        const std::string on = rank + ".0";
        events.create(on, 0, "task of " + rank);
        events.run(on, 0, "task of " + rank);
        if (rank == "0")
            events.start(on, 1, 7, send, 1);
        else
            events.start(on, 1, 7, RequestKind::receive, 0);
        events.finish(on, 2, 7);
        events.leave(on, 3);
    }
    return events.take();
}

TEST(Golden, GlobalGraph) {
    const json golden_case = golden("global_graph.json");
    const json &standard = golden_case["expect_standard_send"];
    for (const RequestKind send : {RequestKind::send, RequestKind::synchronous_send}) {
        const Graph graph = build_graph(two_ranks(send));
        // The nodes of a task are in the order of its code, which is the alphabet's.
        std::vector<std::string> names;
        for (const std::string rank : {"0", "1"})
            for (const json &name : standard["nodes"][rank])
                names.push_back(name);
        ASSERT_EQ(graph.nodes.size(), names.size());
        Names intra;
        Names inter;
        for (const Edge &edge : graph.edges)
            (between_ranks(edge.kind) ? inter : intra).emplace(names[edge.from], names[edge.to]);
        EXPECT_EQ(intra.size() + inter.size(), graph.edges.size());
        EXPECT_EQ(intra, names_in(standard["intra_edges"]));
        const bool synchronous = send == RequestKind::synchronous_send;
        const json &expected = synchronous ? golden_case["expect_synchronous_send"] : standard;
        EXPECT_EQ(inter, names_in(expected["inter_edges"]));
    }
}

TEST(Golden, Overlap) {
    const json golden_case = golden("overlap.json");
    Events events;
    for (const json &thread : golden_case["threads"])
        events.thread(thread);
    const auto rank_of = [](const json &task) {
        return static_cast<Index>(std::stoul(task["thread"].get<std::string>()));
    };
    std::map<std::string, json> tasks;
    for (const json &task : golden_case["tasks"])
        tasks[task["id"]] = task;
    for (const json &task : golden_case["tasks"]) {
        const std::string id = task["id"];
        const std::string on = task["thread"];
        events.create(on, task["start"], id);
        events.run(on, task["start"], id);
        // A message leaves at the end of a task, and is there at the start of another.
        for (const json &message : golden_case["messages"]) {
            if (message["to"] == id) {
                events.start(on, message["end"], 1, RequestKind::receive,
                             rank_of(tasks[message["from"]]));
                events.finish(on, message["end"], 1);
            }
            if (message["from"] == id) {
                events.start(on, message["start"], 1, RequestKind::send,
                             rank_of(tasks[message["to"]]));
                events.finish(on, message["start"], 1);
            }
        }
        events.leave(on, task["end"]);
    }
    const Trace trace = events.take();
    EXPECT_TRUE(trace.problems.empty());
    const json &expected = golden_case["expect"];
    const Overlap found = overlap_of_rank(trace, expected["rank"]);
    EXPECT_EQ(in_seconds(found.work), expected["overlapped_work"].get<double>());
    EXPECT_EQ(in_seconds(found.communication), expected["communication_time"].get<double>());
    EXPECT_EQ(found.ratio(), expected["overlap_ratio"].get<double>());
}

TEST(Golden, Inflation) {
    const json golden_case = golden("inflation.json");
    const auto trace_of = [](const json &run) {
        Events events;
        double now = 0;
        for (const auto &[name, duration] : run["tasks"].items()) {
            events.task("0.0", now, now + duration.get<double>(), name);
            now += duration.get<double>();
        }
        std::uint64_t request = 0;
        for (const auto &[name, duration] : run["messages"].items()) {
            events.create("0.0", now, "sends " + name);
            events.run("0.0", now, "sends " + name);
            events.start("0.0", now, ++request, RequestKind::send, 1);
            events.leave("0.0", now);
            now += duration.get<double>();
            events.create("1.0", now, "receives " + name);
            events.run("1.0", now, "receives " + name);
            events.start("1.0", now, request, RequestKind::receive, 0);
            events.finish("1.0", now, request);
            events.leave("1.0", now);
        }
        return events.take();
    };
    const Trace reference = trace_of(golden_case["reference"]);
    const Trace observed = trace_of(golden_case["observed"]);
    const json &expected = golden_case["expect"];
    const Inflations work = work_inflation(reference, observed);
    EXPECT_EQ(work.ratio(), expected["work"].get<double>());
    for (const auto &[name, ratio] : expected["work_by_task"].items()) {
        const auto pair =
            std::find_if(work.pairs.begin(), work.pairs.end(), [&](const Pair &candidate) {
                return candidate.reference == find_task(reference, name);
            });
        ASSERT_NE(pair, work.pairs.end());
        EXPECT_EQ(pair->ratio(), ratio.get<double>());
    }
    const Inflations communication = communication_inflation(reference, observed);
    EXPECT_EQ(communication.ratio(), expected["communication"].get<double>());
    EXPECT_EQ(communication.pairs.size(), 1u);
}

TEST(Golden, Ratios) {
    const json golden_case = golden("ratios.json");
    const double makespan = golden_case["makespan"];
    const double mpi = golden_case["mpi_task_time"];
    const int cores = golden_case["cores"];
    // One task is in MPI all its time; the others compute equally long, the last one to the end.
    const double compute = golden_case["compute_task_time"].get<double>() / (cores - 1);
    Events events;
    events.create("0.0", 0, "mpi");
    events.run("0.0", 0, "mpi");
    events.builder.enter_call(events.thread("0.0"), 0);
    events.builder.leave_call(events.thread("0.0"), ns(mpi));
    events.leave("0.0", mpi);
    for (int core = 1; core < cores; ++core)
        events.task("0." + std::to_string(core), makespan - compute, makespan,
                    "compute " + std::to_string(core));
    const Ratios found = ratios_of_rank(events.take(), 0);
    EXPECT_EQ(in_seconds(found.window.length()), makespan);
    EXPECT_EQ(found.r_comm(), golden_case["expect"]["r_comm"].get<double>());
    EXPECT_EQ(found.r_act(), golden_case["expect"]["r_act"].get<double>());
}

TEST(Golden, Constructs) {
    const json golden_case = golden("constructs.json");
    Events events;
    struct Moment {
        double time;
        int order; // of those at one time
        std::function<void()> tell;
    };
    std::vector<Moment> moments;
    const Index region = events.builder.add_kind("region", "");
    const Index loop = events.builder.add_kind("loop", "");
    const Index barrier = events.builder.add_kind("barrier", "");
    for (const json &of : golden_case["implicit"]) {
        const std::string on = of["thread"];
        const std::string id = of["id"];
        const Index thread = events.thread(on);
        const double from = of["from"];
        const double to = of["to"];
        moments.push_back({from, 1, [=, &events] {
                               events.builder.set_implicit(thread, events.id(id));
                               events.run(on, from, id);
                               if (of.contains("region"))
                                   events.builder.enter_construct(thread, ns(from), region,
                                                                  ConstructKind::parallel,
                                                                  of["region"]);
                           }});
        moments.push_back({to, 0, [=, &events] {
                               if (of.contains("region"))
                                   events.builder.leave_construct(thread, ns(to));
                               events.leave(on, to);
                               if (id == "member 0")
                                   events.run(on, to, "initial");
                           }});
    }
    const auto tell = [&](const char *what, auto begin, auto end) {
        for (const auto &[on, times] : golden_case[what].items()) {
            const Index thread = events.thread(on);
            const Time from = ns(times[0]);
            const Time to = ns(times[1]);
            moments.push_back({times[0], 2, [=] { begin(thread, from); }});
            moments.push_back({times[1], times[0] == times[1] ? 3 : -1, [=] { end(thread, to); }});
        }
    };
    TraceBuilder &builder = events.builder;
    tell(
        "loops",
        [&, loop](Index thread, Time time) {
            builder.enter_construct(thread, time, loop, ConstructKind::loop);
        },
        [&](Index thread, Time time) { builder.leave_construct(thread, time); });
    for (const auto &[what, kind] : {std::pair("barriers", barrier), {"end_of_region", kNone}})
        tell(
            what,
            [&, kind = kind](Index thread, Time time) {
                builder.begin_wait(thread, time, WaitFor::team, kind);
            },
            [&](Index thread, Time time) { builder.end_wait(thread, time); });
    tell(
        "mpi", [&](Index thread, Time time) { builder.enter_call(thread, time); },
        [&](Index thread, Time time) { builder.leave_call(thread, time); });
    std::stable_sort(moments.begin(), moments.end(), [](const Moment &a, const Moment &b) {
        return std::pair(a.time, a.order) < std::pair(b.time, b.order);
    });
    builder.begin_run(0, ns(golden_case["run"][0]));
    builder.end_run(0, ns(golden_case["run"][1]));
    for (const Moment &moment : moments)
        moment.tell();
    const Trace trace = events.take();
    EXPECT_TRUE(trace.problems.empty());
    const json &expected = golden_case["expect"];
    const std::vector<RunTimes> times = run_times(trace);
    for (const auto &[on, of] : expected["threads"].items()) {
        const RunTimes &found = times[events.thread(on)];
        for (const auto &[name, what] : {std::pair("tasks", Doing::tasks),
                                         {"mpi", Doing::mpi},
                                         {"waiting", Doing::waiting},
                                         {"worksharing", Doing::shared},
                                         {"regions", Doing::regions},
                                         {"serial", Doing::serial},
                                         {"outside", Doing::outside}})
            EXPECT_EQ(in_seconds(found[what]), of[name].get<double>()) << on << ' ' << name;
        EXPECT_EQ(found.total(), trace.run().length()) << on;
    }
    const std::vector<ConstructRow> rows = construct_table(trace);
    EXPECT_EQ(rows.size(), expected["constructs"].size());
    for (const ConstructRow &row : rows) {
        const std::string name = trace.kinds[row.kind].label;
        const json &of = expected["constructs"][name];
        EXPECT_EQ(row.count, of["count"].get<std::size_t>()) << name;
        EXPECT_EQ(row.threads, of["threads"].get<std::size_t>()) << name;
        EXPECT_EQ(in_seconds(row.time), of["time"].get<double>()) << name;
        EXPECT_EQ(in_seconds(row.work), of["work"].get<double>()) << name;
        EXPECT_EQ(in_seconds(row.waiting), of["waiting"].get<double>()) << name;
        EXPECT_DOUBLE_EQ(row.imbalance_share(), of["imbalance"].get<double>()) << name;
    }
    const Efficiency hybrid = efficiencies(trace).hybrid;
    EXPECT_DOUBLE_EQ(hybrid.balance, expected["hybrid"]["load_balance"].get<double>());
    EXPECT_DOUBLE_EQ(hybrid.communication, expected["hybrid"]["communication"].get<double>());
}

TEST(Golden, Efficiency) {
    const json golden_case = golden("efficiency.json");
    Events events;
    for (const json &task : golden_case["tasks"]) {
        const std::string on = task["thread"];
        events.create(on, task["start"], task["id"]);
        events.run(on, task["start"], task["id"]);
        if (task.contains("mpi")) {
            events.builder.enter_call(events.thread(on), ns(task["mpi"][0]));
            events.builder.leave_call(events.thread(on), ns(task["mpi"][1]));
        }
        events.leave(on, task["end"]);
    }
    const Efficiencies found = efficiencies(events.take());
    const json &expected = golden_case["expect"];
    for (const auto &[name, of] : {std::pair("hybrid", found.hybrid), std::pair("mpi", found.mpi),
                                   std::pair("openmp", found.openmp)}) {
        EXPECT_DOUBLE_EQ(of.balance, expected[name]["load_balance"].get<double>()) << name;
        EXPECT_DOUBLE_EQ(of.communication, expected[name]["communication"].get<double>()) << name;
        EXPECT_DOUBLE_EQ(of.parallel(), expected[name]["parallel"].get<double>()) << name;
    }
    EXPECT_EQ(found.ranks, expected["by_rank"].get<std::vector<double>>());
}

} // namespace
} // namespace loomp::analysis
