// `loomp compare`: explains the difference of two makespans of one program.
#include <algorithm>
#include <cmath>
#include <exception>
#include <filesystem>
#include <fmt/core.h>
#include <map>

#include "profiler/archive/archive.h"
#include "profiler/commands/figure_text.h"
#include "profiler/commands/option_checks.h"
#include "profiler/commands/subcommand.h"
#include "profiler/commands/with_trace.h"
#include "profiler/graph/critical_path.h"
#include "profiler/metrics/communication.h"
#include "profiler/metrics/comparison.h"
#include "profiler/metrics/inflation.h"
#include "profiler/metrics/tasks.h"

namespace loomp::cli {

namespace {

using namespace analysis;

constexpr double kAlike = 0.01; ///< share of the makespan; smaller differences mean little

struct CompareOptions {
    std::string reference; ///< folder of `loomp trace`, or an archive's .otf2 file
    std::string observed;
    std::size_t kinds = 20; ///< maximum count of rows
};

std::string number(std::size_t count, const char *what) {
    return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

const char *name_of(PartOf part) {
    switch (part) {
    case PartOf::work:
        return "work";
    case PartOf::overhead:
        return "overhead";
    case PartOf::idle:
        return "idle";
    }
    return "";
}

void print_run(const char *name, const std::string &folder, const Trace &trace) {
    fmt::print("{}  {}: {}, {}, {}\n", name, folder, number(trace.ranks, "rank"),
               number(trace.count_threads(), "thread"), number(trace.count_tasks(), "task"));
}

/// A line of the table whose last column adds up to the difference of the makespans.
void print_line(const std::string &name, Time a, Time b, double share) {
    fmt::print("{:<32} {:>16.9f} {:>16.9f} {:>+16.9f} {:>+14.6f}\n", name, s(a), s(b), s(b - a),
               s(share));
}

void print_part(const Comparison &comparison, PartOf which, Time a, Time b, std::size_t most) {
    const auto share_of = [&](Time difference) {
        return static_cast<double>(difference) / static_cast<double>(comparison.observed.threads);
    };
    print_line(name_of(which), a, b, share_of(b - a));
    std::size_t shown = 0;
    ComparedPart others{which, "others"};
    for (const ComparedPart &part : comparison.parts) {
        if (part.of != which || (part.reference == 0 && part.observed == 0))
            continue;
        if (which == PartOf::work && ++shown > most) {
            others.reference += part.reference;
            others.observed += part.observed;
        } else {
            print_line("  " + in_line(part.name), part.reference, part.observed,
                       comparison.share(part));
        }
    }
    if (shown > most)
        print_line("  others: --kinds", others.reference, others.observed,
                   comparison.share(others));
}

void print_parts(const Comparison &comparison, std::size_t most) {
    const RunTime &a = comparison.reference;
    const RunTime &b = comparison.observed;
    fmt::print("\n{:<32} {:>16} {:>16} {:>16} {:>14}\n", "time of threads, s", "A", "B", "B - A",
               "of makespan");
    print_part(comparison, PartOf::work, a.time.work, b.time.work, most);
    print_part(comparison, PartOf::overhead, a.time.overhead, b.time.overhead, most);
    print_part(comparison, PartOf::idle, a.time.idle, b.time.idle, most);
    if (a.threads != b.threads)
        fmt::print("{:<32} {:>16} {:>16} {:>16} {:>+14.6f}\n",
                   fmt::format("A's time on {}, not {}", number(b.threads, "thread"), a.threads),
                   "", "", "", s(comparison.by_threads()));
    print_line("threads x makespan", a.time.total(), b.time.total(),
               static_cast<double>(b.makespan - a.makespan));
    fmt::print("{:<32} {:>16.9f} {:>16.9f} {:>+16.9f}\n", "makespan", s(a.makespan), s(b.makespan),
               s(b.makespan - a.makespan));
}

void print_ranks(const Trace &reference, const Trace &observed, const Comparison &comparison) {
    if (reference.ranks != observed.ranks) {
        fmt::print("\nA has {} and B {}: ranks are not compared one by one, and tasks and messages "
                   "only where both runs have them\n",
                   number(reference.ranks, "rank"), observed.ranks);
        return;
    }
    if (comparison.ranks.size() < 2)
        return;
    fmt::print("\n{:<32} {:>16} {:>16} {:>16} {:>16}\n", "B - A, time of threads, s", "work",
               "overhead", "idle", "sum");
    for (std::size_t rank = 0; rank < comparison.ranks.size(); ++rank) {
        const Breakdown &a = comparison.ranks[rank].reference;
        const Breakdown &b = comparison.ranks[rank].observed;
        fmt::print("{:<32} {:>+16.9f} {:>+16.9f} {:>+16.9f} {:>+16.9f}\n",
                   fmt::format("rank {}", rank), s(b.work - a.work), s(b.overhead - a.overhead),
                   s(b.idle - a.idle), s(b.total() - a.total()));
    }
}

struct Producers {
    std::size_t tasks = 0;
    Time time = 0;
    double busy = 0; ///< without the tasks that the threads ran meanwhile
};

Producers producers_of(const Trace &trace) {
    Producers sum;
    for (const Discovery &row : discovery(trace)) {
        sum.tasks += row.tasks;
        sum.time = std::max(sum.time, row.time.length());
        sum.busy += row.per_task() * static_cast<double>(row.tasks);
    }
    return sum;
}

void print_figure(const char *name, double a, double b) {
    fmt::print("{:<32} {:>16.6f} {:>16.6f} {:>+16.6f}", name, a, b, b - a);
    if (a > 0)
        fmt::print(" {:>13.3f}x", b / a);
    fmt::print("\n");
}

void print_figures(const Trace &reference, const Trace &observed) {
    const Producers a = producers_of(reference);
    const Producers b = producers_of(observed);
    fmt::print("\n{:<32} {:>16} {:>16} {:>16} {:>14}\n", "", "A", "B", "B - A", "B / A");
    print_figure("longest discovery, s", s(a.time), s(b.time));
    if (a.tasks > 0 && b.tasks > 0)
        print_figure("us a task created", a.busy / static_cast<double>(a.tasks) / 1e3,
                     b.busy / static_cast<double>(b.tasks) / 1e3);
    const auto path_a = critical_path(build_graph(reference, {.waits = true}));
    const auto path_b = critical_path(build_graph(observed, {.waits = true}));
    if (!path_a || !path_b) {
        fmt::print("no critical path: dependences of {} are a cycle\n", path_a ? "B" : "A");
        return;
    }
    print_figure("T1, s", s(path_a->work), s(path_b->work));
    print_figure("T-infinity, s", s(path_a->length), s(path_b->length));
    print_figure("average parallelism", path_a->average_parallelism(),
                 path_b->average_parallelism());
}

void print_inflation(const char *what, const Inflations &all, const std::vector<InflationOf> &rows,
                     std::size_t most) {
    if (all.pairs.empty() && all.only_reference == 0 && all.only_observed == 0)
        return;
    fmt::print("\n{:<32} {:>16} {:>16} {:>16} {:>14}\n", what, "pairs", "A, s", "B, s", "B / A");
    InflationOf sum;
    for (const InflationOf &row : rows) {
        sum.pairs += row.pairs;
        sum.reference += row.reference;
        sum.observed += row.observed;
    }
    const auto print = [](const std::string &name, const InflationOf &inflation) {
        fmt::print("{:<32} {:>16} {:>16.6f} {:>16.6f} {:>14.3f}\n", name, inflation.pairs,
                   s(inflation.reference), s(inflation.observed), inflation.ratio());
    };
    print("all", sum);
    for (const InflationOf &row : std::span(rows).first(std::min(most, rows.size())))
        print("  " + in_line(row.label), row);
    if (rows.size() > most)
        fmt::print("  and {} more: --kinds\n", rows.size() - most);
    if (all.only_reference > 0 || all.only_observed > 0)
        fmt::print("  in one run only: {} of A, {} of B\n", all.only_reference, all.only_observed);
}

struct Mpi {
    std::size_t calls = 0;
    Time time = 0;
    Time on_thread = 0;
};

void print_functions(const Trace &reference, const Trace &observed) {
    std::map<std::string, std::pair<Mpi, Mpi>> functions;
    for (const bool second : {false, true}) {
        const Trace &trace = second ? observed : reference;
        for (const FunctionRow &row : function_table(trace)) {
            auto &both = functions[label_of(trace, row.function)];
            Mpi &mpi = second ? both.second : both.first;
            mpi.calls += row.count;
            mpi.time += row.time;
            mpi.on_thread += row.on_thread;
        }
    }
    if (functions.empty())
        return;
    fmt::print("\n{:<24} {:>10} {:>10} {:>12} {:>12} {:>14} {:>14}\n", "MPI", "calls, A",
               "calls, B", "A, s", "B, s", "on thread, A", "on thread, B");
    for (const auto &[name, of] : functions)
        fmt::print("{:<24} {:>10} {:>10} {:>12.6f} {:>12.6f} {:>14.6f} {:>14.6f}\n", in_line(name),
                   of.first.calls, of.second.calls, s(of.first.time), s(of.second.time),
                   s(of.first.on_thread), s(of.second.on_thread));
}

void print_sentence(const Comparison &comparison) {
    const double difference =
        static_cast<double>(comparison.observed.makespan - comparison.reference.makespan);
    const double relative = comparison.reference.makespan == 0
                                ? 0
                                : difference / static_cast<double>(comparison.reference.makespan);
    std::string line =
        std::abs(relative) < kAlike
            ? fmt::format("B and A take as long within {:.0f} %", 100 * kAlike)
            : fmt::format("B takes {:.6f} s ({:.1f} %) {} than A", s(std::abs(difference)),
                          100 * std::abs(relative), difference < 0 ? "less" : "more");
    if (comparison.observed.threads != comparison.reference.threads)
        line += fmt::format(", {:.6f} s {} than if its threads did as well as A's",
                            s(std::abs(comparison.by_parts())),
                            comparison.by_parts() < 0 ? "less" : "more");
    const ComparedPart *most = comparison.most();
    if (most != nullptr)
        line += fmt::format("; what differs most: {} {}, {:+.6f} s of the makespan",
                            name_of(most->of), in_line(most->name), s(comparison.share(*most)));
    fmt::print("\n{}.\n", line);
}

Trace read(const char *name, const std::string &folder, const std::filesystem::path &archive) {
    Trace trace = read_archive(archive);
    for (const std::string &problem : trace.problems)
        fmt::print(stderr, "loomp: compare: {}: {}\n", folder, problem);
    print_run(name, folder, trace);
    return trace;
}

int compare(const CompareOptions &options) {
    const auto first = find_archive("compare", options.reference);
    const auto second = first.empty() ? first : find_archive("compare", options.observed);
    if (first.empty() || second.empty())
        return kFailure;
    try {
        const Trace reference = read("A", options.reference, first);
        const Trace observed = read("B", options.observed, second);
        const Comparison found = analysis::compare(reference, observed);
        if (found.reference.makespan == 0 || found.observed.makespan == 0) {
            fmt::print(stderr, "loomp: compare: no task ran in {}: there is nothing to compare\n",
                       found.reference.makespan == 0 ? options.reference : options.observed);
            return kFailure;
        }
        print_parts(found, options.kinds);
        print_ranks(reference, observed, found);
        print_figures(reference, observed);
        const Inflations work = work_inflation(reference, observed);
        if (work.pairs.size() < work.only_reference + work.only_observed)
            fmt::print(stderr,
                       "loomp: compare: {} tasks are in both runs, {} in one only: if these are "
                       "not runs of one program with one input, the figures mean little\n",
                       work.pairs.size(), work.only_reference + work.only_observed);
        print_inflation("work: code of the same tasks", work, by_kind(reference, work),
                        options.kinds);
        const Inflations messages = communication_inflation(reference, observed);
        print_inflation("the same messages in flight", messages, by_function(reference, messages),
                        options.kinds);
        print_functions(reference, observed);
        print_sentence(found);
    } catch (const std::exception &problem) {
        fmt::print(stderr, "loomp: compare: {}\n", reason_of(problem));
        return kFailure;
    }
    return 0;
}

Action declare_compare(CLI::App &command) {
    const auto options = std::make_shared<CompareOptions>();
    command.add_option("A", options->reference, "Trace to compare with")->required();
    command.add_option("B", options->observed, "Trace of which the difference is explained")
        ->required();
    command.add_option("--kinds", options->kinds, "How many kinds of tasks to show")
        ->check(count())
        ->capture_default_str();
    return with_options(options, compare);
}

} // namespace

const Subcommand kCompare = {"compare", "Say what differs between two traces of a program",
                             declare_compare};

} // namespace loomp::cli
