// The `loomp` command.
#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstdint>
#include <limits>

#include <CLI/CLI.hpp>
#include <fmt/core.h>
#include <fmt/ranges.h>

#include "cli/compare.h"
#include "cli/export.h"
#include "cli/gdb.h"
#include "cli/info.h"
#include "cli/lint.h"
#include "cli/process.h"
#include "cli/python.h"
#include "cli/report.h"
#include "cli/run.h"
#include "cli/simulate.h"
#include "cli/trace.h"
#include "cli/view.h"
#include "record/detail.h"
#include "record/format.h"
#include "text/near_name.h"

namespace {

constexpr int kUsage = 2;

using Words = std::vector<std::string>;

/// Moves the first `--` and what follows it out of `arguments`.
Words split_at_dashes(Words &arguments) {
    const auto dashes = std::find(arguments.begin(), arguments.end(), "--");
    Words after(dashes, arguments.end());
    arguments.erase(dashes, arguments.end());
    return after;
}

/// The program and its arguments. `rest` is what the parser of `command` left, `from_dashes` begins
/// with the first `--`: that one is ours if no program comes before it, otherwise the program's.
/// Empty, after one line on stderr, when there is no program.
Words take_command(const std::string &command, Words rest, Words from_dashes) {
    if (!rest.empty() && rest.front().starts_with('-')) {
        fmt::print(stderr, "loomp: {}: unknown option {}: loomp {} --help lists them\n", command,
                   rest.front(), command);
        return {};
    }
    if (rest.empty() && !from_dashes.empty())
        from_dashes.erase(from_dashes.begin());
    rest.insert(rest.end(), from_dashes.begin(), from_dashes.end());
    if (rest.empty() || rest.front().empty()) {
        fmt::print(stderr, "loomp: {}: no program given: loomp {} ./app args\n", command, command);
        return {};
    }
    return rest;
}

std::string positive_number(const std::string &text) {
    int value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error == std::errc() && end == text.data() + text.size() && value > 0)
        return {};
    return fmt::format("'{}' is no number of threads: 1 or more is needed", text);
}

/// Makes bytes of a size such as 64M.
std::string size_to_keep(std::string &text) {
    constexpr std::string_view units = "KMGT";
    std::uint64_t size = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), size);
    std::string_view unit(end, static_cast<std::size_t>(text.data() + text.size() - end));
    unsigned shift = 0;
    if (!unit.empty()) {
        const auto known = units.find(static_cast<char>(std::toupper(unit.front())));
        shift = known == std::string_view::npos ? 0 : 10 * (static_cast<unsigned>(known) + 1);
        unit.remove_prefix(shift == 0 ? 0 : 1);
    }
    if (error != std::errc() || !(unit.empty() || unit == "B" || unit == "iB") ||
        size > (std::numeric_limits<std::uint64_t>::max() >> shift))
        return fmt::format("'{}' is no size such as 64M", text);
    size <<= shift;
    if (size < 2 * loomp::record::kPieceSize)
        return fmt::format("{} are too few bytes to keep: 2M is the least", text);
    text = std::to_string(size);
    return {};
}

/// Whether `text` is a number from `low` on, or above it; `expected` says it in words.
CLI::Validator number(double low, bool above, double high, const std::string &expected) {
    return {[=](const std::string &text) -> std::string {
                double value = 0;
                const auto [end, error] =
                    std::from_chars(text.data(), text.data() + text.size(), value);
                const bool whole = error == std::errc() && end == text.data() + text.size();
                if (whole && (above ? value > low : value >= low) && value <= high)
                    return {};
                return fmt::format("'{}' is not {}", text, expected);
            },
            ""};
}

constexpr double kLargest = std::numeric_limits<double>::max();
CLI::Validator not_negative() { return number(0, false, kLargest, "a number of at least 0"); }
CLI::Validator positive() { return number(0, true, kLargest, "a number above 0"); }

CLI::Validator count() {
    return {[](const std::string &text) -> std::string {
                std::size_t value = 0;
                const auto [end, error] =
                    std::from_chars(text.data(), text.data() + text.size(), value);
                if (error == std::errc() && end == text.data() + text.size())
                    return {};
                return fmt::format("'{}' is not a whole number of at least 0", text);
            },
            ""};
}

/// Whether a first word is a command; else says what may have been meant.
bool is_command(const CLI::App &app, const std::string &word) {
    std::vector<std::string> names;
    for (const CLI::App *command : app.get_subcommands({}))
        names.push_back(command->get_name());
    if (std::find(names.begin(), names.end(), word) != names.end())
        return true;
    const std::string_view meant = loomp::text::nearest_name(word, names);
    if (!meant.empty())
        fmt::print(stderr, "loomp: there is no command {}; did you mean loomp {}?\n", word, meant);
    else if (loomp::cli::find_program(word))
        fmt::print(stderr, "loomp: there is no command {}; did you mean loomp run {}?\n", word,
                   word);
    else
        fmt::print(stderr, "loomp: there is no command {}: {}\n", word, fmt::join(names, ", "));
    return false;
}

