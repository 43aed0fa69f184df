// The MPI job that a process is in, as launchers leave it in the environment.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace loomp::cli {

/// A text shared by exactly the processes of one launch on this machine; empty without a launcher.
std::string launch();
/// This process' rank in it; nothing without a launcher.
std::optional<int> rank_of_launch();
/// If a command is a launcher's, such as "mpirun -n 2 ./app", inserts words before the program, or
/// programs, that it starts: the first word after the launcher, and after each ":", that names an
/// executable file. Returns false if it is none.
bool insert_before_programs(std::vector<std::string> &command,
                            const std::vector<std::string> &words);

} // namespace loomp::cli
