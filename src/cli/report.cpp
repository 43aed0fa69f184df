// `loomp report`: what a trace says about where the time went, as tables, and for programs.
#include <algorithm>
#include <fmt/core.h>
#include <span>

#include "cli/commands.h"
#include "cli/figures.h"
#include "cli/option_checks.h"
#include "cli/report_figures.h"
#include "cli/report_formats.h"
#include "cli/with_trace.h"

namespace loomp::cli {

namespace {

using namespace analysis;

constexpr std::size_t kWidestLabel = 70;
constexpr std::size_t kKindsInText = 20;

void print_window(const Trace &trace, const Figures &figures) {
    const Interval makespan = figures.whole;
    const Interval run = figures.run;
    fmt::print("\nrun {:.6f} s", s(run.length()));
    if (trace.has_tasks())
        fmt::print(": {:.6f} s before the first task, {:.6f} s after the last\nmakespan {:.6f} s",
                   s(makespan.begin - run.begin), s(run.end - makespan.end), s(makespan.length()));
    fmt::print("\n");
    if (figures.window)
        fmt::print("what follows is of the time from {:.6f} s to {:.6f} s, and of tasks and calls "
                   "that began in it\n",
                   s(figures.window->begin - makespan.begin),
                   s(figures.window->end - makespan.begin));
}

void print_not_recorded(const NotRecorded &of) {
    fmt::print("not recorded: {:.6f} s of the threads' time, {:.1f}%; and how {} of the tasks were "
               "created\n",
               s(of.time), percent(of.time, of.whole), of.uncreated);
}

void print_run_times(const std::string &name, const RunTimes &times) {
    fmt::print("{:<22} {:>12.6f}", name, s(times.total()));
    for (const Time time : times.of)
        fmt::print(" {:>12.6f}", s(time));
    fmt::print("\n");
}

/// Of the whole run, tasks or not.
void print_run(const Trace &trace, const Figures &figures, bool threads) {
    const std::vector<RunTimes> &times = figures.run_times;
    RunTimes all;
    for (const RunTimes &of : times)
        all += of;
    fmt::print("\n{:<22} {:>12} {:>12} {:>12} {:>12} {:>12} {:>12} {:>12} {:>12}\n",
               "threads in the run, s", "total", "tasks", "MPI", "waiting", "worksharing",
               "regions", "serial", "outside");
    print_run_times("all", all);
    for (Index rank = 0; rank < trace.ranks; ++rank) {
        if (trace.ranks > 1)
            print_run_times(fmt::format("rank {}", rank), run_times_of_rank(trace, figures, rank));
        for (Index i = 0; threads && i < times.size(); ++i)
            if (trace.threads[i].rank == rank && !trace.threads[i].stands_in)
                print_run_times(fmt::format("rank {} thread {}", rank, trace.threads[i].number),
                                times[i]);
    }
}

void print_constructs(const Trace &trace, const std::vector<ConstructRow> &rows, std::size_t most) {
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

void print_user_regions(const Trace &trace, const std::vector<UserRegionRow> &rows,
                        std::size_t most) {
    if (rows.empty())
        return;
    const auto shown = std::span(rows).first(std::min(most, rows.size()));
    std::size_t width = 30;
    for (const UserRegionRow &row : shown)
        width = std::max(width, std::min(kWidestLabel, label_of(trace, row.kind).size()));
    fmt::print("\n{:<{}} {:>10} {:>12} {:>12} {:>12} {:>12} {:>12}\n", "named region", width,
               "count", "time, s", "on thread, s", "mean, us", "shortest", "longest");
    for (const UserRegionRow &row : shown)
        fmt::print("{:<{}} {:>10} {:>12.6f} {:>12.6f} {:>12.3f} {:>12.3f} {:>12.3f}\n",
                   label_of(trace, row.kind), width, row.count, s(row.time), s(row.on_thread),
                   us(row.mean()), us(row.shortest), us(row.longest));
    if (rows.size() > most)
        fmt::print("and {} more: --kinds\n", rows.size() - most);
}

void print_breakdown(const std::string &name, const Breakdown &of) {
    fmt::print("{:<22} {:>12.6f} {:>12.6f} {:>5.1f}% {:>12.6f} {:>5.1f}% {:>12.6f} {:>5.1f}%\n",
               name, s(of.total()), s(of.work), percent(of.work, of.total()), s(of.overhead),
               percent(of.overhead, of.total()), s(of.idle), percent(of.idle, of.total()));
}

void print_times(const Trace &trace, const TimeBreakdown &times, bool threads) {
    fmt::print("\n{:<22} {:>12} {:>12} {:>6} {:>12} {:>6} {:>12} {:>6}\n", "time of threads, s",
               "total", "work", "", "overhead", "", "idle", "");
    print_breakdown("all", times.total());
    for (Index rank = 0; rank < trace.ranks; ++rank) {
        if (trace.ranks > 1)
            print_breakdown(fmt::format("rank {}", rank), times.of_rank(trace, rank));
        for (Index i = 0; threads && i < trace.threads.size(); ++i)
            if (trace.threads[i].rank == rank && !trace.threads[i].stands_in)
                print_breakdown(fmt::format("rank {} thread {}", rank, trace.threads[i].number),
                                times.threads[i]);
    }
}

void print_stand_ins(const Trace &trace, Interval window) {
    const std::size_t threads = trace.threads.size() - trace.count_threads();
    if (threads == 0)
        return;
    std::size_t count = 0;
    Time time = 0;
    for (const Segment &of : trace.segments)
        if (trace.threads[of.thread].stands_in && !trace.tasks[of.task].implicit &&
            window.contains(of.begin)) {
            ++count;
            time += of.end - of.begin;
        }
    fmt::print("stand-ins: {}; tasks that they began for the threads: {}, in {:.6f} s beside their "
               "time\n",
               threads, count, s(time));
}

void print_discovery(const Trace &trace, const std::vector<Discovery> &producers) {
    if (producers.empty())
        return;
    fmt::print("\n{:<22} {:>12} {:>12} {:>12}\n", "discovery", "tasks", "time, s", "us a task");
    for (const Discovery &of : producers)
        fmt::print("{:<22} {:>12} {:>12.6f} {:>12.3f}\n",
                   fmt::format("rank {} thread {}", trace.threads[of.thread].rank,
                               trace.threads[of.thread].number),
                   of.tasks, s(of.time.length()), us(of.per_task()));
}

void print_deletions(const std::vector<Deletions> &ranks) {
    if (ranks.empty())
        return;
    fmt::print("\n{:<22} {:>12} {:>12} {:>12} {:>16} {:>12}\n", "tasks deleted", "tasks", "left",
               "at once", "after end, us", "longest");
    for (std::size_t rank = 0; rank < ranks.size(); ++rank)
        fmt::print("{:<22} {:>12} {:>12} {:>12} {:>16.3f} {:>12.3f}\n",
                   fmt::format("rank {}", rank), ranks[rank].deleted, ranks[rank].left,
                   ranks[rank].at_once, us(ranks[rank].mean()), us(ranks[rank].longest));
}

void print_critical_path(const Trace &trace, const Figures &figures) {
    const std::optional<CriticalPath> &path = figures.path;
    if (!path) {
        fmt::print("\nno critical path: the trace has a cycle of dependences\n");
        return;
    }
    const auto threads = static_cast<unsigned>(std::max<std::size_t>(1, trace.count_threads()));
    fmt::print(
        "\ncritical path           {:.6f} s of {:.6f} s of work, {} tasks or parts of tasks\n"
        "average parallelism     {:.2f}\n"
        "on {} threads, at least {:.6f} s, greedily at most {:.6f} s\n",
        s(path->length), s(path->work), path->nodes.size(), path->average_parallelism(), threads,
        seconds(path->lower_bound(threads)), seconds(path->upper_bound(threads)));
    if (const std::optional<CriticalPath> &with = figures.path_with_waits)
        fmt::print(
            "with creation and waits {:.6f} s, average parallelism {:.2f}; on {} threads, at "
            "least {:.6f} s, greedily at most {:.6f} s\n",
            s(with->length), with->average_parallelism(), threads,
            seconds(with->lower_bound(threads)), seconds(with->upper_bound(threads)));
}

void print_graph(const Degrees &of) {
    fmt::print(
        "graph                   {} nodes, {} edges; of a node {} to {}, mean {:.2f}, median "
        "{}\n",
        of.nodes, of.edges, of.all.least, of.all.most, of.all.mean, of.all.median);
}

void print_efficiencies(const Trace &trace, const Efficiencies &found) {
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

void print_functions(const Trace &trace, const std::vector<FunctionRow> &rows) {
    if (rows.empty())
        return;
    fmt::print("\n{:<30} {:>10} {:>12} {:>12}\n", "MPI", "calls", "time, s", "on thread, s");
    for (const FunctionRow &row : rows)
        fmt::print("{:<30} {:>10} {:>12.6f} {:>12.6f}\n",
                   row.function == kNone ? "(unknown)" : trace.kinds[row.function].label, row.count,
                   s(row.time), s(row.on_thread));
}

void print_communication(const Figures &figures) {
    if (figures.sent.empty())
        return;
    fmt::print("\n{:<22} {:>10} {:>14} {:>10} {:>12} {:>14} {:>10} {:>10} {:>10} {:>12} {:>10}\n",
               "communication", "messages", "in flight, s", "overlap", "collectives",
               "in flight, s", "overlap", "of both", "r_comm", "r_in_flight", "r_act");
    for (std::size_t rank = 0; rank < figures.sent.size(); ++rank) {
        const RankOverlap &sent = figures.sent[rank];
        const Ratios &ratios = figures.ratios[rank];
        fmt::print("{:<22}", fmt::format("rank {}", rank));
        fmt::print(" {:>10} {:>14.6f} {:>9.1f}%", sent.messages.flights,
                   s(sent.messages.communication), 100 * sent.messages.ratio());
        fmt::print(" {:>12} {:>14.6f} {:>9.1f}%", sent.collectives.flights,
                   s(sent.collectives.communication), 100 * sent.collectives.ratio());
        fmt::print(" {:>9.1f}% {:>10.3f} {:>12.3f} {:>10.3f}\n", 100 * sent.all().ratio(),
                   ratios.r_comm(), ratios.r_comm_in_flight(), ratios.r_act());
    }
}

void print_devices(const Trace &trace, const Figures &figures, std::size_t most) {
    if (figures.devices.empty())
        return;
    constexpr double mib = 1 << 20;
    fmt::print("\n{:<22} {:>10} {:>12} {:>10} {:>12} {:>12} {:>12} {:>12} {:>12} {:>10} {:>10}\n",
               "devices", "kernels", "time, s", "copies", "to, MiB", "from, MiB", "time, s",
               "held up, s", "busy, s", "several", "overlap");
    for (const DeviceRow &row : figures.devices)
        fmt::print("{:<22} {:>10} {:>12.6f} {:>10} {:>12.3f} {:>12.3f} {:>12.6f} {:>12.6f} "
                   "{:>12.6f} {:>9.1f}% {:>9.1f}%\n",
                   fmt::format("rank {} device {}", row.rank, row.device), row.kernels,
                   s(row.kernel_time), row.copies_to + row.copies_from,
                   static_cast<double>(row.bytes_to) / mib,
                   static_cast<double>(row.bytes_from) / mib, s(row.copy_time), s(row.held),
                   s(row.busy), percent(row.several, row.busy), 100 * row.overlap());
    const std::vector<DeviceKindRow> &rows = figures.device_kinds;
    const auto shown = std::span(rows).first(std::min(most, rows.size()));
    std::size_t width = 30;
    for (const DeviceKindRow &row : shown)
        width = std::max(width, std::min(kWidestLabel, label_of(trace, row.kind).size()));
    fmt::print("\n{:<{}} {:>10} {:>12} {:>12} {:>12} {:>12} {:>12}\n", "on devices", width, "count",
               "time, s", "mean, us", "shortest", "median", "longest");
    for (const DeviceKindRow &row : shown)
        fmt::print("{:<{}} {:>10} {:>12.6f} {:>12.3f} {:>12.3f} {:>12.3f} {:>12.3f}\n",
                   label_of(trace, row.kind), width, row.count, s(row.time), us(row.mean()),
                   us(row.shortest), us(row.median), us(row.longest));
    if (rows.size() > most)
        fmt::print("and {} more: --kinds\n", rows.size() - most);
}

/// The rest of a line of the table of kinds: a column for each counter, and instructions a cycle.
template <typename Value>
void print_counts(const Trace &trace, const std::vector<Value> &values, const std::string &ipc) {
    for (std::size_t i = 0; i < trace.counters.size(); ++i)
        fmt::print(" {:>{}}", values[i], std::max<std::size_t>(14, trace.counters[i].size()));
    if (counts_instructions_per_cycle(trace))
        fmt::print(" {:>8}", ipc);
    fmt::print("\n");
}

void print_kinds(const Trace &trace, const std::vector<KindRow> &rows, std::size_t most) {
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
    print_counts(trace, trace.counters, "IPC");
    for (const KindRow &row : shown) {
        fmt::print("{:<{}} {:>10} {:>12.6f} {:>5.1f}% {:>10.3f} {:>10.3f} {:>10.3f} {:>10.3f}",
                   label_of(trace, row.kind), width, row.count, s(row.work),
                   percent(row.work, work), us(row.mean()), us(row.shortest), us(row.median),
                   us(row.longest));
        const std::optional<double> ipc = instructions_per_cycle(trace, row);
        print_counts(trace, row.counts, ipc ? fmt::format("{:.3f}", *ipc) : "");
    }
    if (rows.size() > most)
        fmt::print("and {} more: --kinds\n", rows.size() - most);
}

void print(const Trace &trace, const Figures &figures, const ReportOptions &options) {
    const std::size_t most = options.kinds.value_or(kKindsInText);
    fmt::print("ranks {}, threads {}, tasks {}, dependences {}, messages {}\n", trace.ranks,
               trace.count_threads(), figures.tasks, trace.dependences.size(),
               trace.messages.size());
    print_window(trace, figures);
    if (figures.not_recorded)
        print_not_recorded(*figures.not_recorded);
    if (!figures.window)
        print_run(trace, figures, options.threads);
    if (figures.times)
        print_times(trace, *figures.times, options.threads);
    print_stand_ins(trace, figures.window.value_or(figures.whole));
    print_efficiencies(trace, figures.efficiencies);
    print_discovery(trace, figures.discovery);
    print_deletions(figures.deletions);
    if (figures.path_wanted) {
        print_critical_path(trace, figures);
        print_graph(figures.degrees);
    }
    if (!trace.has_tasks())
        print_constructs(trace, figures.constructs, most);
    print_functions(trace, figures.functions);
    print_communication(figures);
    print_devices(trace, figures, most);
    if (trace.has_tasks())
        print_constructs(trace, figures.constructs, most);
    print_user_regions(trace, figures.user_regions, most);
    print_kinds(trace, figures.kinds, most);
}

int report(const ReportOptions &options) {
    return with_trace("report", options.folder, {}, [&](const Trace &trace) {
        const Figures figures = figures_of(trace, options);
        if (options.json)
            print_json(trace, figures, options.kinds);
        else if (options.csv)
            print_csv(trace, figures, options.kinds);
        else
            print(trace, figures, options);
        return 0;
    });
}

Action declare(CLI::App &command) {
    const auto options = std::make_shared<ReportOptions>();
    add_trace(command, options->folder);
    command.add_flag("--threads", options->threads, "Show a line for each thread");
    command
        .add_option("--kinds", options->kinds,
                    "How many kinds of tasks to show; default: 20, and all with --json or --csv")
        ->check(count());
    command
        .add_option("--from", options->from,
                    "Leave out what is before this time, s from the first task")
        ->check(not_negative());
    command
        .add_option("--to", options->to, "Leave out what is after this time, s from the first task")
        ->check(not_negative());
    CLI::Option *json = command.add_flag("--json", options->json, "Write JSON, for programs");
    command.add_flag("--csv", options->csv, "Write CSV, a line for each figure")->excludes(json);
    return with_options(options, report);
}

} // namespace

const Subcommand kReport = {"report", "Say where the time of a trace went", declare};

} // namespace loomp::cli
