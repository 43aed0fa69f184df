#include "profiler/commands/with_trace.h"

#include <cstdio>
#include <filesystem>
#include <fmt/core.h>
#include <system_error>

#include "profiler/commands/subcommand.h"
#include "profiler/format/format.h"
#include "profiler/recording/recording.h"
#include "profiler/trace/clean_text.h"

namespace loomp::cli {

namespace fs = std::filesystem;

std::string reason_of(const std::exception &problem) {
    const auto *error = dynamic_cast<const std::system_error *>(&problem);
    if (error != nullptr && std::ferror(stdout) != 0)
        return "cannot write the output: " + error->code().message();
    return analysis::clean_text(problem.what());
}

bool assemble(const fs::path &folder) {
    try {
        const auto recording = analysis::open_recording(folder);
        for (const std::string &problem : recording.problems)
            fmt::print(stderr, "loomp: {}\n", analysis::clean_text(problem));
        for (const std::string &remark : recording.remarks)
            fmt::print(stderr, "loomp: {}\n", analysis::clean_text(remark));
        for (const std::string &remark : analysis::write_archive(recording, folder))
            fmt::print(stderr, "loomp: {}\n", analysis::clean_text(remark));
        // The archive replaces the recording only if everything could be read.
        if (recording.problems.empty())
            for (const analysis::RecordedProcess &process : recording.processes)
                fs::remove_all(process.folder);
    } catch (const std::exception &problem) {
        fmt::print(stderr, "loomp: {}\n", reason_of(problem));
        return false;
    }
    return true;
}

fs::path find_archive(const std::string &command, const fs::path &named) {
    std::error_code error;
    fs::path archive = named;
    if (fs::is_directory(named, error)) {
        archive /= analysis::kArchive;
        for (const fs::directory_entry &entry : fs::directory_iterator(named, error))
            if (entry.path().filename().string().starts_with(record::kProcessPrefix))
                return assemble(named) ? archive : fs::path();
    }
    if (fs::exists(archive, error))
        return archive;
    fmt::print(stderr, "loomp: {}: there is no {}: loomp trace -o {} ./app makes it\n", command,
               archive.string(), named.string());
    return {};
}

void add_trace(CLI::App &command, std::string &folder) {
    command.add_option("trace", folder, "Folder of loomp trace, or an OTF2 archive")->required();
}

int with_trace(const std::string &command, const std::string &named,
               const analysis::ReadOptions &options,
               const std::function<int(const analysis::Trace &)> &use) {
    const fs::path archive = find_archive(command, named);
    if (archive.empty())
        return kFailure;
    try {
        const analysis::Trace trace = analysis::read_archive(archive, options);
        for (const std::string &problem : trace.problems)
            fmt::print(stderr, "loomp: {}: {}\n", command, analysis::clean_text(problem));
        return use(trace);
    } catch (const std::exception &problem) {
        fmt::print(stderr, "loomp: {}: {}\n", command, reason_of(problem));
        return kFailure;
    }
}

} // namespace loomp::cli
