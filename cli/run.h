// `loomp run`: becomes a program whose OpenMP runtime is loomp.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "cli/executable.h"
#include "cli/tree.h"

namespace loomp::cli {

struct RunOptions {
    std::vector<std::string> command; ///< the program and its arguments
    int threads = 0;                  ///< OMP_NUM_THREADS; 0 leaves it as it is
    bool preload = false;             ///< load libloomp before everything else
    bool plain_mpi = false;           ///< no layer for MPI
    bool quiet = false;               ///< do not examine the program, say nothing about it
};

/// The options that `loomp run` and `loomp trace` share.
void add_run_options(CLI::App &command, RunOptions &options);

/// A program that was found, or the exit status that says why not; a line on stderr said it, too.
struct Command {
    std::optional<std::filesystem::path> path;
    int status;
    Mpi mpi = Mpi::none; ///< the library that the program is linked with
};

/// What a program is started for.
enum class Use { run, record, record_stock };

/// Finds the program and sets its number of threads. With `record_stock`, it is to run on the
/// OpenMP runtime that it has; otherwise on loomp, by environment variables of this process.
Command prepare(const RunOptions &options, Use use = Use::run);
/// Goes on as the program. Returns, with an exit status, only when it could not be started.
int become(const std::filesystem::path &program, const std::vector<std::string> &command);
/// Puts `value` at the head of a colon-separated environment variable.
void prepend(const char *variable, const std::string &value);
/// Has the libraries of `layers` ("mpi", "record" or "traced": libloomp-...-openmpi.so) put before
/// whichever MPI library the program, or one that it starts, turns out to have.
void forward_mpi(const char *layers, const Tree &tree);

} // namespace loomp::cli
