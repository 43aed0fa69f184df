// Finding, making and reading the archive of a trace, for the commands that read one.
#pragma once

#include <filesystem>
#include <functional>
#include <string>

#include <CLI/CLI.hpp>

#include "profiler/archive/archive.h"

namespace loomp::cli {

/// Makes the archive of what has been recorded in `folder`, if something has, and removes what it
/// was made of. False, after one line on stderr, if that failed.
bool assemble(const std::filesystem::path &folder);

/// The archive in a folder, or the archive itself; of a recording that none has been made of, it is
/// made. Empty, after one line on stderr in the name of `command`, if there is none.
std::filesystem::path find_archive(const std::string &command, const std::filesystem::path &named);

/// Adds the argument that names the trace.
void add_trace(CLI::App &command, std::string &folder);

/// Reads the trace that `named` leads to (find_archive()), tells on stderr in the name of `command`
/// what is wrong with it, and returns what `use` makes of it: an exit status. kFailure, after one
/// line on stderr, if there is no trace, or if it or `use` throws.
int with_trace(const std::string &command, const std::string &named,
               const analysis::ReadOptions &options,
               const std::function<int(const analysis::Trace &)> &use);

} // namespace loomp::cli
