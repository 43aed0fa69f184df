// `loomp info --process`: the OpenMP runtimes of a process that runs.
#pragma once

#include <string>

namespace loomp::cli {

/// Prints the files of the OpenMP runtimes in the process `id`, each with its part. Returns 0 if
/// loomp is the only one; otherwise 1, after a line on stderr that says what is the matter.
int show_runtimes_of(const std::string &id);

} // namespace loomp::cli
