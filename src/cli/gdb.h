// `loomp gdb`: gdb, with the commands for loomp's tasks (src/gdb).
#pragma once

#include <string>
#include <vector>

namespace loomp::cli {

/// Goes on as gdb, which is told that it may load the script beside the library; `command`: "gdb"
/// and its arguments. Returns, with an exit status, only when that could not be started.
int gdb(const std::vector<std::string> &command);

} // namespace loomp::cli
