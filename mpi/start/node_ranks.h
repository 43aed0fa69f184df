// The ranks of this node: how many they are, and which may use the same processors as this one.
//
// Nobody calls MPI for the latter: a rank without this layer, as where only one is started by
// `loomp run`, would never answer. Each rank has a name in the system until it ends (unix(7),
// abstract), made of its job, its number in the node and its processors; whether another one has
// its name is asked without waiting. What makes the names of all be there is that MPI_Init comes
// back when all ranks of the node have entered it; none is given up before the end, for others may
// be late to ask.
#pragma once

namespace loomp::mpi {

/// Before PMPI_Init: takes this rank's name.
void take_node_name();
/// How many ranks of this job run in this node, by what the launcher says; at least 1.
int ranks_of_node();
/// After PMPI_Init: where other ranks of the node may use the same processors, takes a share of
/// them, and has rank 0 say so.
void divide_processors(int rank);

} // namespace loomp::mpi
