#include "cli/process.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fmt/core.h>
#include <fstream>
#include <set>

#include "cli/program.h"

namespace loomp::cli {

namespace fs = std::filesystem;

namespace {

/// The path at the end of a line of /proc/PID/maps; empty if there is none.
std::string mapped_file(const std::string &line) {
    const std::size_t start = line.find('/');
    return start == std::string::npos ? std::string() : line.substr(start);
}

/// compat/ has a libloomp.so, too.
bool is_beside_loomp(const fs::path &file) {
    std::error_code error;
    return fs::exists(file.parent_path() / "libloomp.so", error);
}

} // namespace

int show_runtimes_of(const std::string &id) {
    const bool number =
        std::all_of(id.begin(), id.end(), [](char c) { return c >= '0' && c <= '9'; });
    const fs::path folder = fs::path("/proc") / id;
    std::error_code error;
    if (!number || !fs::is_directory(folder, error)) {
        fmt::print(stderr, "loomp: there is no process {}\n", id);
        return 1;
    }
    const fs::path program = fs::read_symlink(folder / "exe", error);
    std::ifstream maps(folder / "maps");
    std::set<std::string> files;
    for (std::string line; std::getline(maps, line);)
        files.insert(mapped_file(line));
    if (error || maps.bad() || files.size() < 2) {
        fmt::print(stderr, "loomp: cannot see what process {} has loaded: {}\n", id,
                   error ? error.message() : "it has ended, or belongs to another user");
        return 1;
    }

    fmt::print("process    {}: {}\n", id, program.string());
    bool loomp = false;
    std::string other;
    for (const std::string &file : files) {
        if (!has_runtime(file))
            continue;
        const bool ours = is_beside_loomp(file);
        const bool itself = ours && fs::path(file).filename() == "libloomp.so";
        loomp |= itself;
        if (!ours)
            other = file;
        fmt::print("{:<10} {}\n", itself ? "runtime" : ours ? "leads to it" : "other", file);
    }
    if (loomp && other.empty())
        return 0;
    if (loomp)
        fmt::print(stderr,
                   "loomp: process {} has two OpenMP runtimes: what asks for {} is not on loomp\n",
                   id, other);
    else if (!other.empty())
        fmt::print(stderr, "loomp: process {} runs on {}: start it by loomp run\n", id, other);
    else
        fmt::print(stderr, "loomp: process {} has no OpenMP runtime, or none yet\n", id);
    return 1;
}

} // namespace loomp::cli
