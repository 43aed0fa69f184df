// Finds the ranks of the job that lack this layer: `loomp run` did not start them, or left MPI
// alone.
//
// The search does not use MPI, because such a rank would never answer. Each rank with the layer has
// a name (platform/node_names.h). It takes the name before PMPI_Init, which returns when all ranks
// have entered it, and keeps it until the process ends, after PMPI_Finalize, which waits for all
// ranks, too. So the answer does not depend on time.
//
// If the ranks cannot see each other's names, all count as ranks with the layer: in jobs of several
// nodes, if the launcher is unknown, and if ranks may leave PMPI_Init early.
#pragma once

namespace loomp::mpi {

/// Takes this rank's name; before PMPI_Init.
void take_layer_name();
/// After PMPI_Init, before calls are intercepted: tells waiting/peers_with_layer.h. The first rank
/// with the layer reports ranks without it.
void find_ranks_without_layer(int rank);

} // namespace loomp::mpi
