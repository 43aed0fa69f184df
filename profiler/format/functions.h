// The MPI functions that are recorded, by number.
// Written by mpi/interface/generate.py from mpi/interface/functions.txt; change that table.
#pragma once

#include <cstdint>

namespace loomp::record {

// clang-format off
enum class Function : std::uint32_t {
    Init, Init_thread, Finalize, Send, Isend, Send_init, Bsend, Ibsend, Bsend_init, Ssend, Issend,
    Ssend_init, Rsend, Irsend, Rsend_init, Recv, Irecv, Recv_init, Mrecv, Imrecv, Sendrecv,
    Sendrecv_replace, Isendrecv, Isendrecv_replace, Psend_init, Precv_init, Start, Startall,
    Probe, Mprobe, Improbe, Wait, Waitall, Waitany, Waitsome, Test, Testall, Testany, Testsome,
    Request_free, Request_get_status, Cancel, Barrier, Ibarrier, Barrier_init, Bcast, Ibcast,
    Bcast_init, Gather, Igather, Gather_init, Gatherv, Igatherv, Gatherv_init, Scatter, Iscatter,
    Scatter_init, Scatterv, Iscatterv, Scatterv_init, Allgather, Iallgather, Allgather_init,
    Allgatherv, Iallgatherv, Allgatherv_init, Alltoall, Ialltoall, Alltoall_init, Alltoallv,
    Ialltoallv, Alltoallv_init, Alltoallw, Ialltoallw, Alltoallw_init, Reduce, Ireduce,
    Reduce_init, Allreduce, Iallreduce, Allreduce_init, Reduce_scatter, Ireduce_scatter,
    Reduce_scatter_init, Reduce_scatter_block, Ireduce_scatter_block, Reduce_scatter_block_init,
    Scan, Iscan, Scan_init, Exscan, Iexscan, Exscan_init, Neighbor_allgather, Ineighbor_allgather,
    Neighbor_allgather_init, Neighbor_allgatherv, Ineighbor_allgatherv, Neighbor_allgatherv_init,
    Neighbor_alltoall, Ineighbor_alltoall, Neighbor_alltoall_init, Neighbor_alltoallv,
    Ineighbor_alltoallv, Neighbor_alltoallv_init, Neighbor_alltoallw, Ineighbor_alltoallw,
    Neighbor_alltoallw_init, Comm_dup, Comm_dup_with_info, Comm_idup, Comm_idup_with_info,
    Comm_create, Comm_create_group, Comm_split, Comm_split_type, Intercomm_create,
    Intercomm_merge, Cart_create, Cart_sub, Graph_create, Dist_graph_create,
    Dist_graph_create_adjacent, Comm_free, Comm_disconnect
};

inline constexpr const char *kFunctionNames[] = {
    "MPI_Init", "MPI_Init_thread", "MPI_Finalize", "MPI_Send", "MPI_Isend", "MPI_Send_init",
    "MPI_Bsend", "MPI_Ibsend", "MPI_Bsend_init", "MPI_Ssend", "MPI_Issend", "MPI_Ssend_init",
    "MPI_Rsend", "MPI_Irsend", "MPI_Rsend_init", "MPI_Recv", "MPI_Irecv", "MPI_Recv_init",
    "MPI_Mrecv", "MPI_Imrecv", "MPI_Sendrecv", "MPI_Sendrecv_replace", "MPI_Isendrecv",
    "MPI_Isendrecv_replace", "MPI_Psend_init", "MPI_Precv_init", "MPI_Start", "MPI_Startall",
    "MPI_Probe", "MPI_Mprobe", "MPI_Improbe", "MPI_Wait", "MPI_Waitall", "MPI_Waitany",
    "MPI_Waitsome", "MPI_Test", "MPI_Testall", "MPI_Testany", "MPI_Testsome", "MPI_Request_free",
    "MPI_Request_get_status", "MPI_Cancel", "MPI_Barrier", "MPI_Ibarrier", "MPI_Barrier_init",
    "MPI_Bcast", "MPI_Ibcast", "MPI_Bcast_init", "MPI_Gather", "MPI_Igather", "MPI_Gather_init",
    "MPI_Gatherv", "MPI_Igatherv", "MPI_Gatherv_init", "MPI_Scatter", "MPI_Iscatter",
    "MPI_Scatter_init", "MPI_Scatterv", "MPI_Iscatterv", "MPI_Scatterv_init", "MPI_Allgather",
    "MPI_Iallgather", "MPI_Allgather_init", "MPI_Allgatherv", "MPI_Iallgatherv",
    "MPI_Allgatherv_init", "MPI_Alltoall", "MPI_Ialltoall", "MPI_Alltoall_init", "MPI_Alltoallv",
    "MPI_Ialltoallv", "MPI_Alltoallv_init", "MPI_Alltoallw", "MPI_Ialltoallw",
    "MPI_Alltoallw_init", "MPI_Reduce", "MPI_Ireduce", "MPI_Reduce_init", "MPI_Allreduce",
    "MPI_Iallreduce", "MPI_Allreduce_init", "MPI_Reduce_scatter", "MPI_Ireduce_scatter",
    "MPI_Reduce_scatter_init", "MPI_Reduce_scatter_block", "MPI_Ireduce_scatter_block",
    "MPI_Reduce_scatter_block_init", "MPI_Scan", "MPI_Iscan", "MPI_Scan_init", "MPI_Exscan",
    "MPI_Iexscan", "MPI_Exscan_init", "MPI_Neighbor_allgather", "MPI_Ineighbor_allgather",
    "MPI_Neighbor_allgather_init", "MPI_Neighbor_allgatherv", "MPI_Ineighbor_allgatherv",
    "MPI_Neighbor_allgatherv_init", "MPI_Neighbor_alltoall", "MPI_Ineighbor_alltoall",
    "MPI_Neighbor_alltoall_init", "MPI_Neighbor_alltoallv", "MPI_Ineighbor_alltoallv",
    "MPI_Neighbor_alltoallv_init", "MPI_Neighbor_alltoallw", "MPI_Ineighbor_alltoallw",
    "MPI_Neighbor_alltoallw_init", "MPI_Comm_dup", "MPI_Comm_dup_with_info", "MPI_Comm_idup",
    "MPI_Comm_idup_with_info", "MPI_Comm_create", "MPI_Comm_create_group", "MPI_Comm_split",
    "MPI_Comm_split_type", "MPI_Intercomm_create", "MPI_Intercomm_merge", "MPI_Cart_create",
    "MPI_Cart_sub", "MPI_Graph_create", "MPI_Dist_graph_create", "MPI_Dist_graph_create_adjacent",
    "MPI_Comm_free", "MPI_Comm_disconnect"
};
// clang-format on

} // namespace loomp::record
