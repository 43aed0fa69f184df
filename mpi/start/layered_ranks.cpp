#include "mpi/start/layered_ranks.h"

#include <cstddef>
#include <cstdio>
#include <mpi.h>
#include <numeric>
#include <vector>

#include "mpi/adapters/mpi_library.h"
#include "mpi/start/launcher.h"
#include "mpi/waiting/peers_with_layer.h"
#include "platform/node_names.h"

namespace loomp::mpi {

namespace {

constexpr const char *kText = "layer";
NodeName name;

std::vector<int> ranks_without_layer(int rank, int size) {
    std::vector<int> without;
    const bool sees_all = size > 1 && launched_rank() == rank && place_in_node().count == size &&
                          !may_leave_init_early();
    // The names of ranks that an MPICH program has spawned may be those of their parents. Without a
    // name, this rank lacks the layer for the others, and they do for it.
    if (is_spawned() || (sees_all && !name.is_held())) {
        without.resize(static_cast<std::size_t>(size));
        std::iota(without.begin(), without.end(), 0);
    } else if (sees_all) {
        for (int other = 0; other < size; ++other)
            if (other != rank && !name.is_taken(kText, other))
                without.push_back(other);
    }
    return without;
}

void report(const std::vector<int> &without, int rank, int size) {
    int first = 0; // the first rank with the layer
    for (const int other : without)
        first += other == first ? 1 : 0;
    if (rank == first)
        std::fprintf(stderr,
                     "loomp: %d of %d ranks (the first is rank %d) lack the MPI layer, because "
                     "`loomp run` did not start them or they have --plain-mpi: collectives with "
                     "them stay the library's own, and a thread makes them for a task\n",
                     static_cast<int>(without.size()), size, without.front());
}

} // namespace

void take_layer_name() {
    if (launched_rank() >= 0 && !name.is_held())
        name.take(launched_job(), kText, launched_rank());
}

void find_ranks_without_layer(int rank) {
    int size = 1;
    PMPI_Comm_size(MPI_COMM_WORLD, &size);
    const std::vector<int> without = ranks_without_layer(rank, size);
    name.stop_looking();
    if (!without.empty())
        report(without, rank, size);
    learn_ranks_without_layer(static_cast<int>(without.size()), without.data());
}

} // namespace loomp::mpi
