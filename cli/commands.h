// The commands of `loomp` that read no trace.
#pragma once

#include "profiler/commands/subcommand.h"

namespace loomp::cli {

extern const Subcommand kRun, kTrace, kCheck, kInfo, kPython, kGdb, kStuck;

} // namespace loomp::cli
