// next::X passes a call of the program to the next function MPI_X: a tool's, or the library's
// (mpi/adapters/tools.h). The layer's own questions are PMPI_X, which tools do not see.
//
// Written by mpi/interface/generate.py from mpi/interface/functions.txt; change that table.
#pragma once

#include <mpi.h>

/// A function of mpi/adapters/gated_calls.S.
#define LOOMP_NEXT_CALL(NAME) extern decltype(::PMPI_##NAME) NAME __asm__("loomp_next_PMPI_" #NAME);

namespace loomp::mpi::next {

LOOMP_NEXT_CALL(Allgather)
LOOMP_NEXT_CALL(Allgatherv)
LOOMP_NEXT_CALL(Allreduce)
LOOMP_NEXT_CALL(Alltoall)
LOOMP_NEXT_CALL(Alltoallv)
LOOMP_NEXT_CALL(Alltoallw)
LOOMP_NEXT_CALL(Barrier)
LOOMP_NEXT_CALL(Bcast)
LOOMP_NEXT_CALL(Bsend)
LOOMP_NEXT_CALL(Cancel)
LOOMP_NEXT_CALL(Cart_create)
LOOMP_NEXT_CALL(Cart_sub)
LOOMP_NEXT_CALL(Comm_accept)
LOOMP_NEXT_CALL(Comm_connect)
LOOMP_NEXT_CALL(Comm_create)
LOOMP_NEXT_CALL(Comm_create_errhandler)
LOOMP_NEXT_CALL(Comm_create_group)
LOOMP_NEXT_CALL(Comm_disconnect)
LOOMP_NEXT_CALL(Comm_dup)
LOOMP_NEXT_CALL(Comm_dup_with_info)
LOOMP_NEXT_CALL(Comm_get_errhandler)
LOOMP_NEXT_CALL(Comm_idup)
LOOMP_NEXT_CALL(Comm_join)
LOOMP_NEXT_CALL(Comm_set_errhandler)
LOOMP_NEXT_CALL(Comm_spawn)
LOOMP_NEXT_CALL(Comm_spawn_multiple)
LOOMP_NEXT_CALL(Comm_split)
LOOMP_NEXT_CALL(Comm_split_type)
LOOMP_NEXT_CALL(Dist_graph_create)
LOOMP_NEXT_CALL(Dist_graph_create_adjacent)
LOOMP_NEXT_CALL(Exscan)
LOOMP_NEXT_CALL(File_close)
LOOMP_NEXT_CALL(File_open)
LOOMP_NEXT_CALL(File_preallocate)
LOOMP_NEXT_CALL(File_read)
LOOMP_NEXT_CALL(File_read_all)
LOOMP_NEXT_CALL(File_read_all_begin)
LOOMP_NEXT_CALL(File_read_all_end)
LOOMP_NEXT_CALL(File_read_at)
LOOMP_NEXT_CALL(File_read_at_all)
LOOMP_NEXT_CALL(File_read_at_all_begin)
LOOMP_NEXT_CALL(File_read_at_all_end)
LOOMP_NEXT_CALL(File_read_ordered)
LOOMP_NEXT_CALL(File_read_ordered_begin)
LOOMP_NEXT_CALL(File_read_ordered_end)
LOOMP_NEXT_CALL(File_read_shared)
LOOMP_NEXT_CALL(File_seek_shared)
LOOMP_NEXT_CALL(File_set_atomicity)
LOOMP_NEXT_CALL(File_set_info)
LOOMP_NEXT_CALL(File_set_size)
LOOMP_NEXT_CALL(File_set_view)
LOOMP_NEXT_CALL(File_sync)
LOOMP_NEXT_CALL(File_write)
LOOMP_NEXT_CALL(File_write_all)
LOOMP_NEXT_CALL(File_write_all_begin)
LOOMP_NEXT_CALL(File_write_all_end)
LOOMP_NEXT_CALL(File_write_at)
LOOMP_NEXT_CALL(File_write_at_all)
LOOMP_NEXT_CALL(File_write_at_all_begin)
LOOMP_NEXT_CALL(File_write_at_all_end)
LOOMP_NEXT_CALL(File_write_ordered)
LOOMP_NEXT_CALL(File_write_ordered_begin)
LOOMP_NEXT_CALL(File_write_ordered_end)
LOOMP_NEXT_CALL(File_write_shared)
LOOMP_NEXT_CALL(Finalize)
LOOMP_NEXT_CALL(Gather)
LOOMP_NEXT_CALL(Gatherv)
LOOMP_NEXT_CALL(Graph_create)
LOOMP_NEXT_CALL(Grequest_start)
LOOMP_NEXT_CALL(Iallgather)
LOOMP_NEXT_CALL(Iallgatherv)
LOOMP_NEXT_CALL(Iallreduce)
LOOMP_NEXT_CALL(Ialltoall)
LOOMP_NEXT_CALL(Ialltoallv)
LOOMP_NEXT_CALL(Ialltoallw)
LOOMP_NEXT_CALL(Ibarrier)
LOOMP_NEXT_CALL(Ibcast)
LOOMP_NEXT_CALL(Ibsend)
LOOMP_NEXT_CALL(Iexscan)
LOOMP_NEXT_CALL(Igather)
LOOMP_NEXT_CALL(Igatherv)
LOOMP_NEXT_CALL(Improbe)
LOOMP_NEXT_CALL(Imrecv)
LOOMP_NEXT_CALL(Ineighbor_allgather)
LOOMP_NEXT_CALL(Ineighbor_allgatherv)
LOOMP_NEXT_CALL(Ineighbor_alltoall)
LOOMP_NEXT_CALL(Ineighbor_alltoallv)
LOOMP_NEXT_CALL(Ineighbor_alltoallw)
LOOMP_NEXT_CALL(Intercomm_create)
LOOMP_NEXT_CALL(Intercomm_merge)
LOOMP_NEXT_CALL(Iprobe)
LOOMP_NEXT_CALL(Irecv)
LOOMP_NEXT_CALL(Ireduce)
LOOMP_NEXT_CALL(Ireduce_scatter)
LOOMP_NEXT_CALL(Ireduce_scatter_block)
LOOMP_NEXT_CALL(Irsend)
LOOMP_NEXT_CALL(Iscan)
LOOMP_NEXT_CALL(Iscatter)
LOOMP_NEXT_CALL(Iscatterv)
LOOMP_NEXT_CALL(Isend)
LOOMP_NEXT_CALL(Issend)
LOOMP_NEXT_CALL(Mprobe)
LOOMP_NEXT_CALL(Mrecv)
LOOMP_NEXT_CALL(Neighbor_allgather)
LOOMP_NEXT_CALL(Neighbor_allgatherv)
LOOMP_NEXT_CALL(Neighbor_alltoall)
LOOMP_NEXT_CALL(Neighbor_alltoallv)
LOOMP_NEXT_CALL(Neighbor_alltoallw)
LOOMP_NEXT_CALL(Op_create)
LOOMP_NEXT_CALL(Probe)
LOOMP_NEXT_CALL(Recv)
LOOMP_NEXT_CALL(Reduce)
LOOMP_NEXT_CALL(Reduce_scatter)
LOOMP_NEXT_CALL(Reduce_scatter_block)
LOOMP_NEXT_CALL(Request_free)
LOOMP_NEXT_CALL(Rsend)
LOOMP_NEXT_CALL(Scan)
LOOMP_NEXT_CALL(Scatter)
LOOMP_NEXT_CALL(Scatterv)
LOOMP_NEXT_CALL(Send)
LOOMP_NEXT_CALL(Sendrecv)
LOOMP_NEXT_CALL(Sendrecv_replace)
LOOMP_NEXT_CALL(Ssend)
LOOMP_NEXT_CALL(Start)
LOOMP_NEXT_CALL(Test)
LOOMP_NEXT_CALL(Testall)
LOOMP_NEXT_CALL(Testany)
LOOMP_NEXT_CALL(Testsome)
LOOMP_NEXT_CALL(Wait)
LOOMP_NEXT_CALL(Waitall)
LOOMP_NEXT_CALL(Waitany)
LOOMP_NEXT_CALL(Waitsome)
LOOMP_NEXT_CALL(Win_allocate)
LOOMP_NEXT_CALL(Win_allocate_shared)
LOOMP_NEXT_CALL(Win_complete)
LOOMP_NEXT_CALL(Win_create)
LOOMP_NEXT_CALL(Win_create_dynamic)
LOOMP_NEXT_CALL(Win_fence)
LOOMP_NEXT_CALL(Win_free)
LOOMP_NEXT_CALL(Win_start)
LOOMP_NEXT_CALL(Win_wait)

#if MPI_VERSION >= 4
LOOMP_NEXT_CALL(Allgather_c)
LOOMP_NEXT_CALL(Allgatherv_c)
LOOMP_NEXT_CALL(Allreduce_c)
LOOMP_NEXT_CALL(Alltoall_c)
LOOMP_NEXT_CALL(Alltoallv_c)
LOOMP_NEXT_CALL(Alltoallw_c)
LOOMP_NEXT_CALL(Bcast_c)
LOOMP_NEXT_CALL(Bsend_c)
LOOMP_NEXT_CALL(Comm_create_from_group)
LOOMP_NEXT_CALL(Exscan_c)
LOOMP_NEXT_CALL(File_read_all_begin_c)
LOOMP_NEXT_CALL(File_read_all_c)
LOOMP_NEXT_CALL(File_read_at_all_begin_c)
LOOMP_NEXT_CALL(File_read_at_all_c)
LOOMP_NEXT_CALL(File_read_at_c)
LOOMP_NEXT_CALL(File_read_c)
LOOMP_NEXT_CALL(File_read_ordered_begin_c)
LOOMP_NEXT_CALL(File_read_ordered_c)
LOOMP_NEXT_CALL(File_read_shared_c)
LOOMP_NEXT_CALL(File_write_all_begin_c)
LOOMP_NEXT_CALL(File_write_all_c)
LOOMP_NEXT_CALL(File_write_at_all_begin_c)
LOOMP_NEXT_CALL(File_write_at_all_c)
LOOMP_NEXT_CALL(File_write_at_c)
LOOMP_NEXT_CALL(File_write_c)
LOOMP_NEXT_CALL(File_write_ordered_begin_c)
LOOMP_NEXT_CALL(File_write_ordered_c)
LOOMP_NEXT_CALL(File_write_shared_c)
LOOMP_NEXT_CALL(Gather_c)
LOOMP_NEXT_CALL(Gatherv_c)
LOOMP_NEXT_CALL(Iallgather_c)
LOOMP_NEXT_CALL(Iallgatherv_c)
LOOMP_NEXT_CALL(Iallreduce_c)
LOOMP_NEXT_CALL(Ialltoall_c)
LOOMP_NEXT_CALL(Ialltoallv_c)
LOOMP_NEXT_CALL(Ialltoallw_c)
LOOMP_NEXT_CALL(Ibcast_c)
LOOMP_NEXT_CALL(Ibsend_c)
LOOMP_NEXT_CALL(Iexscan_c)
LOOMP_NEXT_CALL(Igather_c)
LOOMP_NEXT_CALL(Igatherv_c)
LOOMP_NEXT_CALL(Imrecv_c)
LOOMP_NEXT_CALL(Ineighbor_allgather_c)
LOOMP_NEXT_CALL(Ineighbor_allgatherv_c)
LOOMP_NEXT_CALL(Ineighbor_alltoall_c)
LOOMP_NEXT_CALL(Ineighbor_alltoallv_c)
LOOMP_NEXT_CALL(Ineighbor_alltoallw_c)
LOOMP_NEXT_CALL(Intercomm_create_from_groups)
LOOMP_NEXT_CALL(Irecv_c)
LOOMP_NEXT_CALL(Ireduce_c)
LOOMP_NEXT_CALL(Ireduce_scatter_block_c)
LOOMP_NEXT_CALL(Ireduce_scatter_c)
LOOMP_NEXT_CALL(Irsend_c)
LOOMP_NEXT_CALL(Iscan_c)
LOOMP_NEXT_CALL(Iscatter_c)
LOOMP_NEXT_CALL(Iscatterv_c)
LOOMP_NEXT_CALL(Isend_c)
LOOMP_NEXT_CALL(Issend_c)
LOOMP_NEXT_CALL(Mrecv_c)
LOOMP_NEXT_CALL(Neighbor_allgather_c)
LOOMP_NEXT_CALL(Neighbor_allgatherv_c)
LOOMP_NEXT_CALL(Neighbor_alltoall_c)
LOOMP_NEXT_CALL(Neighbor_alltoallv_c)
LOOMP_NEXT_CALL(Neighbor_alltoallw_c)
LOOMP_NEXT_CALL(Op_create_c)
LOOMP_NEXT_CALL(Precv_init)
LOOMP_NEXT_CALL(Psend_init)
LOOMP_NEXT_CALL(Recv_c)
LOOMP_NEXT_CALL(Reduce_c)
LOOMP_NEXT_CALL(Reduce_scatter_block_c)
LOOMP_NEXT_CALL(Reduce_scatter_c)
LOOMP_NEXT_CALL(Rsend_c)
LOOMP_NEXT_CALL(Scan_c)
LOOMP_NEXT_CALL(Scatter_c)
LOOMP_NEXT_CALL(Scatterv_c)
LOOMP_NEXT_CALL(Send_c)
LOOMP_NEXT_CALL(Sendrecv_c)
LOOMP_NEXT_CALL(Sendrecv_replace_c)
LOOMP_NEXT_CALL(Ssend_c)
LOOMP_NEXT_CALL(Win_allocate_c)
LOOMP_NEXT_CALL(Win_allocate_shared_c)
LOOMP_NEXT_CALL(Win_create_c)
#endif

} // namespace loomp::mpi::next