std::string names_of_details(const std::string &text) {
    std::string_view wrong;
    if (loomp::record::details_of(text, wrong) != 0)
        return {};
    return fmt::format("'{}' is none of {}", wrong, loomp::record::kDetailHelp);
}

void add_run_options(CLI::App &command, loomp::cli::RunOptions &options) {
    command.add_option("-t,--threads", options.threads, "Set OMP_NUM_THREADS")
        ->check(positive_number);
    command.add_flag(
        "--preload", options.preload,
        "Load libloomp ahead of all libraries, for programs that bring a runtime along");
    command.add_flag("--plain-mpi", options.plain_mpi,
                     "Leave MPI calls as they are: a blocking call in a task holds its thread");
    command.add_flag("-q,--quiet", options.quiet, "Do not examine the program before it starts");
    command.prefix_command();
}

void add_simulate_options(CLI::App &command, loomp::cli::SimulateOptions &options) {
    command.add_option("trace", options.folder, "Folder of loomp trace, or an OTF2 archive")
        ->required();
    command
        .add_option("-t,--threads", options.threads,
                    "Number of threads of each rank; default: as recorded")
        ->check(positive_number);
    CLI::Option *ranks =
        command.add_option("--ranks", options.ranks, "How many ranks; default: as recorded")
            ->check(positive_number);
    CLI::Option *scaling =
        command
            .add_option("--scaling-from", options.scaling_from,
                        "One or two traces of the program on other numbers of ranks, to learn what "
                        "changes with it")
            ->delimiter(',')
            ->allow_extra_args(false)
            ->needs(ranks);
    command
        .add_option("--scaling", options.scaling,
                    "Instead of traces to learn from: weak, where a task takes as long on any "
                    "number of ranks; strong, where it takes so many times less")
        ->check(CLI::IsMember({"weak", "strong"}))
        ->needs(ranks)
        ->excludes(scaling);
    command.add_option("--scheduler", options.scheduler, "Which ready task runs first")
        ->check(CLI::IsMember({"recorded", "fifo", "lifo", "critical-path"}))
        ->capture_default_str();
    command
        .add_option("--task-overhead", options.overhead,
                    "Time to start a task, us; default: as measured in the trace")
        ->check(not_negative());
    command
        .add_option("--latency", options.latency,
                    "Latency of messages, us; default: messages take as long as in the trace")
        ->check(not_negative());
    command.add_option("--bandwidth", options.bandwidth, "Bandwidth of messages, GB/s")
        ->check(positive());
    command.add_option("--inflation-from", options.inflation_from,
                       "Trace of tasks of the same size on another number of threads, to learn how "
                       "much longer tasks take when more threads are busy");
    CLI::Option *blocking =
        command.add_flag("--blocking-mpi", options.blocking_mpi, "MPI calls hold their threads");
    command.add_flag("--suspending-mpi", options.suspending_mpi, "MPI calls suspend their tasks")
        ->excludes(blocking);
    CLI::Option *ahead = command.add_flag("--create-ahead", options.ahead,
                                          "Creators queue new tasks; default: unless one thread");
    command.add_flag("--run-at-once", options.at_once, "Creators run new tasks that are ready")
        ->excludes(ahead);
}

} // namespace

