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
    int threads = 0;                  ///< OMP_NUM_THREADS; 0 leaves it unchanged
    bool preload = false;             ///< load libloomp before everything else
    bool plain_mpi = false;           ///< no layer for MPI
    bool quiet = false;               ///< do not examine the program, and print nothing about it
};

/// The options that `loomp run` and `loomp trace` share.
void add_run_options(CLI::App &command, RunOptions &options);

/// A program that was found, or an exit status, with the reason on stderr.
struct Command {
    std::optional<std::filesystem::path> path;
    int status;
    Mpi mpi = Mpi::none; ///< the library that the program is linked with
    ThreadSanitizer thread_sanitizer = ThreadSanitizer::none;
};

/// The purpose of running a program.
enum class Use { run, record, record_stock, check };

/// Finds the program and sets its number of threads. With `check`, a collector examines it. With
/// `record_stock`, it runs on its own OpenMP runtime. Otherwise environment variables of this
/// process make it run on loomp.
Command prepare(const RunOptions &options, Use use = Use::run);
/// Becomes the program. Returns an exit status only if it could not be started.
int become(const std::filesystem::path &program, const std::vector<std::string> &command);
/// Runs the program as a child to its end, so that the caller can continue. The child gets the
/// signals that this process gets. Returns the status of waitpid(); nothing, with one line on
/// stderr that names `by`, if there can be no child.
std::optional<int> run_to_end(const char *by, const std::filesystem::path &program,
                              const std::vector<std::string> &command);
/// The shell's exit status for a status of waitpid(): 128 plus the number of a signal.
int shell_status(int status);
/// Prepends `value` to a colon-separated environment variable.
void prepend(const char *variable, const std::string &value);
/// Loads a library of loomp before those of the program and of its children.
void preload(const std::filesystem::path &library);
/// Loads the libraries of `layers` ("mpi", "record" or "traced": libloomp-...-openmpi.so) before
/// the MPI library that the program or its children load.
void forward_mpi(const char *layers, const Tree &tree);

} // namespace loomp::cli
