#include "cli/view.h"

#include <cerrno>
#include <cstring>
#include <exception>
#include <filesystem>
#include <fmt/core.h>
#include <fstream>

#include "analysis/archive.h"
#include "analysis/view/page.h"
#include "cli/findings.h"
#include "cli/trace.h"

namespace loomp::cli {

namespace fs = std::filesystem;

namespace {

constexpr int kFailure = 1;

/// Of the trace: its folder's, as a rule.
std::string name_of(const fs::path &archive) {
    const fs::path folder = fs::absolute(archive).lexically_normal().parent_path();
    return folder.filename().empty() ? archive.string() : folder.filename().string();
}

std::vector<analysis::Remark> remarks_on(const analysis::Trace &trace) {
    std::vector<analysis::Remark> remarks;
    for (const analysis::Finding &of : analysis::lint(trace))
        if (matters(of, trace.makespan().length()))
            remarks.push_back({title_of(of), place_of(trace, of), analysis::seconds(of.gain),
                               text_of(trace, of)});
    return remarks;
}

} // namespace

int view(const ViewOptions &options) {
    const fs::path archive = find_archive("view", options.folder);
    if (archive.empty())
        return kFailure;
    try {
        const analysis::Trace trace = analysis::read_archive(archive, {.accesses = true});
        for (const std::string &problem : trace.problems)
            fmt::print(stderr, "loomp: view: {}\n", problem);
        std::ofstream out(options.file);
        analysis::write_page(trace, {.name = name_of(archive), .findings = remarks_on(trace)}, out);
        if (!out.flush()) {
            fmt::print(stderr, "loomp: view: cannot write {}: {}\n", options.file,
                       std::strerror(errno));
            return kFailure;
        }
    } catch (const std::exception &problem) {
        fmt::print(stderr, "loomp: view: {}\n", problem.what());
        return kFailure;
    }
    return 0;
}

} // namespace loomp::cli
