// The commands of `loomp`. Each command's source declares its options and its action.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

namespace loomp::cli {

/// The exit statuses of a failed command and of a wrong call.
inline constexpr int kFailure = 1;
inline constexpr int kUsage = 2;

using Words = std::vector<std::string>;

/// Runs a command whose options have been parsed, and returns the exit status. `words` are the
/// program that the command starts and its arguments; other commands get none.
using Action = std::function<int(const Words &)>;

struct Subcommand {
    const char *name;
    const char *summary;
    /// Adds the options; the action keeps them.
    Action (*declare)(CLI::App &command);
    bool passes_all = false; ///< all words after the name belong to another program
};

/// The commands that read traces.
extern const Subcommand kReport, kCompare, kLint, kSimulate, kExport, kView;

/// Makes an action from a function and its options.
template <typename Options>
Action with_options(std::shared_ptr<Options> options, int (*function)(const Options &)) {
    return [options = std::move(options), function](const Words &) { return function(*options); };
}

} // namespace loomp::cli
