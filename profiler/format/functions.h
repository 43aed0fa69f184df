// The MPI functions that are recorded, by number.
#pragma once

#include <cstdint>

// clang-format off
#define LOOMP_RECORDED_FUNCTIONS(X)                                                                \
    X(Init) X(Init_thread) X(Finalize)                                                             \
    X(Send) X(Bsend) X(Ssend) X(Rsend) X(Isend) X(Ibsend) X(Issend) X(Irsend)                      \
    X(Send_init) X(Bsend_init) X(Ssend_init) X(Rsend_init) X(Recv_init) X(Start) X(Startall)       \
    X(Psend_init) X(Precv_init)                                                                    \
    X(Recv) X(Irecv) X(Mrecv) X(Imrecv) X(Sendrecv) X(Sendrecv_replace)                            \
    X(Probe) X(Mprobe) X(Improbe)                                                                  \
    X(Wait) X(Waitall) X(Waitany) X(Waitsome) X(Test) X(Testall) X(Testany) X(Testsome)            \
    X(Barrier) X(Bcast) X(Gather) X(Gatherv) X(Scatter) X(Scatterv) X(Allgather) X(Allgatherv)     \
    X(Alltoall) X(Alltoallv) X(Alltoallw) X(Reduce) X(Allreduce) X(Reduce_scatter)                 \
    X(Reduce_scatter_block) X(Scan) X(Exscan)                                                      \
    X(Neighbor_allgather) X(Neighbor_allgatherv)                                                   \
    X(Neighbor_alltoall) X(Neighbor_alltoallv) X(Neighbor_alltoallw)                               \
    X(Ibarrier) X(Ibcast) X(Igather) X(Igatherv) X(Iscatter) X(Iscatterv) X(Iallgather)            \
    X(Iallgatherv) X(Ialltoall) X(Ialltoallv) X(Ialltoallw) X(Ireduce) X(Iallreduce)               \
    X(Ireduce_scatter) X(Ireduce_scatter_block) X(Iscan) X(Iexscan)                                \
    X(Ineighbor_allgather) X(Ineighbor_allgatherv)                                                 \
    X(Ineighbor_alltoall) X(Ineighbor_alltoallv) X(Ineighbor_alltoallw)                            \
    X(Comm_dup) X(Comm_dup_with_info) X(Comm_create) X(Comm_create_group) X(Comm_split)            \
    X(Comm_split_type) X(Cart_create) X(Cart_sub) X(Graph_create) X(Dist_graph_create)             \
    X(Dist_graph_create_adjacent) X(Intercomm_create) X(Intercomm_merge) X(Comm_free)
// clang-format on

namespace loomp::record {

#define LOOMP_NUMBER(NAME) NAME,
enum class Function : std::uint32_t { LOOMP_RECORDED_FUNCTIONS(LOOMP_NUMBER) };
#undef LOOMP_NUMBER

#define LOOMP_NAME(NAME) "MPI_" #NAME,
inline constexpr const char *kFunctionNames[] = {LOOMP_RECORDED_FUNCTIONS(LOOMP_NAME)};
#undef LOOMP_NAME

} // namespace loomp::record
