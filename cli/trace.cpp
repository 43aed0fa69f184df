// `loomp trace`: runs a program on loomp or on its own OpenMP runtime, and records it.
#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <fmt/core.h>
#include <fstream>
#include <unistd.h>

#include "cli/commands.h"
#include "cli/launch.h"
#include "cli/run.h"
#include "cli/tree.h"
#include "profiler/commands/option_checks.h"
#include "profiler/commands/with_trace.h"
#include "profiler/format/format.h"

namespace loomp::cli {

namespace fs = std::filesystem;

namespace {

/// Takes the folder for this launch. The folder must be new, or taken by another process of the
/// launch. Ranks do this concurrently: the first to link its file gets it.
bool take_folder(const fs::path &folder) {
    std::error_code error;
    fs::create_directories(folder, error);
    if (error) {
        fmt::print(stderr, "loomp: trace: cannot make the folder {}: {}\n", folder.string(),
                   error.message());
        return false;
    }
    const fs::path owner = folder / "launch";
    const fs::path mine = folder / fmt::format("launch-{}", getpid());
    const std::string who = launch().empty() ? fmt::format("process {}", getpid()) : launch();
    const auto cannot = [&] {
        fmt::print(stderr, "loomp: trace: cannot write in {}: {}\n", folder.string(),
                   std::strerror(errno));
        return false;
    };
    if (!(std::ofstream(mine) << who << std::flush))
        return cannot();
    const bool taken = link(mine.c_str(), owner.c_str()) == 0;
    const int why = errno;
    fs::remove(mine, error);
    if (taken)
        return true;
    errno = why;
    if (why != EEXIST)
        return cannot();
    std::string other;
    std::ifstream file(owner);
    std::getline(file, other);
    if (other == who)
        return true;
    fmt::print(stderr,
               "loomp: trace: {} has a recording already: name another folder with -o, or remove "
               "it\n",
               folder.string());
    return false;
}

/// A library next to libloomp.so; empty if it is missing.
fs::path library(const std::string &name) {
    const auto tree = find_tree();
    std::error_code error;
    fs::path path = tree ? tree->library.parent_path() / name : "";
    return fs::exists(path, error) ? path : "";
}

/// Loads the recorders: the runtime loads that of OpenMP, and that of MPI comes before all
/// libraries. If the program loads MPI while it runs, the MPI recorder is loaded then, before the
/// layer if `layered`.
bool load_recorders(Mpi mpi, bool layered) {
    const fs::path openmp = library("libloomp-record.so");
    if (openmp.empty()) {
        fmt::print(stderr, "loomp: trace: there is no libloomp-record.so beside libloomp.so: build "
                           "or install loomp completely\n");
        return false;
    }
    if (const char *others = std::getenv("OMP_TOOL_LIBRARIES");
        others != nullptr && *others != '\0')
        fmt::print(stderr,
                   "loomp: trace: the recorder takes the place of the tools in "
                   "OMP_TOOL_LIBRARIES={}\n",
                   others);
    prepend("OMP_TOOL_LIBRARIES", openmp.string());
    setenv("OMP_TOOL", "enabled", 1);
    // The preload also serves the program's calls of include/loomp/record.h.
    preload(openmp);
    if (mpi == Mpi::none) {
        if (const auto tree = find_tree())
            forward_mpi(layered ? "traced" : "record", *tree);
        return true;
    }
    const std::string name = fmt::format("libloomp-record-{}.so", name_of(mpi));
    const fs::path layer = library(name);
    if (layer.empty())
        fmt::print(stderr,
                   "loomp: trace: there is no {} beside libloomp.so: MPI calls are not recorded; "
                   "build loomp where this MPI library's headers are installed\n",
                   name);
    else
        preload(layer);
    return true;
}

struct TraceOptions {
    RunOptions run;
    std::string folder = "loomp-trace"; ///< destination; created if needed
    bool stock = false;                 ///< on the runtime that the program has without loomp
    std::string detail;     ///< records besides tasks (profiler/format/detail.h); empty: all
    std::uint64_t last = 0; ///< bytes of records that are kept of each thread; 0: all
    std::string counters;   ///< PAPI's names, separated by commas
    bool cpu_time = false;  ///< the threads' CPU clocks, too
    bool paused = false;    ///< paused until the program starts it
};

/// Returns the program's exit status, even if nothing is recorded; 128 plus the signal's number if
/// it was killed.
int trace(const TraceOptions &options) {
    if (options.folder == "-") {
        fmt::print(stderr, "loomp: trace: -o -: a trace is a folder of files: name one\n");
        return kUsage;
    }
    const Command program = prepare(options.run, options.stock ? Use::record_stock : Use::record);
    if (!program.path)
        return program.status;
    std::error_code error;
    const fs::path folder = fs::absolute(options.folder, error);
    if (!take_folder(folder) ||
        !load_recorders(program.mpi, !options.stock && !options.run.plain_mpi))
        return kFailure;
    setenv("LOOMP_TRACE_DIR", folder.c_str(), 1);
    if (!options.detail.empty())
        setenv("LOOMP_TRACE_DETAIL", options.detail.c_str(), 1);
    if (options.last != 0)
        setenv("LOOMP_TRACE_LAST", std::to_string(options.last).c_str(), 1);
    if (!options.counters.empty())
        setenv("LOOMP_TRACE_COUNTERS", options.counters.c_str(), 1);
    if (options.cpu_time)
        setenv("LOOMP_TRACE_CPU_TIME", "1", 1);
    if (options.paused)
        setenv("LOOMP_TRACE_PAUSED", "1", 1);

    // The archive is made when the program has ended.
    const auto status = run_to_end("trace", *program.path, options.run.command);
    if (!status)
        return kFailure;
    // If other processes still record, `loomp report` makes the archive when all have ended.
    const bool complete = launch().empty() ? assemble(folder) : rank_of_launch().value_or(0) == 0;
    if (complete && !options.run.quiet)
        fmt::print(stderr, "loomp: trace: {0} has the trace: loomp report {0}, loomp view {0}\n",
                   options.folder);
    return shell_status(*status);
}

Action declare_trace(CLI::App &command) {
    const auto options = std::make_shared<TraceOptions>();
    command.add_option("-o,--output", options->folder, "Folder for the trace")
        ->capture_default_str();
    command.add_flag("--stock", options->stock, "Leave the program's OpenMP runtime as it is");
    command
        .add_option("--detail", options->detail,
                    "Record these besides tasks: names of "
                    "dependences,calls,messages,waits,mutexes,regions,devices,deletions; default: "
                    "all but deletions")
        ->check(names_of_details);
    command
        .add_option("--last", options->last,
                    "Keep only the last records of each thread, in so many bytes, such as 64M")
        ->transform(CLI::Validator(size_to_keep, ""));
    command.add_option(
        "--counters", options->counters,
        "Count these in each task, by PAPI's names, such as PAPI_TOT_INS,PAPI_TOT_CYC");
    command.add_flag("--cpu-time", options->cpu_time,
                     "Record the threads' CPU clocks: what code takes in loomp simulate where "
                     "threads shared cores");
    command.add_flag("--paused", options->paused,
                     "Begin to record at the program's first loomp_record_start()");
    add_run_options(command, options->run);
    return [options](const Words &program) {
        options->run.command = program;
        return trace(*options);
    };
}

} // namespace

const Subcommand kTrace = {
    "trace", "Run a program and record its tasks: loomp trace -o DIR ./app args", declare_trace};

} // namespace loomp::cli
