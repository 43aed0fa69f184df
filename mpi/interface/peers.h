// The ranks with which one rank of a communicator exchanges blocks.
#pragma once

#include <mpi.h>

namespace loomp::mpi {

/// The ranks of a collective such as MPI_Alltoall: those of the other group, if there are two. 0
/// for a null communicator.
inline int peers_of(MPI_Comm comm) {
    int is_inter = 0;
    int count = 0;
    if (comm == MPI_COMM_NULL)
        return 0; // the library reports it
    PMPI_Comm_test_inter(comm, &is_inter);
    if (is_inter != 0)
        PMPI_Comm_remote_size(comm, &count);
    else
        PMPI_Comm_size(comm, &count);
    return count;
}

/// The count of neighbours in the communicator's topology, which is Cartesian.
inline int neighbours_in_grid(MPI_Comm comm) {
    int dimensions = 0;
    PMPI_Cartdim_get(comm, &dimensions);
    return 2 * dimensions;
}

struct Neighbours {
    int targets = 0;
    int sources = 0;
};

/// How many neighbours the caller has in the communicator's topology, if any. It may be null.
inline Neighbours neighbours_of(MPI_Comm comm) {
    int topology = MPI_UNDEFINED;
    int rank = 0;
    int count = 0;
    if (comm != MPI_COMM_NULL)
        PMPI_Topo_test(comm, &topology);
    if (topology == MPI_DIST_GRAPH) {
        Neighbours found;
        PMPI_Dist_graph_neighbors_count(comm, &found.sources, &found.targets, &count);
        return found;
    }
    if (topology == MPI_CART) {
        count = neighbours_in_grid(comm);
    } else if (topology == MPI_GRAPH) {
        PMPI_Comm_rank(comm, &rank);
        PMPI_Graph_neighbors_count(comm, rank, &count);
    }
    return {count, count};
}

} // namespace loomp::mpi