int main(int argc, char **argv) {
    CLI::App app("Runs OpenMP programs, unmodified, on the loomp runtime; records what they do.",
                 "loomp");
    app.set_version_flag("--version", "loomp " LOOMP_VERSION);
    app.require_subcommand(1);

    loomp::cli::RunOptions options;
    CLI::App *run = app.add_subcommand("run", "Run a program on loomp: loomp run ./app args");
    add_run_options(*run, options);

    loomp::cli::TraceOptions traced;
    traced.folder = "loomp-trace";
    CLI::App *trace = app.add_subcommand(
        "trace", "Run a program and record its tasks: loomp trace -o DIR ./app args");
    trace->add_option("-o,--output", traced.folder, "Folder for the trace")->capture_default_str();
    trace->add_flag("--stock", traced.stock, "Leave the program's OpenMP runtime as it is");
    trace
        ->add_option("--detail", traced.detail,
                     "What to record besides tasks: names of "
                     "dependences,calls,messages,waits,regions,devices,deletions; default: all but "
                     "deletions")
        ->check(names_of_details);
    trace
        ->add_option("--last", traced.last,
                     "Keep only the last records of each thread, in so many bytes, such as 64M")
        ->transform(CLI::Validator(size_to_keep, ""));
    trace->add_option(
        "--counters", traced.counters,
        "What to count in each task, by PAPI's names, such as PAPI_TOT_INS,PAPI_TOT_CYC");
    trace->add_flag("--cpu-time", traced.cpu_time,
                    "Record the threads' CPU clocks: what code takes in loomp simulate where "
                    "threads shared cores");
    trace->add_flag("--paused", traced.paused,
                    "Begin to record at the program's first loomp_record_start()");
    add_run_options(*trace, traced.run);

    loomp::cli::ReportOptions reported;
    CLI::App *report = app.add_subcommand("report", "Say where the time of a trace went");
    report->add_option("trace", reported.folder, "Folder of loomp trace, or an OTF2 archive")
        ->required();
    report->add_flag("--threads", reported.threads, "Show a line for each thread");
    report
        ->add_option("--kinds", reported.kinds,
                     "How many kinds of tasks to show; default: 20, and all with --json or --csv")
        ->check(count());
    report
        ->add_option("--from", reported.from,
                     "Leave out what is before this time, s from the first task")
        ->check(not_negative());
    report
        ->add_option("--to", reported.to,
                     "Leave out what is after this time, s from the first task")
        ->check(not_negative());
    CLI::Option *json = report->add_flag("--json", reported.json, "Write JSON, for programs");
    report->add_flag("--csv", reported.csv, "Write CSV, a line for each figure")->excludes(json);

    loomp::cli::CompareOptions compared;
    CLI::App *compare =
        app.add_subcommand("compare", "Say what differs between two traces of a program");
    compare->add_option("A", compared.reference, "Trace to compare with")->required();
    compare->add_option("B", compared.observed, "Trace of which the difference is explained")
        ->required();
    compare->add_option("--kinds", compared.kinds, "How many kinds of tasks to show")
        ->check(count())
        ->capture_default_str();

    loomp::cli::LintOptions linted;
    CLI::App *lint = app.add_subcommand(
        "lint", "List likely faults of the traced program, with the time that each costs");
    lint->add_option("trace", linted.folder, "Folder of loomp trace, or an OTF2 archive")
        ->required();
    lint->add_flag("--all", linted.all,
                   "Show findings that would gain less than 0.1 % of the makespan, too");

    loomp::cli::SimulateOptions simulated;
    CLI::App *simulate = app.add_subcommand(
        "simulate",
        "Predict how long the traced program would take with other threads or another network");
    add_simulate_options(*simulate, simulated);

    loomp::cli::ExportOptions exported;
    CLI::App *as = app.add_subcommand("export", "Write a trace for another program to read");
    as->add_option("trace", exported.folder, "Folder of loomp trace, or an OTF2 archive")
        ->required();
    as->add_option("-o,--output", exported.file,
                   "File: .json for Perfetto and Chrome, .dot for the graph of tasks")
        ->required();

    loomp::cli::ViewOptions viewed;
    viewed.file = "trace.html";
    CLI::App *page =
        app.add_subcommand("view", "Make a page that shows a trace: loomp view TRACE -o FILE.html");
    page->add_option("trace", viewed.folder, "Folder of loomp trace, or an OTF2 archive")
        ->required();
    page->add_option("-o,--output", viewed.file, "File for the page; -: stdout")
        ->capture_default_str();

    bool verbose = false;
    CLI::App *info = app.add_subcommand("info", "Show the machine, the ABIs and all settings");
    info->add_flag("-v,--verbose", verbose, "Say what each setting means");
    std::string process;
    info->add_option("-p,--process", process,
                     "Say which OpenMP runtimes the process of this number has instead");

    const CLI::App *python = app.add_subcommand(
        "python", "Start the Python that has the package loomp: loomp python script.py");

    const CLI::App *gdb = app.add_subcommand(
        "gdb", "Start gdb with commands for suspended tasks: loomp gdb -p PID, loomp gdb APP CORE");

    Words arguments(argv + 1, argv + argc);
    const Words from_dashes = split_at_dashes(arguments);
    // What follows is the other program's.
    for (const CLI::App *other : {python, gdb})
        if (!arguments.empty() && arguments.front() == other->get_name()) {
            arguments.insert(arguments.end(), from_dashes.begin(), from_dashes.end());
            return other == python ? loomp::cli::python(arguments) : loomp::cli::gdb(arguments);
        }
    if (!arguments.empty() && !arguments.front().starts_with('-') &&
        !is_command(app, arguments.front()))
        return kUsage;
    // CLI11 takes them last first.
    std::reverse(arguments.begin(), arguments.end());
    try {
        app.parse(arguments);
    } catch (const CLI::ParseError &error) {
        if (error.get_exit_code() == 0)
            return app.exit(error);
        fmt::print(stderr, "loomp: {}: loomp --help shows how\n", error.what());
        return kUsage;
    }
    if (*info)
        return process.empty() ? loomp::cli::info(verbose) : loomp::cli::show_runtimes_of(process);
    if (*as)
        return loomp::cli::export_trace(exported);
    if (*lint)
        return loomp::cli::lint(linted);
    if (*simulate)
        return loomp::cli::simulate(simulated);
    if (*compare)
        return loomp::cli::compare(compared);
    if (*page)
        return loomp::cli::view(viewed);
    if (*report)
        return loomp::cli::report(reported);
    if (*trace) {
        traced.run.command = take_command("trace", trace->remaining(), from_dashes);
        return traced.run.command.empty() ? kUsage : loomp::cli::trace(traced);
    }
    options.command = take_command("run", run->remaining(), from_dashes);
    return options.command.empty() ? kUsage : loomp::cli::run(options);
}
