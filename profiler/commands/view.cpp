// `loomp view`: writes a trace as one HTML file.
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fmt/core.h>
#include <fstream>
#include <iostream>

#include "profiler/commands/findings.h"
#include "profiler/commands/subcommand.h"
#include "profiler/commands/unfinished_text.h"
#include "profiler/commands/with_trace.h"
#include "profiler/metrics/figures.h"
#include "profiler/view/page.h"

namespace loomp::cli {

namespace fs = std::filesystem;

namespace {

struct ViewOptions {
    std::string folder; ///< folder of `loomp trace`, or an archive's .otf2 file
    std::string file = "trace.html";
};

/// The trace's name, usually that of its folder.
std::string name_of(fs::path named) {
    if (fs::is_directory(named))
        named /= analysis::kArchive;
    const fs::path folder = fs::absolute(named).lexically_normal().parent_path();
    return folder.filename().empty() ? named.string() : folder.filename().string();
}

std::vector<analysis::Remark> remarks_on(const analysis::Trace &trace) {
    std::vector<analysis::Remark> remarks;
    for (const analysis::Finding &finding : analysis::lint(trace))
        if (matters(finding, analysis::whole_of(trace).length()))
            remarks.push_back({title_of(finding), place_of(trace, finding),
                               analysis::seconds(finding.gain), text_of(trace, finding)});
    return remarks;
}

int view(const ViewOptions &options) {
    return with_trace(
        "view", options.folder, {.accesses = true}, [&](const analysis::Trace &trace) {
            std::ofstream file;
            const bool to_stdout = options.file == "-";
            if (!to_stdout)
                file.open(options.file);
            std::ostream &out = to_stdout ? std::cout : file;
            const std::string name = name_of(options.folder);
            const auto unfinished = analysis::unfinished_of(trace);
            analysis::write_page(trace,
                                 {.name = name,
                                  .findings = remarks_on(trace),
                                  .unfinished = unfinished ? lines_of(trace, *unfinished)
                                                           : std::vector<std::string>()},
                                 out);
            if (!out.flush()) {
                fmt::print(stderr, "loomp: view: cannot write {}: {}\n", options.file,
                           std::strerror(errno));
                return kFailure;
            }
            if (!to_stdout)
                fmt::print("{} is the page: open it in a browser\n", options.file);
            return 0;
        });
}

Action declare_view(CLI::App &command) {
    const auto options = std::make_shared<ViewOptions>();
    add_trace(command, options->folder);
    command.add_option("-o,--output", options->file, "File for the page; -: stdout")
        ->capture_default_str();
    return with_options(options, view);
}

} // namespace

const Subcommand kView = {"view", "Make a page that shows a trace: loomp view TRACE -o FILE.html",
                          declare_view};

} // namespace loomp::cli
