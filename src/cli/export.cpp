#include "cli/export.h"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fmt/core.h>
#include <fstream>

#include "analysis/export/export.h"
#include "cli/with_trace.h"

namespace loomp::cli {

namespace {

constexpr int kUsage = 2;

} // namespace

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

} // namespace loomp::cli