#undef LOOMP_NEXT_CALL

/// The functions that would hold a task's thread without the layer: X(NAME without MPI_).
#define LOOMP_WAITING_CALLS(X)                                                                     \
    X(Send)                                                                                        \
    X(Ssend)                                                                                       \
    X(Rsend)                                                                                       \
    X(Recv)                                                                                        \
    X(Mrecv)                                                                                       \
    X(Sendrecv)                                                                                    \
    X(Sendrecv_replace)                                                                            \
    X(Probe)                                                                                       \
    X(Mprobe)                                                                                      \
    X(Wait)                                                                                        \
    X(Waitall)                                                                                     \
    X(Waitany)                                                                                     \
    X(Waitsome)                                                                                    \
    X(Win_wait)                                                                                    \
    X(Barrier)                                                                                     \
    X(Bcast)                                                                                       \
    X(Gather)                                                                                      \
    X(Gatherv)                                                                                     \
    X(Scatter)                                                                                     \
    X(Scatterv)                                                                                    \
    X(Allgather)                                                                                   \
    X(Allgatherv)                                                                                  \
    X(Alltoall)                                                                                    \
    X(Alltoallv)                                                                                   \
    X(Alltoallw)                                                                                   \
    X(Reduce)                                                                                      \
    X(Allreduce)                                                                                   \
    X(Reduce_scatter)                                                                              \
    X(Reduce_scatter_block)                                                                        \
    X(Scan)                                                                                        \
    X(Exscan)                                                                                      \
    X(Neighbor_allgather)                                                                          \
    X(Neighbor_allgatherv)                                                                         \
    X(Neighbor_alltoall)                                                                           \
    X(Neighbor_alltoallv)                                                                          \
    X(Neighbor_alltoallw)                                                                          \
    X(Comm_dup)                                                                                    \
    X(Comm_dup_with_info)                                                                          \
    X(Comm_create)                                                                                 \
    X(Comm_create_group)                                                                           \
    X(Comm_split)                                                                                  \
    X(Comm_split_type)                                                                             \
    X(Intercomm_create)                                                                            \
    X(Intercomm_merge)                                                                             \
    X(Cart_create)                                                                                 \
    X(Cart_sub)                                                                                    \
    X(Graph_create)                                                                                \
    X(Dist_graph_create)                                                                           \
    X(Dist_graph_create_adjacent)                                                                  \
    X(Comm_disconnect)                                                                             \
    X(Comm_accept)                                                                                 \
    X(Comm_connect)                                                                                \
    X(Comm_join)                                                                                   \
    X(Comm_spawn)                                                                                  \
    X(Comm_spawn_multiple)                                                                         \
    X(Comm_create_from_group)                                                                      \
    X(Intercomm_create_from_groups)                                                                \
    X(Win_create)                                                                                  \
    X(Win_allocate)                                                                                \
    X(Win_allocate_shared)                                                                         \
    X(Win_create_dynamic)                                                                          \
    X(Win_free)                                                                                    \
    X(Win_fence)                                                                                   \
    X(Win_start)                                                                                   \
    X(Win_complete)                                                                                \
    X(File_open)                                                                                   \
    X(File_close)                                                                                  \
    X(File_read)                                                                                   \
    X(File_write)                                                                                  \
    X(File_read_shared)                                                                            \
    X(File_write_shared)                                                                           \
    X(File_read_all)                                                                               \
    X(File_write_all)                                                                              \
    X(File_read_ordered)                                                                           \
    X(File_write_ordered)                                                                          \
    X(File_read_at)                                                                                \
    X(File_write_at)                                                                               \
    X(File_read_at_all)                                                                            \
    X(File_write_at_all)                                                                           \
    X(File_sync)                                                                                   \
    X(File_set_size)                                                                               \
    X(File_preallocate)                                                                            \
    X(File_set_view)                                                                               \
    X(File_seek_shared)                                                                            \
    X(File_set_atomicity)                                                                          \
    X(File_read_all_begin)                                                                         \
    X(File_read_all_end)                                                                           \
    X(File_read_at_all_begin)                                                                      \
    X(File_read_at_all_end)                                                                        \
    X(File_read_ordered_begin)                                                                     \
    X(File_read_ordered_end)                                                                       \
    X(File_write_all_begin)                                                                        \
    X(File_write_all_end)                                                                          \
    X(File_write_at_all_begin)                                                                     \
    X(File_write_at_all_end)                                                                       \
    X(File_write_ordered_begin)                                                                    \
    X(File_write_ordered_end)                                                                      \
    X(File_set_info)

