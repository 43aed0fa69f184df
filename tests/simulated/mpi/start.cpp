// MPI_Init and MPI_Finalize on the simulated machine: mpi/start without processes, launchers and
// names of nodes.
#include <mpi.h>
#include <vector>

#include "loomp/experimental.h"
#include "mpi/adapters/collective_algorithms.h"
#include "mpi/adapters/thread_level.h"
#include "mpi/adapters/tools.h"
#include "mpi/interface/next_calls.h"
#include "mpi/waiting/interception.h"
#include "mpi/waiting/job_hang.h"
#include "mpi/waiting/mpi_poller.h"
#include "mpi/waiting/peers_with_layer.h"
#include "tests/simulated/mpi/network.h"

using namespace loomp::mpi;

// The library has one algorithm.
void loomp::mpi::choose_collective_algorithms() {}
bool loomp::mpi::nonblocking_sums_double() { return false; }

extern "C" int MPI_Init(int *, char ***) {
    const bool one_thread = loomp_mpi_thread_level() == 2;
    loomp::simulated::begin_network(one_thread);
    find_tools();
    close_gate(one_thread);
    note_start();
    const int rank = loomp::simulated::own_rank();
    const int size = loomp::simulated::ranks();
    loomp_set_rank(rank);
    learn_place_in_job({.job = 0, .rank = rank, .size = size, .on_node = 1, .named = {}});
    // With LOOMP_MPI_COLLECTIVES=blocking no rank has the layer for the others.
    std::vector<int> without;
    for (int other = 0; loomp_mpi_blocking_collectives() != 0 && other < size; ++other)
        without.push_back(other);
    learn_ranks(without, without);
    start();
    return MPI_SUCCESS;
}

extern "C" int MPI_Query_thread(int *provided) {
    *provided = MPI_THREAD_MULTIPLE;
    return MPI_SUCCESS;
}

extern "C" int MPI_Finalize() {
    stop();
    close_gate(false);
    return next::Finalize();
}
