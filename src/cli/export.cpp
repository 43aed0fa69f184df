#include "cli/export.h"

#include <cerrno>
#include <cstring>
#include <exception>
#include <filesystem>
#include <fmt/core.h>
#include <fstream>

#include "analysis/archive.h"
#include "analysis/export.h"
#include "cli/trace.h"

namespace loomp::cli {

namespace {

constexpr int kFailure = 1;
constexpr int kUsage = 2;

} // namespace

int export_trace(const ExportOptions &options) {
    const std::string ending = std::filesystem::path(options.file).extension();
    if (ending != ".dot" && ending != ".graphml" && ending != ".json") {
        fmt::print(stderr,
                   "loomp: export: {}: its ending must say what to write: .json for Perfetto and "
                   "Chrome, .dot or .graphml for the graph of tasks\n",
                   options.file);
        return kUsage;
    }
    const std::filesystem::path archive = find_archive("export", options.folder);
    if (archive.empty())
        return kFailure;
    try {
        const analysis::Trace trace = analysis::read_archive(archive);
        for (const std::string &problem : trace.problems)
            fmt::print(stderr, "loomp: export: {}\n", problem);
        std::ofstream out(options.file);
        if (ending == ".json")
            write_perfetto(trace, out);
        else if (ending == ".dot")
            write_dot(trace, build_graph(trace), out);
        else
            write_graphml(trace, build_graph(trace), out);
        if (!out.flush()) {
            fmt::print(stderr, "loomp: export: cannot write {}: {}\n", options.file,
                       std::strerror(errno));
            return kFailure;
        }
    } catch (const std::exception &problem) {
        fmt::print(stderr, "loomp: export: {}\n", problem.what());
        return kFailure;
    }
    return 0;
}

} // namespace loomp::cli