/// Those that the layer makes by other calls in tasks: X(NAME, BY), both without MPI_.
#define LOOMP_MADE_CALLS(X)                                                                        \
    X(Send, Isend)                                                                                 \
    X(Ssend, Issend)                                                                               \
    X(Rsend, Irsend)                                                                               \
    X(Recv, Irecv)                                                                                 \
    X(Mrecv, Imrecv)                                                                               \
    X(Sendrecv, Isend)                                                                             \
    X(Sendrecv_replace, Isend)                                                                     \
    X(Probe, Iprobe)                                                                               \
    X(Mprobe, Improbe)                                                                             \
    X(Wait, Test)                                                                                  \
    X(Waitall, Test)                                                                               \
    X(Waitany, Testany)                                                                            \
    X(Waitsome, Testsome)

/// Those that it makes by other calls everywhere.
#define LOOMP_MADE_COLLECTIVES(X)                                                                  \
    X(Barrier, Ibarrier)                                                                           \
    X(Bcast, Ibcast)                                                                               \
    X(Gather, Igather)                                                                             \
    X(Gatherv, Igatherv)                                                                           \
    X(Scatter, Iscatter)                                                                           \
    X(Scatterv, Iscatterv)                                                                         \
    X(Allgather, Iallgather)                                                                       \
    X(Allgatherv, Iallgatherv)                                                                     \
    X(Alltoall, Ialltoall)                                                                         \
    X(Alltoallv, Ialltoallv)                                                                       \
    X(Alltoallw, Ialltoallw)                                                                       \
    X(Reduce, Ireduce)                                                                             \
    X(Allreduce, Iallreduce)                                                                       \
    X(Reduce_scatter, Ireduce_scatter)                                                             \
    X(Reduce_scatter_block, Ireduce_scatter_block)                                                 \
    X(Scan, Iscan)                                                                                 \
    X(Exscan, Iexscan)                                                                             \
    X(Neighbor_allgather, Ineighbor_allgather)                                                     \
    X(Neighbor_allgatherv, Ineighbor_allgatherv)                                                   \
    X(Neighbor_alltoall, Ineighbor_alltoall)                                                       \
    X(Neighbor_alltoallv, Ineighbor_alltoallv)                                                     \
    X(Neighbor_alltoallw, Ineighbor_alltoallw)
