// The commands of `loomp` that read no trace, and the command line.
#pragma once

#include <span>

#include "profiler/commands/subcommand.h"

namespace loomp::cli {

extern const Subcommand kRun, kTrace, kCheck, kInfo, kPython, kGdb, kStuck;

struct Listed {
    const Subcommand *command;
    const char *example;
};

/// `loomp run`, which both programs of the command have (main.cpp).
inline constexpr Listed kListedRun = {&kRun, "loomp run -t 4 ./app"};

/// Runs the one of `commands` that the arguments of main() name. Returns the exit status.
int run_command_line(std::span<const Listed> commands, int argc, char **argv);

} // namespace loomp::cli
