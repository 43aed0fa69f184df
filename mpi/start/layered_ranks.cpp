#include "mpi/start/layered_ranks.h"

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <mpi.h>
#include <numeric>
#include <utility>
#include <vector>

#include "loomp/experimental.h"
#include "mpi/adapters/mpi_library.h"
#include "mpi/adapters/program_setting.h"
#include "mpi/start/launcher.h"
#include "mpi/waiting/job_hang.h"
#include "mpi/waiting/peers_with_layer.h"
#include "platform/node_names.h"

namespace loomp::mpi {

namespace {

constexpr const char *kWithTasks = "tasks";
constexpr const char *kWithoutTasks = "layer";
NodeName name;

/// True if this rank's collectives stay the library's own. Like one without the layer, it has no
/// name then, and the others find none.
bool keeps_collectives() {
    static const bool keeps = is_on("LOOMP_MPI_COLLECTIVES", loomp_mpi_blocking_collectives);
    return keeps;
}

/// The ranks of a job.
struct Ranks {
    std::vector<int> without_layer;
    std::vector<int> without_tasks; ///< contains `without_layer`
    int first_with_tasks;           ///< the count of ranks if none has; -1 if that is unknown
    std::vector<std::pair<int, const char *>> named = {}; ///< those with a name, and its text
};

std::vector<int> all_of(int size) {
    std::vector<int> ranks(static_cast<std::size_t>(size));
    std::iota(ranks.begin(), ranks.end(), 0);
    return ranks;
}

Ranks find_ranks(int rank, int size, bool has_tasks) {
    Ranks found = {{}, {}, has_tasks ? rank : size};
    // All ranks of a job know this alike.
    const bool sees_all = size > 1 && launched_rank() >= 0 && place_in_node().count == size &&
                          !may_leave_init_early();
    // A rank whose name is another's, or that has none, lacks the layer for the others, and they do
    // for it. The names of ranks that an MPICH program has spawned may be those of their parents.
    if (is_spawned() || keeps_collectives() ||
        (sees_all && (launched_rank() != rank || !name.is_held()))) {
        found.without_layer = all_of(size);
        found.without_tasks = all_of(size);
        return found;
    }
    if (!sees_all) {
        if (size > 1 && (has_tasks || !is_one_program()))
            found.first_with_tasks = -1;
        return found;
    }
    for (int other = 0; other < size; ++other) {
        if (other == rank ? has_tasks : name.is_taken(kWithTasks, other)) {
            found.first_with_tasks = std::min(found.first_with_tasks, other);
            found.named.emplace_back(other, kWithTasks);
            continue;
        }
        found.without_tasks.push_back(other);
        if (other != rank && !name.is_taken(kWithoutTasks, other))
            found.without_layer.push_back(other);
        else
            found.named.emplace_back(other, kWithoutTasks);
    }
    return found;
}

/// Other ranks are found if the launcher numbers them as MPI does.
PlaceInJob place_in_job(int rank, int size, const Ranks &found) {
    const bool is_known = size > 1 && launched_rank() == rank && !is_spawned();
    return {.job = is_known ? launched_job() : 0,
            .rank = rank,
            .size = size,
            .on_node = std::max(place_in_node().count, 1),
            .named = found.named};
}

void report(const std::vector<int> &without, int size) {
    std::fprintf(stderr,
                 "loomp: %d of %d ranks (the first is rank %d) lack the MPI layer, because "
                 "`loomp run` did not start them, or they have --plain-mpi, "
                 "LOOMP_MPI_COLLECTIVES=blocking or a network of their own: collectives with them "
                 "stay the library's own, and a thread makes them for a task\n",
                 static_cast<int>(without.size()), size, without.front());
}

} // namespace

void take_layer_name(bool has_tasks) {
    if (launched_rank() >= 0 && !name.is_held() && !keeps_collectives())
        name.take(launched_job(), has_tasks ? kWithTasks : kWithoutTasks, launched_rank());
}

bool find_ranks_without_layer(int rank, bool has_tasks) {
    int size = 1;
    PMPI_Comm_size(MPI_COMM_WORLD, &size);
    const Ranks found = find_ranks(rank, size, has_tasks);
    name.stop_looking();
    learn_place_in_job(place_in_job(rank, size, found));
    if (found.first_with_tasks == size)
        return false;
    const auto count = static_cast<int>(found.without_layer.size());
    if (count > 0 && count < size && has_tasks && found.first_with_tasks == rank)
        report(found.without_layer, size);
    learn_ranks(found.without_layer, found.without_tasks);
    return true;
}

} // namespace loomp::mpi
