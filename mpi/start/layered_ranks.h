// Finds the ranks of the job that lack this layer: `loomp run` did not start them, or left MPI
// alone.
//
// The search does not use MPI, because such a rank would never answer. Each rank with the layer has
// a name (platform/node_names.h). It takes the name before PMPI_Init, which returns when all ranks
// have entered it, and keeps it until the process ends, after PMPI_Finalize, which waits for all
// ranks, too. So the answer does not depend on time.
//
// Programs without tasks have the layer, too (mpi_poller.h, join()). A rank's name says whether its
// program has tasks. In a job where none has, all collectives stay as they are.
//
// If a rank has no name, or has another number than its launcher says, all lack the layer for it.
// A rank that keeps its collectives as they are (LOOMP_MPI_COLLECTIVES) has none.
//
// If the ranks cannot see each other's names, all count as ranks with the layer: in jobs of several
// nodes, if the launcher is unknown, and if ranks may leave PMPI_Init early. Some then count as
// ranks with tasks, except in a job of one program without tasks.
#pragma once

namespace loomp::mpi {

/// Takes this rank's name; before PMPI_Init.
void take_layer_name(bool has_tasks);
/// After PMPI_Init, before calls are intercepted: returns true if the job may have tasks, and then
/// tells waiting/peers_with_layer.h. The first rank with tasks reports ranks without the layer.
bool find_ranks_without_layer(int rank, bool has_tasks);

} // namespace loomp::mpi
