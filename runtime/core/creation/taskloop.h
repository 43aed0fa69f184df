// Divides a taskloop's iterations among tasks (OpenMP 5.2, 12.6).
#pragma once

#include <algorithm>
#include <cstdint>

namespace loomp::core {

/// `iterations` divided among `tasks` tasks: the first `longer` of them execute size + 1
/// iterations, the others `size`. If `strict`, the last one executes the rest.
struct TaskloopSplit {
    std::uint64_t iterations;
    std::uint64_t tasks;
    std::uint64_t size;
    std::uint64_t longer;
    bool strict;

    std::uint64_t length(std::uint64_t task) const {
        if (strict)
            return std::min(size, iterations - task * size);
        return size + (task < longer ? 1 : 0);
    }
};

/// num_tasks(n), or an n of the implementation. `iterations` and `tasks` are positive.
inline TaskloopSplit split_by_tasks(std::uint64_t iterations, std::uint64_t tasks) {
    tasks = std::min(tasks, iterations);
    return {iterations, tasks, iterations / tasks, iterations % tasks, false};
}

/// grainsize(g): at least g and fewer than 2g iterations per task; grainsize(strict: g): exactly g.
inline TaskloopSplit split_by_grainsize(std::uint64_t iterations, std::uint64_t grain,
                                        bool strict) {
    if (strict)
        return {iterations, iterations / grain + (iterations % grain != 0), grain, 0, true};
    return split_by_tasks(iterations, std::max<std::uint64_t>(iterations / grain, 1));
}

} // namespace loomp::core
