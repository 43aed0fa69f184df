// Finds, makes and reads the archive of a trace for the commands.
#pragma once

#include <exception>
#include <filesystem>
#include <functional>
#include <string>

#include <CLI/CLI.hpp>

#include "profiler/archive/archive.h"

namespace loomp::cli {

/// The error as clean text. fmt::print() throws if stdout takes no more.
std::string reason_of(const std::exception &problem);

/// Makes an archive of the recording in `folder`, if there is one, and removes the recording. False
/// after an error, with one line on stderr.
bool assemble(const std::filesystem::path &folder);

/// Finds the archive in a folder or at a path; makes it if the folder has only a recording. Empty
/// if there is none, with one line on stderr in the name of `command`.
std::filesystem::path find_archive(const std::string &command, const std::filesystem::path &named);

/// Adds the argument that names the trace.
void add_trace(CLI::App &command, std::string &folder);

/// Reads the trace that `named` leads to (find_archive()), and reports its problems on stderr in
/// the name of `command`. Returns the exit status of `use`. Returns kFailure, with one line on
/// stderr, if there is no trace or if `use` throws.
int with_trace(const std::string &command, const std::string &named,
               const analysis::ReadOptions &options,
               const std::function<int(const analysis::Trace &)> &use);

} // namespace loomp::cli
