#include "mpi/adapters/grid_neighbours.h"

namespace loomp::mpi {

namespace {

/// Constant once calls are intercepted.
bool swaps = false;

} // namespace

void learn_order_of_neighbours() {
    const int one[1] = {1};
    const int out[2] = {0, 1};
    int waited[2] = {-1, -1};
    int started[2] = {-1, -1};
    MPI_Comm ring = MPI_COMM_NULL;
    MPI_Request request = MPI_REQUEST_NULL;
    PMPI_Cart_create(MPI_COMM_SELF, 1, one, one, 0, &ring);
    PMPI_Neighbor_alltoall(out, 1, MPI_INT, waited, 1, MPI_INT, ring);
    PMPI_Ineighbor_alltoall(out, 1, MPI_INT, started, 1, MPI_INT, ring, &request);
    PMPI_Wait(&request, MPI_STATUS_IGNORE);
    PMPI_Comm_free(&ring);
    swaps = waited[0] != started[0];
}

bool may_swap_neighbours(MPI_Comm comm) {
    int topology = MPI_UNDEFINED;
    if (swaps && comm != MPI_COMM_NULL)
        PMPI_Topo_test(comm, &topology);
    return topology == MPI_CART;
}

int neighbours_in_grid(MPI_Comm comm) {
    int dimensions = 0;
    PMPI_Cartdim_get(comm, &dimensions);
    return 2 * dimensions;
}

Neighbours neighbours_of(MPI_Comm comm) {
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

int swapped_neighbour(MPI_Comm comm, int i) {
    int negative = MPI_PROC_NULL;
    int positive = MPI_PROC_NULL;
    PMPI_Cart_shift(comm, i / 2, 1, &negative, &positive);
    return negative == positive ? i ^ 1 : i;
}

} // namespace loomp::mpi
