// The archives of traces, which `loomp trace` and the commands that read one make.
#pragma once

#include <filesystem>
#include <string>

namespace loomp::cli {

/// Makes the archive of what has been recorded in `folder`, if something has, and removes what it
/// was made of. False, after one line on stderr, if that failed.
bool assemble(const std::filesystem::path &folder);

/// The archive in a folder, or the archive itself; of a recording that none has been made of, it is
/// made. Empty, after one line on stderr in the name of `command`, if there is none.
std::filesystem::path find_archive(const std::string &command, const std::filesystem::path &named);

} // namespace loomp::cli
