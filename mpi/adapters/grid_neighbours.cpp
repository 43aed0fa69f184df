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

int swapped_neighbour(MPI_Comm comm, int i) {
    int negative = MPI_PROC_NULL;
    int positive = MPI_PROC_NULL;
    PMPI_Cart_shift(comm, i / 2, 1, &negative, &positive);
    return negative == positive ? i ^ 1 : i;
}

} // namespace loomp::mpi
