#include "cli/report.h"

#include <algorithm>
#include <cmath>
#include <fmt/core.h>
#include <functional>
#include <future>
#include <stdexcept>

#include "analysis/breakdown.h"
#include "analysis/communication.h"
#include "analysis/constructs.h"
#include "analysis/critical_path.h"
#include "analysis/efficiency.h"
#include "analysis/graph.h"
#include "analysis/run_times.h"
#include "analysis/tasks.h"
#include "cli/with_trace.h"

namespace loomp::cli {

namespace {

using namespace analysis;

double s(Time time) { return seconds(static_cast<double>(time)); }
double us(double nanoseconds) { return nanoseconds / 1e3; }
double percent(Time part, Time whole) {
    return whole == 0 ? 0 : 100.0 * static_cast<double>(part) / static_cast<double>(whole);
}

constexpr std::size_t kWidestLabel = 70;

std::string label_of(const Trace &trace, Index kind) {
    return kind == kNone ? "(unknown)" : trace.kinds[kind].label;
}

using Window = std::optional<Interval>; ///< nothing: the makespan

/// What the figures are of without a window: the run, where no explicit task ran.
Interval whole_of(const Trace &trace) { return trace.has_tasks() ? trace.makespan() : trace.run(); }

/// Of what the options count from the makespan's start. Throws std::runtime_error.
Window window_of(Interval makespan, const ReportOptions &options) {
    if (!options.from && !options.to)
        return {};
    const double end = s(makespan.length());
    const double from = std::clamp(options.from.value_or(0), 0.0, end);
    const double to = std::clamp(options.to.value_or(end), 0.0, end);
    if (from >= to)
        throw std::runtime_error(fmt::format(
            "no time of the makespan, {:.6f} s, is between --from {:.6f} and --to {:.6f}", end,
            options.from.value_or(0), options.to.value_or(end)));
    return Interval{makespan.begin + std::llround(from * 1e9),
                    makespan.begin + std::llround(to * 1e9)};
}

void print_window(const Trace &trace, Window window) {
    const Interval makespan = whole_of(trace);
    const Interval run = trace.run();
    fmt::print("\nrun {:.6f} s", s(run.length()));
    if (trace.has_tasks())
        fmt::print(": {:.6f} s before the first task, {:.6f} s after the last\nmakespan {:.6f} s",
                   s(makespan.begin - run.begin), s(run.end - makespan.end), s(makespan.length()));
    fmt::print("\n");
    if (window)
        fmt::print("what follows is of the time from {:.6f} s to {:.6f} s, and of tasks and calls "
                   "that began in it\n",
                   s(window->begin - makespan.begin), s(window->end - makespan.begin));
}

/// What the figures are not of.
void print_unrecorded(const Trace &trace, Interval window) {
    if (trace.unrecorded.empty())
        return;
    Time known = 0;
    for (Index i = 0; i < trace.threads.size(); ++i)
        for (const Interval &part : trace.recorded(i, window))
            known += part.length();
    const Time whole = window.length() * static_cast<Time>(trace.threads.size());
    const auto uncreated =
        std::count_if(trace.tasks.begin(), trace.tasks.end(),
                      [](const Task &task) { return !task.implicit && task.created == kNever; });
    fmt::print("not recorded: {:.6f} s of the threads' time, {:.1f}%; and how {} of the tasks were "
               "created\n",
               s(whole - known), percent(whole - known, whole), uncreated);
}

void print_run_times(const std::string &name, const RunTimes &times) {
    fmt::print("{:<22} {:>12.6f}", name, s(times.total()));
    for (const Time time : times.of)
        fmt::print(" {:>12.6f}", s(time));
    fmt::print("\n");
}

/// Of the whole run, tasks or not.
void print_run(const Trace &trace, bool threads) {
    const std::vector<RunTimes> times = run_times(trace);
    RunTimes all;
    for (const RunTimes &of : times)
        all += of;
    fmt::print("\n{:<22} {:>12} {:>12} {:>12} {:>12} {:>12} {:>12} {:>12} {:>12}\n",
               "threads in the run, s", "total", "tasks", "MPI", "waiting", "worksharing",
               "regions", "serial", "outside");
    print_run_times("all", all);
    for (Index rank = 0; rank < trace.ranks; ++rank) {
        RunTimes sum;
        for (Index i = 0; i < times.size(); ++i)
            if (trace.threads[i].rank == rank)
                sum += times[i];
        if (trace.ranks > 1)
            print_run_times(fmt::format("rank {}", rank), sum);
        for (Index i = 0; threads && i < times.size(); ++i)
            if (trace.threads[i].rank == rank)
                print_run_times(fmt::format("rank {} thread {}", rank, trace.threads[i].number),
                                times[i]);
    }
}

void print_constructs(const Trace &trace, std::size_t most, Window window) {
    const auto rows = construct_table(trace, window);
    if (rows.empty())
        return;
    const auto shown = std::span(rows).first(std::min(most, rows.size()));
    std::size_t width = 30;
    for (const ConstructRow &row : shown)
        width = std::max(width, std::min(kWidestLabel, label_of(trace, row.kind).size()));
    fmt::print("\n{:<{}} {:>10} {:>8} {:>12} {:>12} {:>12} {:>10}\n", "regions and loops", width,
               "count", "threads", "time, s", "work, s", "waiting, s", "imbalance");
    for (const ConstructRow &row : shown)
        fmt::print("{:<{}} {:>10} {:>8} {:>12.6f} {:>12.6f} {:>12.6f} {:>10}\n",
                   label_of(trace, row.kind), width, row.count, row.threads, s(row.time),
                   s(row.work), s(row.waiting),
                   row.barrier ? "" : fmt::format("{:.1f}%", 100 * row.imbalance_share()));
    if (rows.size() > most)
        fmt::print("and {} more: --kinds\n", rows.size() - most);
}

void print_breakdown(const std::string &name, const Breakdown &of) {
    fmt::print("{:<22} {:>12.6f} {:>12.6f} {:>5.1f}% {:>12.6f} {:>5.1f}% {:>12.6f} {:>5.1f}%\n",
               name, s(of.total()), s(of.work), percent(of.work, of.total()), s(of.overhead),
               percent(of.overhead, of.total()), s(of.idle), percent(of.idle, of.total()));
}

void print_times(const Trace &trace, bool threads, Window window) {
    const TimeBreakdown times = break_down(trace, window);
    fmt::print("\n{:<22} {:>12} {:>12} {:>6} {:>12} {:>6} {:>12} {:>6}\n", "time of threads, s",
               "total", "work", "", "overhead", "", "idle", "");
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

std::optional<CriticalPath> find_critical_path(const Trace &trace) {
    return critical_path(build_graph(trace));
}

void print_critical_path(const Trace &trace, const std::optional<CriticalPath> &path) {
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

void print_efficiencies(const Trace &trace, Window window) {
    const Efficiencies found = efficiencies(trace, window);
    const auto print = [](const char *name, const Efficiency &of) {
        fmt::print("{:<22} {:>12.3f} {:>14.3f} {:>14.3f}\n", name, of.parallel(), of.balance,
                   of.communication);
    };
    fmt::print("\n{:<22} {:>12} {:>14} {:>14}\n", "POP efficiencies", "parallel", "load balance",
               "communication");
    print("all", found.hybrid);
    if (trace.calls.empty())
        return;
    print("MPI", found.mpi);
    print("OpenMP", found.openmp);
    if (found.openmp.balance > 1)
        fmt::print("OpenMP's load balance is a quotient: above 1, threads are more alike than the "
                   "ranks' times out of MPI\n");
    for (Index rank = 0; trace.ranks > 1 && rank < trace.ranks; ++rank)
        fmt::print("{:<22} {:>12.3f}\n", fmt::format("rank {}", rank), found.ranks[rank]);
}

void print_functions(const Trace &trace, Window window = {}) {
    const auto rows = function_table(trace, window);
    if (rows.empty())
        return;
    fmt::print("\n{:<30} {:>10} {:>12} {:>12}\n", "MPI", "calls", "time, s", "on thread, s");
    for (const FunctionRow &row : rows)
        fmt::print("{:<30} {:>10} {:>12.6f} {:>12.6f}\n",
                   row.function == kNone ? "(unknown)" : trace.kinds[row.function].label, row.count,
                   s(row.time), s(row.on_thread));
}

struct Communication {
    Overlap sent;
    Ratios ratios;
};

/// Of each rank.
std::vector<Communication> find_communication(const Trace &trace, Window window) {
    std::vector<Communication> found;
    if (trace.calls.empty())
        return found;
    const std::vector<Overlap> sent = overlap_of_ranks(trace, window);
    const std::vector<Ratios> ratios = ratios_of_ranks(trace, window);
    for (Index rank = 0; rank < trace.ranks; ++rank)
        found.push_back({sent[rank], ratios[rank]});
    return found;
}

void print_communication(const std::vector<Communication> &ranks) {
    if (ranks.empty())
        return;
    fmt::print("\n{:<22} {:>10} {:>14} {:>10} {:>10} {:>10}\n", "communication", "messages",
               "in flight, s", "overlap", "r_comm", "r_act");
    for (std::size_t rank = 0; rank < ranks.size(); ++rank) {
        const auto &[sent, ratios] = ranks[rank];
        fmt::print("{:<22} {:>10} {:>14.6f} {:>9.1f}% {:>10.3f} {:>10.3f}\n",
                   fmt::format("rank {}", rank), sent.messages, s(sent.communication),
                   100 * sent.ratio(), ratios.r_comm(), ratios.r_act());
    }
}

/// The rest of a line of the table of kinds: a column for each counter.
template <typename Value>
void print_counts(const std::vector<std::string> &counters, const std::vector<Value> &values) {
    for (std::size_t i = 0; i < counters.size(); ++i)
        fmt::print(" {:>{}}", values[i], std::max<std::size_t>(14, counters[i].size()));
    fmt::print("\n");
}

void print_kinds(const Trace &trace, std::size_t most, Window window) {
    const auto rows = kind_table(trace, window);
    if (rows.empty())
        return;
    Time work = 0;
    for (const KindRow &row : rows)
        work += row.work;
    const auto shown = std::span(rows).first(std::min(most, rows.size()));
    std::size_t width = 30;
    for (const KindRow &row : shown)
        width = std::max(width, std::min(kWidestLabel, label_of(trace, row.kind).size()));
    fmt::print("\n{:<{}} {:>10} {:>12} {:>6} {:>10} {:>10} {:>10} {:>10}", "kind of task", width,
               "count", "work, s", "", "mean, us", "shortest", "median", "longest");
    print_counts(trace.counters, trace.counters);
    for (const KindRow &row : shown) {
        fmt::print("{:<{}} {:>10} {:>12.6f} {:>5.1f}% {:>10.3f} {:>10.3f} {:>10.3f} {:>10.3f}",
                   label_of(trace, row.kind), width, row.count, s(row.work),
                   percent(row.work, work), us(row.mean()), us(static_cast<double>(row.shortest)),
                   us(static_cast<double>(row.median)), us(static_cast<double>(row.longest)));
        print_counts(trace.counters, row.counts);
    }
    if (rows.size() > most)
        fmt::print("and {} more: --kinds\n", rows.size() - most);
}

void print(const Trace &trace, const ReportOptions &options) {
    const Window window = window_of(whole_of(trace), options);
    const auto explicit_tasks = std::count_if(trace.tasks.begin(), trace.tasks.end(),
                                              [](const Task &task) { return !task.implicit; });
    fmt::print("ranks {}, threads {}, tasks {}, dependences {}, messages {}\n", trace.ranks,
               trace.threads.size(), explicit_tasks, trace.dependences.size(),
               trace.messages.size());
    if (!trace.has_tasks()) {
        print_window(trace, window);
        print_unrecorded(trace, window.value_or(trace.run()));
        if (!window)
            print_run(trace, options.threads);
        print_efficiencies(trace, window);
        print_constructs(trace, options.kinds, window);
        print_functions(trace, window);
        print_communication(find_communication(trace, window.value_or(trace.run())));
        return;
    }
    // What takes longest, meanwhile; a trace is only read.
    const auto later = std::launch::async;
    std::future<std::optional<CriticalPath>> path;
    if (!window) // it is of the whole graph
        path = std::async(later, find_critical_path, std::cref(trace));
    auto communication = std::async(later, find_communication, std::cref(trace), window);
    print_window(trace, window);
    print_unrecorded(trace, window.value_or(trace.makespan()));
    if (!window)
        print_run(trace, options.threads);
    print_times(trace, options.threads, window);
    print_efficiencies(trace, window);
    if (!window) {
        print_discovery(trace);
        print_critical_path(trace, path.get());
    }
    print_functions(trace, window);
    print_communication(communication.get());
    print_constructs(trace, options.kinds, window);
    print_kinds(trace, options.kinds, window);
}

} // namespace

int report(const ReportOptions &options) {
    return with_trace("report", options.folder, {}, [&](const Trace &trace) {
        print(trace, options);
        return 0;
    });
}

} // namespace loomp::cli
