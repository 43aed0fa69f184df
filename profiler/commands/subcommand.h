// The commands of `loomp`: each one's source declares its options and says what it does with them.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

namespace loomp::cli {

/// The exit status of a command that could not do what it was asked for, and of a wrong call.
inline constexpr int kFailure = 1;
inline constexpr int kUsage = 2;

using Words = std::vector<std::string>;

/// Runs a command whose options have been parsed, and returns the exit status. The words are the
/// program that the command starts and its arguments; other commands get none.
using Action = std::function<int(const Words &)>;

struct Subcommand {
    const char *name;
    const char *summary;
    /// Adds the options, which the action keeps.
    Action (*declare)(CLI::App &command);
    bool passes_all = false; ///< every word after the name is another program's
};

/// The commands that read traces.
extern const Subcommand kReport, kCompare, kLint, kSimulate, kExport, kView;

/// Makes an action of a function and its options.
template <typename Options>
Action with_options(std::shared_ptr<Options> options, int (*function)(const Options &)) {
    return [options = std::move(options), function](const Words &) { return function(*options); };
}

} // namespace loomp::cli
