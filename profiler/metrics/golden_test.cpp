// Hand-computed cases in golden/: each is turned into events, and the analysis must match to the
// last digit.
#include <algorithm>
#include <fstream>
#include <functional>
#include <map>
#include <set>
#include <tuple>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "profiler/graph/critical_path.h"
#include "profiler/graph/graph.h"
#include "profiler/metrics/breakdown.h"
#include "profiler/metrics/communication.h"
#include "profiler/metrics/constructs.h"
#include "profiler/metrics/degrees.h"
#include "profiler/metrics/deletions.h"
#include "profiler/metrics/efficiency.h"
#include "profiler/metrics/inflation.h"
#include "profiler/metrics/run_times.h"
#include "profiler/metrics/tasks.h"
#include "profiler/simulation/ranks.h"
#include "profiler/simulation/simulation.h"
#include "profiler/trace/cpu_clock.h"
#include "tests/analysis/support.h"

namespace loomp::analysis {
namespace {

using nlohmann::json;

json golden(const std::string &name) {
    std::ifstream file(LOOMP_GOLDEN + name);
    return json::parse(file);
}

double in_seconds(Time time) { return seconds(static_cast<double>(time)); }

void expect_breakdown(const Breakdown &found, const json &expected) {
    EXPECT_EQ(in_seconds(found.work), expected["work"]);
    EXPECT_EQ(in_seconds(found.overhead), expected["overhead"]);
    EXPECT_EQ(in_seconds(found.idle), expected["idle"]);
}

TEST(Golden, Breakdown) {
    const json golden_case = golden("breakdown.json");
    Events events;
    std::vector<Index> threads;
    for (const json &thread : golden_case["threads"])
        threads.push_back(events.thread(thread));
    for (const json &task : golden_case["tasks"]) {
        const std::string id = task["id"];
        // A task with predecessors becomes ready by them, not by its creation.
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
    EXPECT_EQ(in_seconds(found.total().total()), expected["total"]);
    for (std::size_t i = 0; i < threads.size(); ++i)
        expect_breakdown(found.threads[threads[i]],
                         expected["by_thread"][golden_case["threads"][i].get<std::string>()]);
}

/// The tasks of no duration are left out of the names.
void expect_path(const Trace &trace, const Graph &graph, const json &work, const json &expected) {
    const auto path = critical_path(graph);
    ASSERT_TRUE(path);
    EXPECT_EQ(in_seconds(path->work), work);
    EXPECT_EQ(in_seconds(path->length), expected["Tinf"]);
    EXPECT_EQ(path->average_parallelism(), expected["average_parallelism"]);
    EXPECT_EQ(seconds(path->lower_bound(2)), expected["lower_bound_p2"]);
    EXPECT_EQ(seconds(path->upper_bound(2)), expected["graham_upper_bound_p2"]);
    std::vector<std::string> names;
    for (const Index node : path->nodes)
        if (graph.nodes[node].duration > 0)
            names.push_back(trace.kinds[trace.tasks[graph.nodes[node].task].kind].label);
    EXPECT_EQ(names, expected["path"].get<std::vector<std::string>>());
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
    const json &expected = golden_case["expect"];
    expect_path(trace, build_graph(trace), expected["T1"], expected);
}

/// The program of recursion.json, in which R waits this way.
Trace recursion(WaitFor what) {
    Events events;
    const Index thread = events.thread("0.0");
    events.builder.set_implicit(thread, events.id("initial"));
    events.run("0.0", 0, "initial");
    events.create("0.0", 0, "R");
    events.builder.begin_wait(thread, 0, WaitFor::tasks);
    events.run("0.0", 0, "R");
    events.create("0.0", 1, "A");
    events.run("0.1", 1, "A");
    events.create("0.1", 2, "C");
    events.leave("0.1", 3);
    events.run("0.1", 3, "C");
    events.leave("0.1", 6);
    events.create("0.0", 2, "B");
    events.builder.begin_wait(thread, ns(2), what);
    events.run("0.0", 2, "B");
    events.leave("0.0", 4);
    events.run("0.0", 6, "R");
    events.builder.end_wait(thread, ns(6));
    events.leave("0.0", 7);
    events.run("0.0", 7, "initial");
    events.builder.end_wait(thread, ns(7));
    events.create("0.0", 7, "E");
    events.run("0.0", 7, "E");
    events.leave("0.0", 9);
    return events.take();
}

TEST(Golden, Recursion) {
    const json golden_case = golden("recursion.json");
    const json &expected = golden_case["expect"];
    for (const auto &[name, what] :
         {std::pair("taskwait", WaitFor::tasks), {"taskgroup", WaitFor::group}}) {
        const Trace trace = recursion(what);
        EXPECT_TRUE(trace.problems.empty());
        const auto thesis = critical_path(build_graph(trace));
        ASSERT_TRUE(thesis);
        EXPECT_EQ(in_seconds(thesis->work), expected["T1"]);
        EXPECT_EQ(in_seconds(thesis->length), expected["dependences"]["Tinf"]);
        EXPECT_EQ(thesis->average_parallelism(), expected["dependences"]["average_parallelism"]);
        SCOPED_TRACE(name);
        expect_path(trace, build_graph(trace, {.waits = true}), expected["T1"], expected[name]);
    }
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
        // The alphabetical order of a task's nodes is the order of its code.
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

TEST(Golden, Degrees) {
    const json expected = golden("degrees.json")["expect"];
    const Degrees found = degrees(build_graph(two_ranks(RequestKind::send)));
    EXPECT_EQ(found.nodes, expected["nodes"]);
    EXPECT_EQ(found.edges, expected["edges"]);
    for (const auto &[name, of] :
         {std::pair("in", found.in), {"out", found.out}, {"all", found.all}}) {
        EXPECT_EQ(of.least, expected[name]["least"]) << name;
        EXPECT_EQ(of.mean, expected[name]["mean"]) << name;
        EXPECT_EQ(of.median, expected[name]["median"]) << name;
        EXPECT_EQ(of.most, expected[name]["most"]) << name;
    }
}

TEST(Golden, InstructionsPerCycle) {
    const json golden_case = golden("ipc.json");
    const auto names = golden_case["counters"].get<std::vector<std::string>>();
    Events events;
    events.builder.set_counters(names);
    const Index thread = events.thread("0.0");
    std::map<std::string, Index> kinds;
    std::vector<std::uint64_t> counters(names.size(), 1000);
    std::uint64_t id = 0;
    Time now = 0;
    for (const json &task : golden_case["tasks"]) {
        const std::string kind = task["kind"];
        if (!kinds.contains(kind))
            kinds[kind] = events.builder.add_kind(kind, "");
        events.builder.create(thread, now, ++id, kinds[kind]);
        events.builder.run(thread, now, id);
        events.builder.count(thread, now, counters);
        now += ns(1);
        for (std::size_t i = 0; i < counters.size(); ++i)
            counters[i] += task["counts"][i].get<std::uint64_t>();
        events.builder.count(thread, now, counters);
        events.builder.leave(thread, now, Leaving::ended);
    }
    const Trace trace = events.take();
    EXPECT_TRUE(counts_instructions_per_cycle(trace));
    const json &expected = golden_case["expect"];
    const auto rows = kind_table(trace);
    EXPECT_EQ(rows.size(), expected.size());
    for (const KindRow &row : rows) {
        const json &json_value = expected[trace.kinds[row.kind].label];
        const std::optional<double> found = instructions_per_cycle(trace, row);
        EXPECT_EQ(found.has_value(), !json_value.is_null());
        if (found) {
            EXPECT_EQ(*found, json_value);
        }
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
    EXPECT_EQ(in_seconds(found.work), expected["overlapped_work"]);
    EXPECT_EQ(in_seconds(found.communication), expected["communication_time"]);
    EXPECT_EQ(found.ratio(), expected["overlap_ratio"]);
}

TEST(Golden, Collectives) {
    const json golden_case = golden("collectives.json");
    Events events;
    for (const json &thread : golden_case["threads"])
        events.thread(thread);
    constexpr std::uint64_t kCollective = 1;
    constexpr std::uint64_t kMessage = 2;
    for (const json &task : golden_case["tasks"]) {
        const std::string on = task["thread"];
        events.create(on, task["start"], task["id"]);
        events.run(on, task["start"], task["id"]);
        for (const json &call : task.value("mpi", json::array())) {
            const double when = call[0];
            if (call[1] == "start")
                events.start(on, when, kCollective, RequestKind::collective);
            if (call[1] == "finish")
                events.finish(on, when, kCollective);
            if (call[1] == "send")
                events.start(on, when, kMessage, RequestKind::send, 1);
            if (call[1] == "receive") {
                events.start(on, when, kMessage, RequestKind::receive, 0);
                events.finish(on, when, kMessage);
            }
        }
        events.leave(on, task["end"]);
    }
    const Trace trace = events.take();
    EXPECT_TRUE(trace.problems.empty());
    const std::vector<RankOverlap> found = overlap_of_ranks(trace);
    for (Index rank = 0; rank < trace.ranks; ++rank) {
        const json &expected = golden_case["expect"][rank];
        EXPECT_EQ(found[rank].share_of_collectives(), expected["share_of_collectives"]);
        for (const auto &[name, which, of] :
             {std::tuple("messages", Flights::messages, found[rank].messages),
              {"collectives", Flights::collectives, found[rank].collectives},
              {"all", Flights::all, found[rank].all()}})
            for (const Overlap &part : {of, overlap_of_rank(trace, rank, {}, which)}) {
                EXPECT_EQ(part.flights, expected[name]["count"]) << name;
                EXPECT_EQ(in_seconds(part.work), expected[name]["work"]) << name;
                EXPECT_EQ(in_seconds(part.communication), expected[name]["communication"]) << name;
                EXPECT_EQ(part.ratio(), expected[name]["overlap"]) << name;
            }
    }
    // The set of all threads of all ranks sends nothing to others.
    const std::vector<Index> everybody = {0, 1, 2};
    EXPECT_EQ(overlap(trace, everybody, {}, Flights::all).flights, 0u);
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
    EXPECT_EQ(work.ratio(), expected["work"]);
    for (const auto &[name, ratio] : expected["work_by_task"].items()) {
        const auto pair =
            std::find_if(work.pairs.begin(), work.pairs.end(), [&](const Pair &candidate) {
                return candidate.reference == find_task(reference, name);
            });
        ASSERT_NE(pair, work.pairs.end());
        EXPECT_EQ(pair->ratio(), ratio);
    }
    const Inflations communication = communication_inflation(reference, observed);
    EXPECT_EQ(communication.ratio(), expected["communication"]);
    EXPECT_EQ(communication.pairs.size(), 1u);
}

TEST(Golden, Ratios) {
    const json golden_case = golden("ratios.json");
    const double makespan = golden_case["makespan"];
    const double mpi = golden_case["mpi_task_time"];
    const int cores = golden_case["cores"];
    // One task is always in MPI. The others compute equally long, the last one to the end.
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
    EXPECT_EQ(found.r_comm(), golden_case["expect"]["r_comm"]);
    EXPECT_EQ(found.r_act(), golden_case["expect"]["r_act"]);
}

TEST(Golden, InFlight) {
    const json golden_case = golden("in_flight.json");
    const json &json_value = golden_case["recv"];
    const std::string on = json_value["thread"];
    Events events;
    const Index thread = events.thread(on);
    events.create(on, 0, "a");
    events.run(on, 0, "a");
    events.builder.enter_call(thread, ns(json_value["begin"]));
    events.builder.start(thread, ns(json_value["begin"]), 1,
                         {.kind = RequestKind::receive, .peer = 1});
    events.leave(on, json_value["suspended"], Leaving::suspended);
    events.task(on, json_value["suspended"], json_value["resumed"], "b");
    events.run(on, json_value["resumed"], "a");
    events.builder.resume_call(thread, ns(json_value["resumed"]));
    events.builder.finish(thread, ns(json_value["resumed"]), 1);
    events.builder.leave_call(thread, ns(json_value["left"]));
    events.leave(on, json_value["end"]);
    events.create("0.1", 0, "c");
    events.run("0.1", 0, "c");
    std::uint64_t id = 1;
    for (const json &request : golden_case["requests"]) {
        const bool sends = request["kind"] == "send";
        events.start("0.1", request["started"], ++id,
                     sends ? RequestKind::send : RequestKind::receive, 1);
        events.finish("0.1", request["completed"], id);
    }
    events.leave("0.1", golden_case["makespan"]);
    const Ratios found = ratios_of_rank(events.take(), 0);
    const json &expected = golden_case["expect"];
    EXPECT_EQ(found.r_comm(), expected["r_comm"]);
    EXPECT_EQ(found.r_comm_in_flight(), expected["r_comm_in_flight"]);
    EXPECT_EQ(found.r_act(), expected["r_act"]);
}

TEST(Golden, CpuTime) {
    const json golden_case = golden("cpu_time.json");
    const json &expected = golden_case["expect"];
    for (const bool cpu : {true, false}) {
        Events events;
        const Index thread = events.thread("0.0");
        if (cpu)
            events.builder.set_counters({"CPU_TIME_NS"});
        const auto read = [&](std::size_t i) {
            const json &reading = golden_case["readings"][i];
            if (cpu)
                events.builder.count(thread, ns(reading[0]),
                                     {static_cast<std::uint64_t>(ns(reading[1]))});
        };
        read(0);
        events.create("0.0", 0, "a");
        events.run("0.0", 0, "a");
        read(1);
        events.create("0.0", 3, "b");
        read(2);
        events.leave("0.0", 6);
        events.run("0.0", 6, "b");
        read(3);
        events.leave("0.0", 10);
        const Trace trace = events.take();
        EXPECT_TRUE(trace.problems.empty());
        const json &json_value = expected[cpu ? "cpu" : "wall"];
        const auto makespan = [&](Index threads) {
            SimulationOptions options;
            options.threads = threads;
            options.at_once = false;
            options.task_overhead = 0;
            return in_seconds(simulate(trace, make_program(trace), options).makespan);
        };
        EXPECT_EQ(makespan(1), json_value["one"]);
        EXPECT_EQ(makespan(2), json_value["two"]);
        if (!cpu)
            continue;
        EXPECT_EQ(trace.counts_of(find_task(trace, "a"))[0], ns(expected["of_a"]));
        EXPECT_EQ(trace.counts_of(find_task(trace, "b"))[0], ns(expected["of_b"]));
        // 1 / 3 of 1 to 3, and all of 3 to 5.
        EXPECT_EQ(cpu_time(trace, thread, {ns(1), ns(5)}), ns(expected["from_1_to_5"]));
    }
}

/// ranks.json: a line of ranks, in which c takes this long.
Trace line(Index ranks, double c) {
    Events events;
    const Index before = events.builder.add_kind("c", "");
    const Index after = events.builder.add_kind("d", "");
    for (Index rank = 0; rank < ranks; ++rank) {
        const std::string on = std::to_string(rank) + ".0";
        const Index thread = events.thread(on);
        const std::uint64_t first = 1;
        const std::uint64_t second = 2;
        events.builder.create(thread, 0, first, before);
        events.builder.run(thread, 0, first);
        std::uint64_t request = 0;
        for (const Index peer : {rank - 1, rank + 1}) // that of rank 0 - 1 is none
            if (peer < ranks)
                events.start(on, c, ++request, RequestKind::send, peer);
        events.builder.leave(thread, ns(c), Leaving::ended);
        events.builder.create(thread, ns(c), second, after);
        events.builder.depend(rank, first, second);
        events.builder.run(thread, ns(c), second);
        for (const Index peer : {rank - 1, rank + 1})
            if (peer < ranks) {
                events.start(on, c, ++request, RequestKind::receive, peer);
                events.finish(on, c, request);
            }
        events.builder.leave(thread, ns(c + 1), Leaving::ended);
    }
    return events.take();
}

TEST(Golden, Ranks) {
    const json golden_case = golden("ranks.json");
    const json &expected = golden_case["expect"];
    const Index ranks = expected["ranks"];
    for (const char *name : {"strong", "weak"}) {
        const json &json_value = expected[name];
        const Trace small = line(3, json_value["c"]["3"]);
        const Trace large = line(4, json_value["c"]["4"]);
        const Trace *const traces[] = {&small, &large};
        const Scaling scaling = learn_scaling(traces);
        ASSERT_TRUE(scaling.holds()) << scaling.reason;
        EXPECT_EQ(scaling.exponents[0], json_value["exponent"]) << name;
        EXPECT_EQ(scaling.exponents[1], 0) << name;
        const Resized resized = with_ranks(large, ranks);
        ASSERT_TRUE(resized.trace) << resized.reason;
        EXPECT_EQ(resized.trace->ranks, ranks);
        EXPECT_EQ(resized.trace->messages.size(), expected["messages"]);
        const Program program = make_resized_program(large, *resized.trace, scaling);
        SimulationOptions options;
        options.task_overhead = 0;
        const Simulation found = simulate(*resized.trace, program, options);
        EXPECT_EQ(found.unfinished, 0u);
        EXPECT_EQ(in_seconds(found.makespan), json_value["makespan"]) << name;
    }
}

TEST(Ranks, AreScaledAsTold) {
    // c takes 3 s, its successor 1 s; on twice the ranks equally long, or half.
    const Trace trace = line(4, 3);
    const Resized resized = with_ranks(trace, 8);
    ASSERT_TRUE(resized.trace) << resized.reason;
    SimulationOptions options;
    options.task_overhead = 0;
    for (const auto &[exponent, seconds] : {std::pair{0.0, 4.0}, std::pair{-1.0, 2.0}}) {
        const Program program =
            make_resized_program(trace, *resized.trace, told_scaling(trace, exponent));
        EXPECT_EQ(in_seconds(simulate(*resized.trace, program, options).makespan), seconds);
    }
}

TEST(Ranks, SayWhyThereCannotBeOthers) {
    const Trace two = line(2, 1);
    EXPECT_NE(with_ranks(two, 8).reason.find("none among 2 along x"), std::string::npos);
    // Rank 0 gathers from all, so the ranks between do not exchange messages with neighbours.
    Events events;
    for (Index rank = 0; rank < 5; ++rank) {
        const std::string on = std::to_string(rank) + ".0";
        events.create(on, 0, "t");
        events.run(on, 0, "t");
        for (Index peer = 1; peer < 5; ++peer)
            if (rank == 0) {
                events.start(on, 1, peer, RequestKind::receive, peer);
                events.finish(on, 2, peer);
            }
        if (rank > 0)
            events.start(on, 1, 1, RequestKind::send, 0);
        events.leave(on, 3);
    }
    EXPECT_EQ(
        with_ranks(events.take(), 8).reason,
        "ranks are alike in no line, grid or cube, so record as many as you need; in one of 8, "
        "rank 3 would send 1 messages with tag 0 to rank 5, which would receive 0");
    // One task per rank, then two.
    const auto tasks = [](int count, Index ranks) {
        Events more;
        const Index kind = more.builder.add_kind("k", "");
        for (Index rank = 0; rank < ranks; ++rank)
            for (int i = 0; i < count; ++i) {
                const Index thread = more.thread(std::to_string(rank) + ".0");
                more.builder.create(thread, ns(i), static_cast<std::uint64_t>(i), kind);
                more.builder.run(thread, ns(i), static_cast<std::uint64_t>(i));
                more.builder.leave(thread, ns(i + 1), Leaving::ended);
            }
        return more.take();
    };
    EXPECT_EQ(with_ranks(tasks(3000, 1), 65'536).reason,
              "it would be a trace of more than 268435456 tasks and calls");
    const Trace one = tasks(1, 2);
    const Trace both = tasks(2, 4);
    const Trace *const traces[] = {&one, &both};
    EXPECT_EQ(learn_scaling(traces).reason, "a rank has 1 tasks of k with 2 ranks, and 2 with 4");
}

TEST(Ranks, SayWhatOfATraceCannotBeScaled) {
    // A part of the run is missing.
    Events paused;
    paused.task("0.0", 0, 4, "t");
    paused.builder.unknown(paused.thread("0.0"), ns(5));
    EXPECT_EQ(with_ranks(paused.take(), 2).reason, "the trace is not of the whole run");
    // On 1, 2 and 4 ranks a task takes 1 s, then 5, then 2; and messages of 8 bytes, then of 16.
    const auto run = [](Index ranks, double seconds, std::uint64_t bytes) {
        Events events;
        const Index kind = events.builder.add_kind("k", "");
        for (Index rank = 0; rank < ranks; ++rank) {
            const Index thread = events.thread(std::to_string(rank) + ".0");
            events.builder.create(thread, ns(0), 1, kind);
            events.builder.run(thread, ns(0), 1);
            if (bytes != 0) {
                events.builder.start(
                    thread, ns(0.5), 2,
                    {.kind = RequestKind::send, .peer = (rank + 1) % ranks, .bytes = bytes});
                events.builder.start(thread, ns(0.5), 3,
                                     {.kind = RequestKind::receive,
                                      .peer = (rank + ranks - 1) % ranks,
                                      .bytes = bytes});
                events.builder.finish(thread, ns(0.5), 2);
                events.builder.finish(thread, ns(0.5), 3);
            }
            events.builder.leave(thread, ns(seconds), Leaving::ended);
        }
        return events.take();
    };
    const Trace one = run(1, 1, 0);
    const Trace two = run(2, 5, 0);
    const Trace four = run(4, 2, 0);
    const Trace *const times[] = {&one, &two, &four};
    EXPECT_EQ(learn_scaling(times).reason, "how long k takes is no power of the number of ranks");
    const Trace small = run(3, 1, 8);
    const Trace large = run(6, 1, 16);
    const Trace *const sizes[] = {&small, &large};
    EXPECT_EQ(learn_scaling(sizes).reason, "messages change their sizes with the number of ranks");
}

TEST(Golden, Deletions) {
    const json golden_case = golden("deletions.json");
    Events events;
    const Index thread = events.thread("0.0");
    for (const json &task : golden_case["tasks"]) {
        const std::string id = task["id"];
        events.create("0.0", task["created"], id);
        events.run("0.0", task["start"], id);
        events.leave("0.0", task["end"]);
        if (task.contains("deleted"))
            events.builder.deleted(thread, ns(task["deleted"]), events.id(id));
    }
    const std::vector<Deletions> found = deletions(events.take());
    ASSERT_EQ(found.size(), 1u);
    const json &expected = golden_case["expect"];
    EXPECT_EQ(found[0].deleted, expected["deleted"]);
    EXPECT_EQ(found[0].left, expected["left"]);
    EXPECT_EQ(found[0].at_once, expected["at_once"]);
    EXPECT_EQ(seconds(found[0].mean()), expected["mean"]);
    EXPECT_EQ(in_seconds(found[0].longest), expected["longest"]);
}

TEST(Golden, Constructs) {
    const json golden_case = golden("constructs.json");
    Events events;
    struct Moment {
        double time;
        int order; // the order of those at one time
        std::function<void()> tell;
    };
    std::vector<Moment> moments;
    const Index region = events.builder.add_kind("region", "");
    const Index loop = events.builder.add_kind("loop", "");
    const Index barrier = events.builder.add_kind("barrier", "");
    for (const json &json_value : golden_case["implicit"]) {
        const std::string on = json_value["thread"];
        const std::string id = json_value["id"];
        const Index thread = events.thread(on);
        const double from = json_value["from"];
        const double to = json_value["to"];
        moments.push_back({from, 1, [=, &events] {
                               events.builder.set_implicit(thread, events.id(id));
                               events.run(on, from, id);
                               if (json_value.contains("region"))
                                   events.builder.enter_construct(thread, ns(from), region,
                                                                  ConstructKind::parallel,
                                                                  json_value["region"]);
                           }});
        moments.push_back({to, 0, [=, &events] {
                               if (json_value.contains("region"))
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
            EXPECT_EQ(in_seconds(found[what]), of[name]) << on << ' ' << name;
        EXPECT_EQ(found.total(), trace.run().length()) << on;
    }
    const std::vector<ConstructRow> rows = construct_table(trace);
    EXPECT_EQ(rows.size(), expected["constructs"].size());
    for (const ConstructRow &row : rows) {
        const std::string name = trace.kinds[row.kind].label;
        const json &json_value = expected["constructs"][name];
        EXPECT_EQ(row.count, json_value["count"]) << name;
        EXPECT_EQ(row.threads, json_value["threads"]) << name;
        EXPECT_EQ(in_seconds(row.time), json_value["time"]) << name;
        EXPECT_EQ(in_seconds(row.work), json_value["work"]) << name;
        EXPECT_EQ(in_seconds(row.waiting), json_value["waiting"]) << name;
        EXPECT_DOUBLE_EQ(row.imbalance_share(), json_value["imbalance"].get<double>()) << name;
    }
    const Efficiency hybrid = efficiencies(trace).hybrid;
    EXPECT_DOUBLE_EQ(hybrid.balance, expected["hybrid"]["load_balance"].get<double>());
    EXPECT_DOUBLE_EQ(hybrid.communication, expected["hybrid"]["communication"].get<double>());
}

/// Two ranks with two threads each; every team passes the barrier twice, so it is passed four
/// times.
TEST(Golden, TeamsOfTwoRanksAtABarrier) {
    Events events;
    const Index barrier = events.builder.add_kind("barrier", "");
    for (const char *on : {"0.0", "0.1", "1.0", "1.1"}) {
        const Index thread = events.thread(on);
        events.builder.set_implicit(thread, events.id(on));
        events.run(on, 0, on);
        for (const double begin : {1, 3}) {
            events.builder.begin_wait(thread, ns(begin), WaitFor::team, barrier);
            events.builder.end_wait(thread, ns(begin + 1));
        }
        events.leave(on, 5);
    }
    const std::vector<ConstructRow> rows = construct_table(events.take());
    ASSERT_EQ(rows.size(), 1u);
    EXPECT_EQ(rows[0].count, 4u);
    EXPECT_EQ(rows[0].threads, 2u);
    EXPECT_EQ(in_seconds(rows[0].waiting), 8);
}

/// Two nested teams of a rank: the first one passes the barrier twice, the other one once.
TEST(Golden, TeamsOfOneRankAtABarrier) {
    Events events;
    const Index barrier = events.builder.add_kind("barrier", "");
    const Index region = events.builder.add_kind("region", "");
    for (const std::string on : {"0.0", "0.1", "0.2", "0.3"}) {
        const bool is_first = on < "0.2";
        const Index thread = events.thread(on);
        events.builder.set_implicit(thread, events.id(on));
        events.run(on, 0, on);
        events.builder.enter_construct(thread, 0, region, ConstructKind::parallel,
                                       is_first ? 1 : 2);
        for (int begin = 1; begin <= (is_first ? 3 : 1); begin += 2) {
            events.builder.begin_wait(thread, ns(begin), WaitFor::team, barrier);
            events.builder.end_wait(thread, ns(begin + 1));
        }
        events.builder.leave_construct(thread, ns(5));
        events.leave(on, 5);
    }
    const std::vector<ConstructRow> rows = construct_table(events.take());
    const auto row = std::find_if(rows.begin(), rows.end(),
                                  [](const ConstructRow &found) { return found.barrier; });
    ASSERT_NE(row, rows.end());
    EXPECT_EQ(row->count, 3u);
    EXPECT_EQ(row->threads, 2u);
    EXPECT_EQ(in_seconds(row->waiting), 6);
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
    for (const auto &[on, time] : golden_case["barriers"].items()) {
        events.builder.set_implicit(events.thread(on), events.id("of " + on));
        events.run(on, time[0], "of " + on);
        events.builder.begin_wait(events.thread(on), ns(time[0]), WaitFor::team);
        events.builder.end_wait(events.thread(on), ns(time[1]));
        events.leave(on, time[1]);
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

/// pl.c of a program with and without one short task: the task makes no other window.
TEST(Golden, EfficiencyOfLoopsAndATask) {
    const json expected = golden("efficiency_of_loops.json")["expect"];
    for (const bool with_task : {false, true}) {
        Events events;
        const Index kind = events.builder.add_kind("region", "");
        for (const std::string on : {"0.0", "0.1"}) {
            const Index thread = events.thread(on);
            events.builder.set_implicit(thread, events.id(on));
            events.run(on, 2, on);
            events.builder.enter_construct(thread, ns(2), kind, ConstructKind::parallel, 1);
            if (with_task && on == "0.0") {
                events.create(on, 8, "task");
                events.run(on, 8, "task");
                events.leave(on, 9);
                events.run(on, 9, on);
            }
            const double works_to = on == "0.0" ? 9 : 5;
            events.builder.begin_wait(thread, ns(works_to), WaitFor::team);
            events.builder.end_wait(thread, ns(9));
            events.builder.leave_construct(thread, ns(9));
            events.leave(on, 9);
        }
        events.builder.begin_run(0, 0);
        events.builder.end_run(0, ns(10));
        const Efficiencies found = efficiencies(events.take());
        EXPECT_EQ(found.hybrid.balance, expected["load_balance"]) << with_task;
        EXPECT_EQ(found.hybrid.communication, expected["communication"]) << with_task;
        EXPECT_DOUBLE_EQ(found.hybrid.parallel(), expected["parallel"]) << with_task;
    }
}

void expect_simulated(const Trace &trace, const json &expected) {
    for (const Order order : {Order::fifo, Order::lifo, Order::recorded, Order::critical_path})
        for (const auto &[threads, makespan] : expected.items()) {
            SimulationOptions options;
            options.threads = static_cast<Index>(std::stoul(threads));
            options.order = order;
            options.task_overhead = 0;
            const Simulation found = simulate(trace, make_program(trace), options);
            EXPECT_EQ(in_seconds(found.makespan), makespan) << threads;
            EXPECT_EQ(found.unfinished, 0u);
        }
}

/// The program of nested.json.
Trace nested() {
    Events events;
    TraceBuilder &builder = events.builder;
    const Index first = events.thread("0.0");
    const Index second = events.thread("0.1");
    const Index region = builder.add_kind("region", "");
    builder.set_implicit(first, events.id("initial"));
    events.run("0.0", 0, "initial");
    events.create("0.0", 0, "T");
    events.run("0.0", 0, "T");
    for (const std::string on : {"0.0", "0.1"}) {
        const Index thread = on == "0.0" ? first : second;
        builder.set_implicit(thread, events.id("member of " + on));
        events.run(on, 10, "member of " + on);
        builder.enter_construct(thread, ns(10), region, ConstructKind::parallel, 7);
        builder.begin_wait(thread, ns(on == "0.0" ? 30 : 40), WaitFor::team);
        builder.end_wait(thread, ns(40));
        builder.begin_wait(thread, ns(on == "0.0" ? 60 : 50), WaitFor::team);
        builder.end_wait(thread, ns(on == "0.0" ? 60 : 65)); // a member may leave late
        builder.leave_construct(thread, ns(on == "0.0" ? 60 : 65));
        events.leave(on, on == "0.0" ? 60 : 65);
    }
    events.run("0.0", 60, "T");
    events.leave("0.0", 70);
    events.run("0.0", 70, "initial");
    events.leave("0.0", 71);
    return events.take();
}

TEST(Golden, RegionsInsideTasks) {
    const json expected = golden("nested.json")["expect"];
    const Trace trace = nested();
    EXPECT_TRUE(trace.problems.empty());
    const TimeBreakdown found = break_down(trace);
    expect_breakdown(found.total(), expected["total"]);
    expect_breakdown(found.threads[0], expected["threads"]["0.0"]);
    expect_breakdown(found.threads[1], expected["threads"]["0.1"]);
    for (const bool waits : {false, true}) {
        const auto path = critical_path(build_graph(trace, {.waits = waits}));
        ASSERT_TRUE(path);
        EXPECT_EQ(in_seconds(path->work), expected["T1"]) << waits;
        EXPECT_EQ(in_seconds(path->length), expected["Tinf"]) << waits;
    }
    expect_simulated(trace, expected["simulated"]);
    const std::vector<KindRow> kinds = kind_table(trace);
    ASSERT_EQ(kinds.size(), 1u);
    EXPECT_EQ(kinds[0].count, 1u);
    EXPECT_EQ(in_seconds(kinds[0].work), expected["grain"]);
}

/// The program of mutexinoutset.json, whose tasks name one location, or one each.
Trace exclusive(bool one_location) {
    Events events;
    std::uint64_t location = 1;
    for (const char *name : {"A", "B", "C", "D"}) {
        events.create("0.0", 0, name);
        events.builder.access(0, events.id(name), AccessKind::mutexinoutset, location);
        location += one_location ? 0 : 1;
    }
    double now = 0;
    for (const auto &[on, name] : {std::pair("0.0", "A"), std::pair("0.1", "B"),
                                   std::pair("0.0", "C"), std::pair("0.1", "D")}) {
        events.run(on, now, name);
        events.leave(on, now += 20);
    }
    return events.take();
}

TEST(Golden, MutexInOutSet) {
    const json expected = golden("mutexinoutset.json")["expect"];
    const Trace trace = exclusive(true);
    EXPECT_TRUE(trace.problems.empty());
    expect_breakdown(break_down(trace).total(), expected["total"]);
    const auto path = critical_path(build_graph(trace));
    ASSERT_TRUE(path);
    EXPECT_EQ(in_seconds(path->work), expected["T1"]);
    EXPECT_EQ(in_seconds(path->length), expected["Tinf"]);
    EXPECT_EQ(seconds(path->lower_bound(2)), expected["lower_bound_p2"]);
    EXPECT_EQ(seconds(path->upper_bound(2)), expected["graham_upper_bound_p2"]);
    expect_simulated(trace, expected["simulated"]);
    const Trace others = exclusive(false);
    EXPECT_EQ(in_seconds(critical_path(build_graph(others))->length),
              expected["other_locations"]["Tinf"]);
    expect_simulated(others, expected["other_locations"]["simulated"]);
}

/// The program of critical.json, whose tasks have one critical section, or one each, and do
/// something else before it.
Trace critical(bool one_section, double before) {
    Events events;
    for (const char *name : {"A", "B", "C", "D"})
        events.create("0.0", 0, name);
    std::map<std::string, double> now;
    std::uint64_t section = 1;
    double free = 0;
    for (const auto &[on, name] : {std::pair("0.0", "A"), std::pair("0.1", "B"),
                                   std::pair("0.0", "C"), std::pair("0.1", "D")}) {
        const Index thread = events.thread(on);
        events.run(on, now[on], name);
        const double comes = now[on] + before;
        const double enters = std::max(comes, free);
        if (enters > comes) {
            events.builder.begin_wait(thread, ns(comes), WaitFor::mutex);
            events.builder.end_wait(thread, ns(enters));
        }
        events.builder.acquire(thread, ns(enters), section);
        free = now[on] = enters + 20;
        events.builder.release(thread, ns(free), section);
        events.leave(on, free);
        section += one_section ? 0 : 1;
    }
    return events.take();
}

TEST(Golden, CriticalSection) {
    const json expected = golden("critical.json")["expect"];
    const Trace trace = critical(true, 0);
    EXPECT_TRUE(trace.problems.empty());
    ASSERT_EQ(trace.holdings.size(), 4u);
    EXPECT_EQ(in_seconds(trace.holdings[1].begin), 20);
    EXPECT_EQ(in_seconds(trace.holdings[1].end), 40);
    const Breakdown total = break_down(trace).total();
    expect_breakdown(total, expected["total"]);
    EXPECT_EQ(in_seconds(total.of_idle.waiting), expected["waiting"]);
    RunTimes times;
    for (const RunTimes &thread : run_times(trace))
        times += thread;
    EXPECT_EQ(in_seconds(times[Doing::tasks]), expected["total"]["work"]);
    EXPECT_EQ(in_seconds(times[Doing::waiting]), expected["waiting"]);
    expect_simulated(trace, expected["simulated"]);
    expect_simulated(critical(false, 0), expected["other_sections"]["simulated"]);
    expect_simulated(critical(true, 10), expected["10_before"]["simulated"]);
}

/// The programs of undeferred.json.
class Undeferred : public testing::Test {
  protected:
    Undeferred() {
        region_ = builder().add_kind("region", "");
        kind_ = builder().add_kind("task", "");
        thread("0.0");
        thread("0.1");
    }
    TraceBuilder &builder() { return events_.builder; }
    Index thread(const std::string &on) { return events_.thread(on); }
    std::uint64_t id(const std::string &task) { return events_.id(task); }

    void begin_team(double time) {
        for (const std::string on : {"0.0", "0.1"}) {
            builder().set_implicit(thread(on), id(on));
            events_.run(on, time, on);
            builder().enter_construct(thread(on), ns(time), region_, ConstructKind::parallel, 1);
        }
    }
    void come_to_barrier(const std::string &on, double time) {
        builder().begin_wait(thread(on), ns(time), WaitFor::team);
    }
    void end_team(double time) {
        for (const std::string on : {"0.0", "0.1"}) {
            builder().end_wait(thread(on), ns(time));
            builder().leave_construct(thread(on), ns(time));
            events_.leave(on, time);
        }
    }
    void create(double time, const std::string &task, bool undeferred,
                AccessKind kind = AccessKind::inout) {
        builder().create(thread("0.0"), ns(time), id(task), kind_, undeferred);
        builder().access(0, id(task), kind, 1);
    }
    /// The thread continues with `after`.
    void run(const std::string &on, double from, double to, const std::string &task,
             const std::string &after) {
        events_.run(on, from, task);
        events_.leave(on, to);
        events_.run(on, to, after);
    }

    void expect(const char *name) {
        const Trace trace = events_.take();
        EXPECT_TRUE(trace.problems.empty());
        const json expected = golden("undeferred.json")[name];
        if (expected.contains("threads")) {
            const TimeBreakdown found = break_down(trace);
            expect_breakdown(found.threads[0], expected["threads"]["0.0"]);
            expect_breakdown(found.threads[1], expected["threads"]["0.1"]);
            if (expected.contains("waiting")) {
                EXPECT_EQ(in_seconds(found.threads[0].of_idle.waiting), expected["waiting"]);
            }
        }
        if (expected.contains("hybrid")) {
            const Efficiency found = efficiencies(trace).hybrid;
            EXPECT_DOUBLE_EQ(found.balance, expected["hybrid"]["load_balance"].get<double>());
            EXPECT_DOUBLE_EQ(found.communication,
                             expected["hybrid"]["communication"].get<double>());
            EXPECT_DOUBLE_EQ(found.parallel(), expected["hybrid"]["parallel"].get<double>());
        }
        for (const bool waits : {false, true}) {
            const auto path = critical_path(build_graph(trace, {.waits = waits}));
            ASSERT_TRUE(path);
            EXPECT_EQ(in_seconds(path->work), expected["T1"]);
            EXPECT_EQ(in_seconds(path->length), expected["Tinf"][waits ? "waits" : "dependences"]);
        }
        expect_simulated(trace, expected["simulated"]);
    }

    Events events_;

  private:
    Index region_ = 0;
    Index kind_ = 0;
};

TEST_F(Undeferred, TaskRunsElsewhere) {
    builder().begin_run(0, 0);
    builder().end_run(0, ns(20));
    begin_team(0);
    come_to_barrier("0.1", 0);
    create(0, "A", false);
    run("0.1", 0, 10, "A", "0.1");
    create(1, "U", true);
    run("0.1", 10, 14, "U", "0.1");
    builder().create(thread("0.0"), ns(16), id("B"), builder().add_kind("B", ""));
    come_to_barrier("0.0", 16);
    run("0.1", 16, 19, "B", "0.1");
    end_team(19);
    expect("elsewhere");
}

TEST_F(Undeferred, TaskOfATask) {
    begin_team(0);
    builder().create(thread("0.0"), 0, id("C"), builder().add_kind("C", ""));
    for (const std::string on : {"0.0", "0.1"})
        come_to_barrier(on, 0);
    events_.run("0.0", 0, "C");
    create(0, "P", false);
    run("0.1", 0, 5, "P", "0.1");
    create(1, "U", true);
    run("0.1", 5, 8, "U", "0.1");
    events_.leave("0.0", 10);
    events_.run("0.0", 10, "0.0");
    end_team(10);
    expect("in_task");
}

TEST_F(Undeferred, TaskThatOthersExclude) {
    begin_team(0);
    come_to_barrier("0.1", 0);
    create(0, "A", false, AccessKind::mutexinoutset);
    run("0.1", 0, 10, "A", "0.1");
    create(1, "U", true, AccessKind::mutexinoutset);
    run("0.0", 10, 14, "U", "0.0");
    come_to_barrier("0.0", 14);
    end_team(14);
    expect("exclusive");
}

TEST_F(Undeferred, TasksInTurn) {
    begin_team(0);
    come_to_barrier("0.1", 0);
    double now = 0;
    for (const std::string task : {"a", "b", "c", "d"}) {
        builder().create(thread("0.0"), ns(now), id(task), builder().add_kind(task, ""), true);
        run("0.0", now, now + 20, task, "0.0");
        now += 20;
    }
    come_to_barrier("0.0", now);
    end_team(now);
    expect("if0");
}

/// libomp waits for the predecessors of an undeferred task in a taskwait with its clause, which is
/// an undeferred task without code.
TEST_F(Undeferred, TaskAfterATaskwaitWithItsClause) {
    builder().begin_run(0, 0);
    builder().end_run(0, ns(20));
    begin_team(0);
    come_to_barrier("0.1", 0);
    create(0, "A", false);
    run("0.1", 0, 10, "A", "0.1");
    builder().create(thread("0.0"), ns(1), id("U"), builder().add_kind("U", ""), true);
    create(1, "taskwait", true);
    builder().complete(thread("0.0"), ns(10), id("taskwait"));
    run("0.1", 10, 14, "U", "0.1");
    builder().create(thread("0.0"), ns(16), id("B"), builder().add_kind("B", ""));
    come_to_barrier("0.0", 16);
    run("0.1", 16, 19, "B", "0.1");
    end_team(19);
    expect("elsewhere");
}

/// Two threads are each in a nested team of two, whose members all come to one barrier once.
TEST(Golden, NestedTeamsAtABarrier) {
    Events events;
    const Index barrier = events.builder.add_kind("barrier", "");
    const Index region = events.builder.add_kind("region", "");
    for (const char *on : {"0.0", "0.1", "0.2", "0.3"}) {
        const Index thread = events.thread(on);
        events.builder.set_implicit(thread, events.id(on));
        events.run(on, 0, on);
        events.builder.enter_construct(thread, 0, region, ConstructKind::parallel,
                                       thread < 2 ? 5 : 6);
        events.builder.begin_wait(thread, ns(1), WaitFor::team, barrier);
        events.builder.end_wait(thread, ns(2));
        events.builder.leave_construct(thread, ns(3));
        events.leave(on, 3);
    }
    const std::vector<ConstructRow> rows = construct_table(events.take());
    const auto row =
        std::find_if(rows.begin(), rows.end(), [](const ConstructRow &one) { return one.barrier; });
    ASSERT_NE(row, rows.end());
    EXPECT_EQ(row->count, 2u);
    EXPECT_EQ(row->threads, 2u);
    EXPECT_EQ(in_seconds(row->waiting), 4);
}

} // namespace
} // namespace loomp::analysis
