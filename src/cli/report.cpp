#include "cli/report.h"

#include <algorithm>
#include <exception>
#include <filesystem>
#include <fmt/core.h>

#include "analysis/archive.h"
#include "analysis/breakdown.h"
#include "analysis/communication.h"
#include "analysis/critical_path.h"
#include "analysis/graph.h"
#include "analysis/tasks.h"
#include "cli/trace.h"

namespace loomp::cli {

namespace fs = std::filesystem;

namespace {

using namespace analysis;

constexpr int kFailure = 1;

double s(Time time) { return seconds(static_cast<double>(time)); }
double us(double nanoseconds) { return nanoseconds / 1e3; }
double percent(Time part, Time whole) {
    return whole == 0 ? 0 : 100.0 * static_cast<double>(part) / static_cast<double>(whole);
}

void print_breakdown(const std::string &name, const Breakdown &of) {
    fmt::print("{:<22} {:>12.6f} {:>12.6f} {:>5.1f}% {:>12.6f} {:>5.1f}% {:>12.6f} {:>5.1f}%\n",
               name, s(of.total()), s(of.work), percent(of.work, of.total()), s(of.overhead),
               percent(of.overhead, of.total()), s(of.idle), percent(of.idle, of.total()));
}

void print_times(const Trace &trace, bool threads) {
    const TimeBreakdown times = break_down(trace);
    fmt::print("\nmakespan {:.6f} s\n\n{:<22} {:>12} {:>12} {:>6} {:>12} {:>6} {:>12} {:>6}\n",
               s(times.window.length()), "time of threads, s", "total", "work", "", "overhead", "",
               "idle", "");
    print_breakdown("all", times.total());
    for (Index rank = 0; rank < trace.ranks; ++rank) {
        if (trace.ranks > 1)
            print_breakdown(fmt::format("rank {}", rank), times.of_rank(trace, rank));
        for (Index i = 0; threads && i < trace.threads.size(); ++i)
            if (trace.threads[i].rank == rank)
                print_breakdown(fmt::format("rank {} thread {}", rank, trace.threads[i].number),
                                times.threads[i]);
    }
}

void print_discovery(const Trace &trace) {
    const auto producers = discovery(trace);
    if (producers.empty())
        return;
    fmt::print("\n{:<22} {:>12} {:>12} {:>12}\n", "discovery", "tasks", "time, s", "us a task");
    for (const Discovery &of : producers)
        fmt::print("{:<22} {:>12} {:>12.6f} {:>12.3f}\n",
                   fmt::format("rank {} thread {}", trace.threads[of.thread].rank,
                               trace.threads[of.thread].number),
                   of.tasks, s(of.time.length()), us(of.per_task()));
}

void print_critical_path(const Trace &trace) {
    const Graph graph = build_graph(trace);
    const auto path = critical_path(graph);
    if (!path) {
        fmt::print("\nno critical path: the trace has a cycle of dependences\n");
        return;
    }
    const auto threads = static_cast<unsigned>(std::max<std::size_t>(1, trace.threads.size()));
    fmt::print(
        "\ncritical path           {:.6f} s of {:.6f} s of work, {} tasks or parts of tasks\n"
        "average parallelism     {:.2f}\n"
        "on {} threads, at least {:.6f} s, greedily at most {:.6f} s\n",
        s(path->length), s(path->work), path->nodes.size(), path->average_parallelism(), threads,
        seconds(path->lower_bound(threads)), seconds(path->upper_bound(threads)));
}

void print_functions(const Trace &trace) {
    const auto rows = function_table(trace);
    if (rows.empty())
        return;
    fmt::print("\n{:<30} {:>10} {:>12} {:>12}\n", "MPI", "calls", "time, s", "on thread, s");
    for (const FunctionRow &row : rows)
        fmt::print("{:<30} {:>10} {:>12.6f} {:>12.6f}\n",
                   row.function == kNone ? "(unknown)" : trace.kinds[row.function].label, row.count,
                   s(row.time), s(row.on_thread));
}

void print_communication(const Trace &trace) {
    if (trace.calls.empty())
        return;
    fmt::print("\n{:<22} {:>10} {:>14} {:>10} {:>10} {:>10}\n", "communication", "messages",
               "in flight, s", "overlap", "r_comm", "r_act");
    for (Index rank = 0; rank < trace.ranks; ++rank) {
        const Overlap sent = overlap_of_rank(trace, rank);
        const Ratios ratios = ratios_of_rank(trace, rank);
        fmt::print("{:<22} {:>10} {:>14.6f} {:>9.1f}% {:>10.3f} {:>10.3f}\n",
                   fmt::format("rank {}", rank), sent.messages, s(sent.communication),
                   100 * sent.ratio(), ratios.r_comm(), ratios.r_act());
    }
}

void print_kinds(const Trace &trace, std::size_t most) {
    const auto rows = kind_table(trace);
    if (rows.empty())
        return;
    Time work = 0;
    for (const KindRow &row : rows)
        work += row.work;
    fmt::print("\n{:<30} {:>10} {:>12} {:>6} {:>10} {:>10} {:>10} {:>10}\n", "kind of task",
               "count", "work, s", "", "mean, us", "shortest", "median", "longest");
    for (const KindRow &row : std::span(rows).first(std::min(most, rows.size())))
        fmt::print("{:<30} {:>10} {:>12.6f} {:>5.1f}% {:>10.3f} {:>10.3f} {:>10.3f} {:>10.3f}\n",
                   row.kind == kNone ? "(unknown)" : trace.kinds[row.kind].label, row.count,
                   s(row.work), percent(row.work, work), us(row.mean()),
                   us(static_cast<double>(row.shortest)), us(static_cast<double>(row.median)),
                   us(static_cast<double>(row.longest)));
    if (rows.size() > most)
        fmt::print("and {} more: --kinds\n", rows.size() - most);
}

void print(const Trace &trace, const ReportOptions &options) {
    for (const std::string &problem : trace.problems)
        fmt::print(stderr, "loomp: report: {}\n", problem);
    const auto explicit_tasks = std::count_if(trace.tasks.begin(), trace.tasks.end(),
                                              [](const Task &task) { return !task.implicit; });
    fmt::print("ranks {}, threads {}, tasks {}, dependences {}, messages {}\n", trace.ranks,
               trace.threads.size(), explicit_tasks, trace.dependences.size(),
               trace.messages.size());
    if (explicit_tasks == 0) {
        print_functions(trace);
        return;
    }
    print_times(trace, options.threads);
    print_discovery(trace);
    print_critical_path(trace);
    print_functions(trace);
    print_communication(trace);
    print_kinds(trace, options.kinds);
}

} // namespace

int report(const ReportOptions &options) {
    const fs::path archive = find_archive("report", options.folder);
    if (archive.empty())
        return kFailure;
    try {
        print(read_archive(archive), options);
    } catch (const std::exception &problem) {
        fmt::print(stderr, "loomp: report: {}\n", problem.what());
        return kFailure;
    }
    return 0;
}

} // namespace loomp::cli
