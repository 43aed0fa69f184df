#include "cli/launch.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <fmt/format.h>
#include <string_view>
#include <unistd.h>

#include "cli/executable.h"

namespace loomp::cli {

std::string launch() {
    for (const char *variable : {"PMIX_NAMESPACE", "OMPI_MCA_ess_base_jobid"})
        if (const char *value = std::getenv(variable); value != nullptr && *value != '\0')
            return fmt::format("{} {}", variable, value);
    if (const char *job = std::getenv("SLURM_JOB_ID"), *step = std::getenv("SLURM_STEP_ID");
        job != nullptr && step != nullptr)
        return fmt::format("step {} of job {}", step, job);
    if (std::getenv("PMI_RANK") != nullptr)
        return fmt::format("launched by process {}", getppid());
    return {};
}

std::optional<int> rank_of_launch() {
    for (const char *variable : {"PMIX_RANK", "OMPI_COMM_WORLD_RANK", "PMI_RANK", "SLURM_PROCID"})
        if (const char *rank = std::getenv(variable); rank != nullptr && *rank != '\0')
            return std::atoi(rank);
    return std::nullopt;
}

bool insert_before_programs(std::vector<std::string> &command,
                            const std::vector<std::string> &words) {
    constexpr std::array<std::string_view, 6> launchers{"mpirun",  "mpiexec", "orterun",
                                                        "prterun", "srun",    "mpiexec.hydra"};
    std::string_view name = command.front();
    name = name.substr(name.rfind('/') + 1); // npos + 1 is 0
    for (const std::string_view library : {".openmpi", ".mpich"})
        if (name.ends_with(library))
            name.remove_suffix(library.size());
    if (std::find(launchers.begin(), launchers.end(), name) == launchers.end())
        return false;
    std::vector<std::string> all{command.front()};
    bool expected = true;
    for (auto word = command.begin() + 1; word != command.end(); ++word) {
        if (expected && !word->starts_with('-') && find_program(*word)) {
            all.insert(all.end(), words.begin(), words.end());
            expected = false;
        }
        expected |= *word == ":";
        all.push_back(*word);
    }
    command = std::move(all);
    return true;
}

} // namespace loomp::cli
