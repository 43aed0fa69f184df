#include "cli/with_trace.h"

#include <exception>
#include <filesystem>
#include <fmt/core.h>

#include "cli/commands.h"
#include "cli/trace.h"

namespace loomp::cli {

void add_trace(CLI::App &command, std::string &folder) {
    command.add_option("trace", folder, "Folder of loomp trace, or an OTF2 archive")->required();
}

int with_trace(const std::string &command, const std::string &named,
               const analysis::ReadOptions &options,
               const std::function<int(const analysis::Trace &)> &use) {
    const std::filesystem::path archive = find_archive(command, named);
    if (archive.empty())
        return kFailure;
    try {
        const analysis::Trace trace = analysis::read_archive(archive, options);
        for (const std::string &problem : trace.problems)
            fmt::print(stderr, "loomp: {}: {}\n", command, problem);
        return use(trace);
    } catch (const std::exception &problem) {
        fmt::print(stderr, "loomp: {}: {}\n", command, problem.what());
        return kFailure;
    }
}

} // namespace loomp::cli
