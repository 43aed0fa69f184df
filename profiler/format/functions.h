// The MPI functions that are recorded, by number.
// Written by mpi/interface/generate.py from mpi/interface/functions.txt; change that table.
#pragma once

#include <cstdint>

namespace loomp::record {

// clang-format off
enum class Function : std::uint32_t {
    Init, Init_thread, Finalize, Send, Isend, Send_init, Bsend, Ibsend, Bsend_init, Ssend, Issend,
    Ssend_init, Rsend, Irsend, Rsend_init, Recv, Irecv, Recv_init, Mrecv, Imrecv, Sendrecv,
    Sendrecv_replace, Psend_init, Precv_init, Start, Startall, Probe, Mprobe, Improbe, Wait,
    Waitall, Waitany, Waitsome, Test, Testall, Testany, Testsome, Barrier, Ibarrier, Bcast,
    Ibcast, Gather, Igather, Gatherv, Igatherv, Scatter, Iscatter, Scatterv, Iscatterv, Allgather,
    Iallgather, Allgatherv, Iallgatherv, Alltoall, Ialltoall, Alltoallv, Ialltoallv, Alltoallw,
    Ialltoallw, Reduce, Ireduce, Allreduce, Iallreduce, Reduce_scatter, Ireduce_scatter,
    Reduce_scatter_block, Ireduce_scatter_block, Scan, Iscan, Exscan, Iexscan, Neighbor_allgather,
    Ineighbor_allgather, Neighbor_allgatherv, Ineighbor_allgatherv, Neighbor_alltoall,
    Ineighbor_alltoall, Neighbor_alltoallv, Ineighbor_alltoallv, Neighbor_alltoallw,
    Ineighbor_alltoallw, Comm_dup, Comm_dup_with_info, Comm_create, Comm_create_group, Comm_split,
    Comm_split_type, Intercomm_create, Intercomm_merge, Cart_create, Cart_sub, Graph_create,
    Dist_graph_create, Dist_graph_create_adjacent, Comm_free
};

inline constexpr const char *kFunctionNames[] = {
    "MPI_Init", "MPI_Init_thread", "MPI_Finalize", "MPI_Send", "MPI_Isend", "MPI_Send_init",
    "MPI_Bsend", "MPI_Ibsend", "MPI_Bsend_init", "MPI_Ssend", "MPI_Issend", "MPI_Ssend_init",
    "MPI_Rsend", "MPI_Irsend", "MPI_Rsend_init", "MPI_Recv", "MPI_Irecv", "MPI_Recv_init",
    "MPI_Mrecv", "MPI_Imrecv", "MPI_Sendrecv", "MPI_Sendrecv_replace", "MPI_Psend_init",
    "MPI_Precv_init", "MPI_Start", "MPI_Startall", "MPI_Probe", "MPI_Mprobe", "MPI_Improbe",
    "MPI_Wait", "MPI_Waitall", "MPI_Waitany", "MPI_Waitsome", "MPI_Test", "MPI_Testall",
    "MPI_Testany", "MPI_Testsome", "MPI_Barrier", "MPI_Ibarrier", "MPI_Bcast", "MPI_Ibcast",
    "MPI_Gather", "MPI_Igather", "MPI_Gatherv", "MPI_Igatherv", "MPI_Scatter", "MPI_Iscatter",
    "MPI_Scatterv", "MPI_Iscatterv", "MPI_Allgather", "MPI_Iallgather", "MPI_Allgatherv",
    "MPI_Iallgatherv", "MPI_Alltoall", "MPI_Ialltoall", "MPI_Alltoallv", "MPI_Ialltoallv",
    "MPI_Alltoallw", "MPI_Ialltoallw", "MPI_Reduce", "MPI_Ireduce", "MPI_Allreduce",
    "MPI_Iallreduce", "MPI_Reduce_scatter", "MPI_Ireduce_scatter", "MPI_Reduce_scatter_block",
    "MPI_Ireduce_scatter_block", "MPI_Scan", "MPI_Iscan", "MPI_Exscan", "MPI_Iexscan",
    "MPI_Neighbor_allgather", "MPI_Ineighbor_allgather", "MPI_Neighbor_allgatherv",
    "MPI_Ineighbor_allgatherv", "MPI_Neighbor_alltoall", "MPI_Ineighbor_alltoall",
    "MPI_Neighbor_alltoallv", "MPI_Ineighbor_alltoallv", "MPI_Neighbor_alltoallw",
    "MPI_Ineighbor_alltoallw", "MPI_Comm_dup", "MPI_Comm_dup_with_info", "MPI_Comm_create",
    "MPI_Comm_create_group", "MPI_Comm_split", "MPI_Comm_split_type", "MPI_Intercomm_create",
    "MPI_Intercomm_merge", "MPI_Cart_create", "MPI_Cart_sub", "MPI_Graph_create",
    "MPI_Dist_graph_create", "MPI_Dist_graph_create_adjacent", "MPI_Comm_free"
};
// clang-format on

} // namespace loomp::record
