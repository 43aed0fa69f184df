// `loomp simulate`: predicts a trace's program on other threads and another network.
#include <algorithm>
#include <charconv>
#include <cmath>
#include <fmt/core.h>
#include <utility>
#include <vector>

#include "profiler/commands/deadlock.h"
#include "profiler/commands/figure_text.h"
#include "profiler/commands/option_checks.h"
#include "profiler/commands/subcommand.h"
#include "profiler/commands/with_trace.h"
#include "profiler/metrics/breakdown.h"
#include "profiler/metrics/communication.h"
#include "profiler/simulation/contention.h"
#include "profiler/simulation/kind_code.h"
#include "profiler/simulation/ranks.h"
#include "profiler/simulation/simulation.h"
#include "profiler/trace/cpu_clock.h"

namespace loomp::cli {

namespace {

using namespace analysis;

struct SimulateOptions {
    std::string folder; ///< folder of `loomp trace`, or an archive's .otf2 file
    std::string ranks;  ///< a number, or a grid such as 4x4x4; empty: as recorded
    std::vector<std::string> scaling_from; ///< traces of runs on other numbers of ranks
    std::string scaling;                   ///< instead: "weak" or "strong"
    std::optional<int> threads;            ///< threads of each rank; nothing: as recorded
    std::string scheduler = "recorded";
    std::optional<double> overhead;  ///< a task's overhead, us; nothing: as recorded
    std::optional<double> latency;   ///< us; nothing: messages take as long as recorded
    std::optional<double> bandwidth; ///< GB/s
    bool blocking_mpi = false;       ///< MPI calls hold their threads
    bool suspending_mpi = false;
    std::string inflation_from; ///< another trace, or empty
    std::string code_from;      ///< likewise
    bool at_once = false;       ///< new tasks run where they are created
    bool ahead = false;         ///< they do not, not even with one thread
};

constexpr unsigned kMostRanks = 65'536;
constexpr unsigned kMostThreadsOfRank = 65'536;
constexpr std::size_t kMostThreads = std::size_t{1} << 22;
constexpr double kLongestUs = 1e8; ///< sums of such times over all tasks do not overflow

/// The sides of a grid of ranks: one to three numbers, with an x between two. Empty: it is none.
std::vector<Index> sides_of(const std::string &text) {
    std::vector<Index> sides;
    std::size_t product = 1;
    for (const char *at = text.data(), *const end = at + text.size();; ++at) {
        Index side = 0;
        const auto [after, error] = std::from_chars(at, end, side);
        if (error != std::errc() || side == 0 || side > kMostRanks || sides.size() == 3)
            return {};
        sides.push_back(side);
        product *= side;
        if (after == end)
            break;
        if (*after != 'x')
            return {};
        at = after;
    }
    return product > kMostRanks ? std::vector<Index>() : sides;
}

std::string check_ranks(const std::string &text) {
    if (!sides_of(text).empty())
        return {};
    return fmt::format("'{}' is no number of ranks from 1 to {}, and no grid of so many", text,
                       kMostRanks);
}

Time from_us(double us) { return std::llround(us * 1e3); }

/// The threads of the rank that has most.
Index recorded_threads(const Trace &trace) {
    const std::vector<std::size_t> of_ranks = trace.count_threads_of_ranks();
    return of_ranks.empty()
               ? 1
               : static_cast<Index>(*std::max_element(of_ranks.begin(), of_ranks.end()));
}

SimulationOptions options_of(const SimulateOptions &told, const Trace &trace) {
    SimulationOptions options;
    options.threads = told.threads ? static_cast<Index>(*told.threads) : recorded_threads(trace);
    options.order = told.scheduler == "lifo"            ? Order::lifo
                    : told.scheduler == "critical-path" ? Order::critical_path
                    : told.scheduler == "fifo"          ? Order::fifo
                    : told.scheduler == "sends"         ? Order::sends
                    : told.scheduler == "early-sends"   ? Order::early_sends
                                                        : Order::recorded;
    if (told.at_once || told.ahead)
        options.at_once = told.at_once;
    if (told.blocking_mpi || told.suspending_mpi)
        options.suspends = told.suspending_mpi;
    if (told.overhead)
        options.task_overhead = from_us(*told.overhead);
    if (told.latency || told.bandwidth)
        options.network =
            Network{from_us(told.latency.value_or(0)), told.bandwidth.value_or(0) * 1e9};
    return options;
}

void print_row(const std::string &name, const SimulatedRank &rank) {
    fmt::print("{:<22} {:>14.6f} {:>14.6f} {:>14.6f} {:>14.6f}\n", name, s(rank.work),
               s(rank.creating), s(rank.overhead), s(rank.idle));
}

/// The figures of `loomp report` (docs/metrics.md): means over all ranks, and the overlap of all
/// messages.
void print_communication(const Simulation &found, Index threads) {
    struct Ratios {
        double comm = 0, in_flight = 0, act = 0, overlap = 0;
    };
    const auto print_ratios = [](const std::string &name, const Ratios &ratios) {
        fmt::print("{:<22} {:>14.3f} {:>16.3f} {:>14.3f} {:>14.3f}\n", name, ratios.comm,
                   ratios.in_flight, ratios.act, ratios.overlap);
    };
    const auto share = [&](Time time) {
        return static_cast<double>(time) / static_cast<double>(found.makespan);
    };
    std::vector<Ratios> ratios;
    Ratios mean;
    Overlap all{.threads = threads};
    const auto ranks = static_cast<double>(found.ranks.size());
    for (const SimulatedRank &rank : found.ranks) {
        ratios.push_back({share(rank.communicating), share(rank.in_flight),
                          share(rank.work - rank.calls) / static_cast<double>(threads),
                          rank.messages.ratio()});
        all.work += rank.messages.work;
        all.communication += rank.messages.communication;
        mean.comm += ratios.back().comm / ranks;
        mean.in_flight += ratios.back().in_flight / ranks;
        mean.act += ratios.back().act / ranks;
    }
    mean.overlap = all.ratio();
    fmt::print("{:<22} {:>14} {:>16} {:>14} {:>14}\n", "communication", "r_comm",
               "r_comm_in_flight", "r_act", "overlap");
    print_ratios("all", mean);
    for (std::size_t rank = 0; ratios.size() > 1 && rank < ratios.size(); ++rank)
        print_ratios(fmt::format("rank {}", rank), ratios[rank]);
}

/// A simulation whose tasks do not end has no figures.
int tell_deadlock(const Trace &trace, const Program &program, const Simulation &found,
                  const SimulationOptions &options) {
    constexpr std::size_t kMostLines = 6;
    const bool suspends = options.suspends.value_or(program.suspends);
    fmt::print(
        stderr,
        "loomp: simulate: a deadlock on {} x {} threads: {} tasks never end, since MPI calls "
        "hold threads until what gets none has come{}:\n",
        trace.ranks, options.threads, found.unfinished,
        suspends ? "" : "; with --suspending-mpi they do not");
    for (const std::string &line : explain_deadlock(trace, program, found, kMostLines))
        fmt::print(stderr, "loomp: simulate:   {}\n", line);
    return kFailure;
}

/// Has `learn` learn from another trace, if one is named. Returns the exit status.
template <class Learnt, class Learn>
int learn_from(const std::string &named, const char *what, const char *needs,
               std::optional<Learnt> &learnt, const Learn &learn) {
    if (named.empty())
        return 0;
    return with_trace("simulate", named, {}, [&](const Trace &other) {
        learnt = learn(other);
        if (!learnt)
            fmt::print(stderr, "loomp: simulate: {} tells nothing of {}: it needs {}\n", named,
                       what, needs);
        return learnt ? 0 : kFailure;
    });
}

/// `trace` is simulated. `recorded_as` is the trace that it was made from, or `trace` itself.
int print(const Trace &trace, const Trace &recorded_as, Program program,
          const SimulateOptions &told) {
    const SimulationOptions options = options_of(told, trace);
    if (std::size_t{trace.ranks} * options.threads > kMostThreads) {
        fmt::print(stderr, "loomp: simulate: {} ranks of {} threads: {} threads are the most\n",
                   trace.ranks, options.threads, kMostThreads);
        return kFailure;
    }
    std::optional<CodeFactors> code;
    if (const int failed =
            learn_from(told.code_from, "code", "tasks of the same kinds", code,
                       [&](const Trace &other) { return learn_code(recorded_as, other); }))
        return failed;
    if (code)
        program = with_code(trace, std::move(program), *code);
    std::optional<Contention> contention;
    if (const int failed =
            learn_from(told.inflation_from, "inflation",
                       "tasks of the same kinds on another number of busy threads", contention,
                       [&](const Trace &other) { return learn_contention(trace, other); }))
        return failed;
    const Contended contended = contention
                                    ? analysis::simulate(trace, program, options, *contention)
                                    : Contended{analysis::simulate(trace, program, options), 0};
    const Simulation &found = contended.simulation;
    if (!found.held.empty())
        return tell_deadlock(trace, program, found, options);
    if (found.makespan == 0) {
        fmt::print(stderr, "loomp: simulate: no task ends: the trace lacks what they wait for\n");
        return kFailure;
    }
    const Time recorded = recorded_as.makespan().length();
    fmt::print("{:<22} {} x {}, {}, {:.3f} us to start a task, MPI calls {}\n", "ranks x threads",
               trace.ranks, options.threads, told.scheduler,
               static_cast<double>(options.task_overhead.value_or(program.delays.mean)) / 1e3,
               options.suspends.value_or(program.suspends) ? "suspend tasks" : "hold threads");
    if (has_cpu_clocks(trace))
        fmt::print("{:<22} by the threads' CPU clocks{}\n", "code",
                   options.network ? "" : "; messages as the fastest of their size");
    fmt::print("{:<22} {:>14.6f} s\n{:<22} {:>14.6f} s on {} x {}\n", "makespan, simulated",
               s(found.makespan), "makespan, recorded", s(recorded), recorded_as.ranks,
               recorded_threads(recorded_as));
    if (recorded > 0)
        fmt::print("{:<22} {:>14.3f}\n", "simulated / recorded",
                   static_cast<double>(found.makespan) / static_cast<double>(recorded));
    if (code)
        fmt::print("{:<22} {:>14.3f}, in all\n", "code, of recorded", code->of_all);
    if (contention)
        fmt::print("{:<22} {:>14.3f}, recorded {:.3f}\n", "busy threads a host", contended.busy,
                   contention->busy);
    if (found.unfinished > 0)
        fmt::print("{} tasks never end: the trace lacks what they wait for\n", found.unfinished);
    fmt::print("\n{:<22} {:>14} {:>14} {:>14} {:>14}\n", "time of threads, s", "work", "creating",
               "overhead", "idle");
    SimulatedRank all;
    for (const SimulatedRank &rank : found.ranks) {
        all.work += rank.work;
        all.creating += rank.creating;
        all.overhead += rank.overhead;
        all.idle += rank.idle;
    }
    print_row("all", all);
    for (std::size_t rank = 0; found.ranks.size() > 1 && rank < found.ranks.size(); ++rank)
        print_row(fmt::format("rank {}", rank), found.ranks[rank]);
    const Breakdown was = break_down(recorded_as).total();
    fmt::print("{:<22} {:>14.6f} {:>14} {:>14.6f} {:>14.6f}\n", "recorded", s(was.work), "",
               s(was.overhead), s(was.idle));
    if (!trace.requests.empty()) {
        fmt::print("\n{:<22} {:>14}, {} collectives\n", "messages", trace.messages.size(),
                   trace.collectives.size());
        print_communication(found, options.threads);
    }
    return 0;
}

void print_scaling(const Trace &trace, const Scaling &scaling) {
    std::size_t width = 22;
    for (std::size_t kind = 0; kind < scaling.exponents.size(); ++kind)
        if (scaling.exponents[kind] != 0)
            width = std::max(width, in_line(trace.kinds[kind].label).size());
    for (std::size_t kind = 0; kind < scaling.exponents.size(); ++kind)
        if (scaling.exponents[kind] != 0)
            fmt::print("{:<{}} takes (ranks / {})^{:.2f} of its time\n",
                       in_line(trace.kinds[kind].label), width, trace.ranks,
                       scaling.exponents[kind]);
}

/// Predicts another number of ranks from several traces.
int simulate_ranks(std::vector<const Trace *> traces, const SimulateOptions &told) {
    const auto fewer = [](const Trace *a, const Trace *b) { return a->ranks < b->ranks; };
    const auto as_many = [](const Trace *a, const Trace *b) { return a->ranks == b->ranks; };
    std::sort(traces.begin(), traces.end(), fewer);
    const auto refuse = [](const std::string &reason) {
        fmt::print(stderr, "loomp: simulate: no other number of ranks: {}\n", reason);
        return kFailure;
    };
    if (std::adjacent_find(traces.begin(), traces.end(), as_many) != traces.end())
        return refuse(
            fmt::format("two of the traces have as many ranks, {}",
                        (*std::adjacent_find(traces.begin(), traces.end(), as_many))->ranks));
    const Trace &largest = *traces.back();
    const Scaling scaling = told.scaling.empty()
                                ? learn_scaling(traces)
                                : told_scaling(largest, told.scaling == "weak" ? 0 : -1);
    if (!scaling.holds())
        return refuse(scaling.reason);
    const std::vector<Index> sides = sides_of(told.ranks);
    const Resized resized =
        sides.size() == 1
            ? with_ranks(largest, sides[0])
            : with_ranks(largest, Sides{{sides[0], sides[1], sides.size() > 2 ? sides[2] : 1}});
    if (!resized.trace)
        return refuse(resized.reason);
    if (told.scaling.empty())
        print_scaling(largest, scaling);
    if (resized.made.along[1] > 1)
        fmt::print("{:<22} {}, from {}\n", "grid of ranks", resized.made.text(),
                   resized.recorded.text());
    return print(*resized.trace, largest, make_resized_program(largest, *resized.trace, scaling),
                 told);
}

/// Reads the traces from the `next`th of --scaling-from on, in addition to those that were read.
int with_others(std::vector<const Trace *> traces, std::size_t next, const SimulateOptions &told) {
    if (next == told.scaling_from.size())
        return simulate_ranks(std::move(traces), told);
    return with_trace("simulate", told.scaling_from[next], {}, [&](const Trace &other) {
        traces.push_back(&other);
        return with_others(traces, next + 1, told);
    });
}

int simulate(const SimulateOptions &options) {
    if (!options.ranks.empty() && options.scaling.empty() && options.scaling_from.empty()) {
        fmt::print(stderr, "loomp: simulate: --ranks needs --scaling weak or strong, or "
                           "--scaling-from DIR, a trace of another number of ranks\n");
        return kFailure;
    }
    return with_trace("simulate", options.folder, {}, [&](const Trace &trace) {
        if (trace.makespan().length() == 0) {
            fmt::print(stderr, "loomp: simulate: no task ran in {}\n", options.folder);
            return kFailure;
        }
        if (!options.ranks.empty())
            return with_others({&trace}, 0, options);
        return print(trace, trace, make_program(trace), options);
    });
}

Action declare_simulate(CLI::App &command) {
    const auto options = std::make_shared<SimulateOptions>();
    add_trace(command, options->folder);
    command
        .add_option("-t,--threads", options->threads,
                    "Number of threads of each rank; default: as recorded")
        ->check(count_of("threads", kMostThreadsOfRank));
    CLI::Option *ranks =
        command
            .add_option("--ranks", options->ranks,
                        "How many ranks, or a grid of them such as 4x4x4; default: as recorded")
            ->check(CLI::Validator(check_ranks, ""));
    CLI::Option *scaling =
        command
            .add_option("--scaling-from", options->scaling_from,
                        "One or two traces of the program on other numbers of ranks, to learn what "
                        "changes with it")
            ->delimiter(',')
            ->allow_extra_args(false)
            ->needs(ranks);
    command
        .add_option("--scaling", options->scaling,
                    "Instead of traces to learn from: weak, where a task takes as long on any "
                    "number of ranks; strong, where it takes so many times less")
        ->check(CLI::IsMember({"weak", "strong"}))
        ->needs(ranks)
        ->excludes(scaling);
    command.add_option("--scheduler", options->scheduler, "Which ready task runs first")
        ->check(
            CLI::IsMember({"recorded", "fifo", "lifo", "critical-path", "sends", "early-sends"}))
        ->capture_default_str();
    command
        .add_option("--task-overhead", options->overhead,
                    "Time to start a task, us; default: as measured in the trace")
        ->check(between(0, kLongestUs, "us"));
    command
        .add_option("--latency", options->latency,
                    "Latency of messages, us; default: messages take as long as in the trace")
        ->check(between(0, kLongestUs, "us"));
    command.add_option("--bandwidth", options->bandwidth, "Bandwidth of messages, GB/s")
        ->check(between(1e-6, 1e9, "GB/s"));
    command.add_option("--code-from", options->code_from,
                       "Trace of tasks of the same size whose ranks had processors of their own: "
                       "each kind's code takes as long as there");
    command.add_option("--inflation-from", options->inflation_from,
                       "Trace of tasks of the same size on another number of threads, to learn how "
                       "much longer tasks take when more threads are busy");
    CLI::Option *blocking =
        command.add_flag("--blocking-mpi", options->blocking_mpi, "MPI calls hold their threads");
    command.add_flag("--suspending-mpi", options->suspending_mpi, "MPI calls suspend their tasks")
        ->excludes(blocking);
    CLI::Option *ahead = command.add_flag("--create-ahead", options->ahead,
                                          "Creators queue new tasks; default: unless one thread");
    command.add_flag("--run-at-once", options->at_once, "Creators run new tasks that are ready")
        ->excludes(ahead);
    return with_options(options, simulate);
}

} // namespace

const Subcommand kSimulate = {
    "simulate",
    "Predict how long the traced program would take with other threads or another network",
    declare_simulate};

} // namespace loomp::cli
