// What commands that read one trace have in common.
#pragma once

#include <functional>
#include <string>

#include <CLI/CLI.hpp>

#include "analysis/archive/archive.h"

namespace loomp::cli {

/// Adds the argument that names the trace.
void add_trace(CLI::App &command, std::string &folder);

/// Reads the trace that `named` leads to (find_archive()), tells on stderr in the name of `command`
/// what is wrong with it, and returns what `use` makes of it: an exit status. kFailure, after one
/// line on stderr, if there is no trace, or if it or `use` throws.
int with_trace(const std::string &command, const std::string &named,
               const analysis::ReadOptions &options,
               const std::function<int(const analysis::Trace &)> &use);

} // namespace loomp::cli
