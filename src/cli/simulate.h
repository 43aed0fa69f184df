// `loomp simulate`: what a trace's program would take on other threads and another network.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace loomp::cli {

struct SimulateOptions {
    std::string folder;                    ///< of `loomp trace`, or an archive's .otf2 file
    std::optional<int> ranks;              ///< nothing: as recorded
    std::vector<std::string> scaling_from; ///< traces of other numbers of ranks
    std::string scaling;                   ///< instead: "weak" or "strong"
    std::optional<int> threads;            ///< of each rank; nothing: as recorded
    std::string scheduler = "recorded";
    std::optional<double> overhead;  ///< of a task, us; nothing: as recorded
    std::optional<double> latency;   ///< us; nothing: messages take as long as they did
    std::optional<double> bandwidth; ///< GB/s
    bool blocking_mpi = false;       ///< MPI calls hold their threads
    bool suspending_mpi = false;
    std::string inflation_from; ///< another trace, or empty
    bool at_once = false;       ///< new tasks run where they are created
    bool ahead = false;         ///< they do not, not even with one thread
};

int simulate(const SimulateOptions &options);

} // namespace loomp::cli
