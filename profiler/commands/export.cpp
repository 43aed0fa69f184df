// `loomp export`: writes a trace in another program's format.
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fmt/core.h>
#include <fstream>

#include "profiler/commands/subcommand.h"
#include "profiler/commands/with_trace.h"
#include "profiler/export/exporters.h"

namespace loomp::cli {

namespace {

struct ExportOptions {
    std::string folder; ///< folder of `loomp trace`, or an archive's .otf2 file
    std::string file;   ///< its ending selects the format
};

int export_trace(const ExportOptions &options) {
    const std::string ending = std::filesystem::path(options.file).extension();
    if (ending != ".dot" && ending != ".json") {
        fmt::print(stderr,
                   "loomp: export: {}: its ending must say what to write: .json for Perfetto and "
                   "Chrome, .dot for the graph of tasks\n",
                   options.file);
        return kUsage;
    }
    return with_trace("export", options.folder, {}, [&](const analysis::Trace &trace) {
        std::ofstream out(options.file);
        if (ending == ".json")
            write_perfetto(trace, out);
        else
            write_dot(trace, build_graph(trace), out);
        if (!out.flush()) {
            fmt::print(stderr, "loomp: export: cannot write {}: {}\n", options.file,
                       std::strerror(errno));
            return kFailure;
        }
        return 0;
    });
}

Action declare_export(CLI::App &command) {
    const auto options = std::make_shared<ExportOptions>();
    add_trace(command, options->folder);
    command
        .add_option("-o,--output", options->file,
                    "File: .json for Perfetto and Chrome, .dot for the graph of tasks")
        ->required();
    return with_options(options, export_trace);
}

} // namespace

const Subcommand kExport = {"export", "Write a trace for another program to read", declare_export};

} // namespace loomp::cli
