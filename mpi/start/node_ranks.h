// Counts the ranks of this node, and finds those that may use this rank's processors.
//
// The search does not use MPI: a rank without this layer would never answer, for example if `loomp
// run` starts only one. Each rank has a name (platform/node_names.h), made from its number in the
// node and its processors. All names exist after MPI_Init, which returns when all ranks of the node
// have entered it. A rank keeps its name to the end, because others may look late.
#pragma once

namespace loomp::mpi {

/// Takes this rank's name; before PMPI_Init.
void take_node_name();
/// Lets ranks that wait for this one find out that it makes no other call: before PMPI_Finalize.
void take_finishing_name();
/// The launcher's count of this job's ranks in this node; at least 1.
int ranks_of_node();
/// After PMPI_Init: if other ranks of the node may use the same processors, takes a share of them.
/// Rank 0 reports it.
void divide_processors(int rank);

} // namespace loomp::mpi
