// `loomp trace`: runs a program as `loomp run` does, or on its own OpenMP runtime, and records it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "cli/run.h"

namespace loomp::cli {

struct TraceOptions {
    RunOptions run;
    std::string folder;     ///< where to; made if need be
    bool stock = false;     ///< on the runtime that the program has without loomp
    std::string detail;     ///< what is recorded beside tasks (record/detail.h); empty: all
    std::uint64_t last = 0; ///< bytes of records that are kept of each thread; 0: all
    std::string counters;   ///< of PAPI's, between commas
    bool cpu_time = false;  ///< the threads' CPU clocks, too
    bool paused = false;    ///< until the program says otherwise
};

/// The program's exit status; 128 and the signal's number if it was killed.
int trace(const TraceOptions &options);

/// Makes the archive of what has been recorded in `folder`, if something has, and removes what it
/// was made of. False, after one line on stderr, if that failed.
bool assemble(const std::filesystem::path &folder);

/// The archive in a folder, or the archive itself; of a recording that none has been made of, it is
/// made. Empty, after one line on stderr in the name of `command`, if there is none.
std::filesystem::path find_archive(const std::string &command, const std::filesystem::path &named);

} // namespace loomp::cli
