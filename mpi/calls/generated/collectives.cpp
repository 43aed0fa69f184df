// Written by mpi/interface/generate.py from mpi/interface/functions.txt; change that table.
#include "mpi/calls/allreduce.h"
#include "mpi/calls/alltoallv.h"
#include "mpi/calls/alltoallw.h"
#include "mpi/calls/call_kinds.h"
#include "mpi/calls/neighbours.h"
#include "platform/export.h"

using namespace loomp::mpi;

LOOMP_EXPORT int MPI_Barrier(MPI_Comm comm) {
    return collective<next::Barrier, next::Ibarrier>(
        {.name = "MPI_Barrier", .comm = comm, .from = LOOMP_CALLER}, comm);
}

LOOMP_EXPORT int MPI_Bcast(void *buffer, int count, MPI_Datatype type, int root, MPI_Comm comm) {
    return collective<next::Bcast, next::Ibcast>(
        {.name = "MPI_Bcast", .comm = comm, .from = LOOMP_CALLER}, buffer, count, type, root, comm);
}

LOOMP_EXPORT int MPI_Gather(const void *from, int from_count, MPI_Datatype from_type, void *to,
                            int count, MPI_Datatype type, int root, MPI_Comm comm) {
    return collective<next::Gather, next::Igather>(
        {.name = "MPI_Gather", .comm = comm, .from = LOOMP_CALLER}, from, from_count, from_type, to,
        count, type, root, comm);
}

LOOMP_EXPORT int MPI_Gatherv(const void *from, int from_count, MPI_Datatype from_type, void *to,
                             const int counts[], const int offsets[], MPI_Datatype type, int root,
                             MPI_Comm comm) {
    return collective<next::Gatherv, next::Igatherv>(
        {.name = "MPI_Gatherv", .comm = comm, .from = LOOMP_CALLER}, from, from_count, from_type,
        to, counts, offsets, type, root, comm);
}

LOOMP_EXPORT int MPI_Scatter(const void *from, int from_count, MPI_Datatype from_type, void *to,
                             int count, MPI_Datatype type, int root, MPI_Comm comm) {
    return collective<next::Scatter, next::Iscatter>(
        {.name = "MPI_Scatter", .comm = comm, .from = LOOMP_CALLER}, from, from_count, from_type,
        to, count, type, root, comm);
}

LOOMP_EXPORT int MPI_Scatterv(const void *from, const int counts[], const int offsets[],
                              MPI_Datatype from_type, void *to, int count, MPI_Datatype type,
                              int root, MPI_Comm comm) {
    return collective<next::Scatterv, next::Iscatterv>(
        {.name = "MPI_Scatterv", .comm = comm, .from = LOOMP_CALLER}, from, counts, offsets,
        from_type, to, count, type, root, comm);
}

LOOMP_EXPORT int MPI_Allgather(const void *from, int from_count, MPI_Datatype from_type, void *to,
                               int count, MPI_Datatype type, MPI_Comm comm) {
    return collective<next::Allgather, next::Iallgather>(
        {.name = "MPI_Allgather", .comm = comm, .from = LOOMP_CALLER}, from, from_count, from_type,
        to, count, type, comm);
}

LOOMP_EXPORT int MPI_Allgatherv(const void *from, int from_count, MPI_Datatype from_type, void *to,
                                const int counts[], const int offsets[], MPI_Datatype type,
                                MPI_Comm comm) {
    return collective<next::Allgatherv, next::Iallgatherv>(
        {.name = "MPI_Allgatherv", .comm = comm, .from = LOOMP_CALLER}, from, from_count, from_type,
        to, counts, offsets, type, comm);
}

LOOMP_EXPORT int MPI_Alltoall(const void *from, int from_count, MPI_Datatype from_type, void *to,
                              int count, MPI_Datatype type, MPI_Comm comm) {
    return collective<next::Alltoall, next::Ialltoall>(
        {.name = "MPI_Alltoall", .comm = comm, .from = LOOMP_CALLER}, from, from_count, from_type,
        to, count, type, comm);
}

LOOMP_EXPORT int MPI_Alltoallv(const void *from, const int from_counts[], const int from_offsets[],
                               MPI_Datatype from_type, void *to, const int counts[],
                               const int offsets[], MPI_Datatype type, MPI_Comm comm) {
    return alltoallv<next::Alltoallv, next::Ialltoallv>(
        {.name = "MPI_Alltoallv", .comm = comm, .from = LOOMP_CALLER}, from, from_counts,
        from_offsets, from_type, to, counts, offsets, type, comm);
}

LOOMP_EXPORT int MPI_Alltoallw(const void *from, const int from_counts[], const int from_offsets[],
                               const MPI_Datatype from_types[], void *to, const int counts[],
                               const int offsets[], const MPI_Datatype types[], MPI_Comm comm) {
    return alltoallw<next::Alltoallw, next::Ialltoallw>(
        {.name = "MPI_Alltoallw", .comm = comm, .from = LOOMP_CALLER}, from, from_counts,
        from_offsets, from_types, to, counts, offsets, types, comm);
}

LOOMP_EXPORT int MPI_Reduce(const void *from, void *to, int count, MPI_Datatype type, MPI_Op op,
                            int root, MPI_Comm comm) {
    return collective<next::Reduce, next::Ireduce>(
        {.name = "MPI_Reduce", .comm = comm, .from = LOOMP_CALLER}, from, to, count, type, op, root,
        comm);
}

LOOMP_EXPORT int MPI_Allreduce(const void *from, void *to, int count, MPI_Datatype type, MPI_Op op,
                               MPI_Comm comm) {
    return allreduce<next::Allreduce, next::Iallreduce>(
        {.name = "MPI_Allreduce", .comm = comm, .from = LOOMP_CALLER}, from, to, count, type, op,
        comm);
}

LOOMP_EXPORT int MPI_Reduce_scatter(const void *from, void *to, const int counts[],
                                    MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
    return collective<next::Reduce_scatter, next::Ireduce_scatter>(
        {.name = "MPI_Reduce_scatter", .comm = comm, .from = LOOMP_CALLER}, from, to, counts, type,
        op, comm);
}

LOOMP_EXPORT int MPI_Reduce_scatter_block(const void *from, void *to, int count, MPI_Datatype type,
                                          MPI_Op op, MPI_Comm comm) {
    return collective<next::Reduce_scatter_block, next::Ireduce_scatter_block>(
        {.name = "MPI_Reduce_scatter_block", .comm = comm, .from = LOOMP_CALLER}, from, to, count,
        type, op, comm);
}

LOOMP_EXPORT int MPI_Scan(const void *from, void *to, int count, MPI_Datatype type, MPI_Op op,
                          MPI_Comm comm) {
    return collective<next::Scan, next::Iscan>(
        {.name = "MPI_Scan", .comm = comm, .from = LOOMP_CALLER}, from, to, count, type, op, comm);
}

LOOMP_EXPORT int MPI_Exscan(const void *from, void *to, int count, MPI_Datatype type, MPI_Op op,
                            MPI_Comm comm) {
    return collective<next::Exscan, next::Iexscan>(
        {.name = "MPI_Exscan", .comm = comm, .from = LOOMP_CALLER}, from, to, count, type, op,
        comm);
}

LOOMP_EXPORT int MPI_Neighbor_allgather(const void *from, int from_count, MPI_Datatype from_type,
                                        void *to, int count, MPI_Datatype type, MPI_Comm comm) {
    return collective<next::Neighbor_allgather, next::Ineighbor_allgather>(
        {.name = "MPI_Neighbor_allgather", .comm = comm, .from = LOOMP_CALLER}, from, from_count,
        from_type, to, count, type, comm);
}

LOOMP_EXPORT int MPI_Neighbor_allgatherv(const void *from, int from_count, MPI_Datatype from_type,
                                         void *to, const int counts[], const int offsets[],
                                         MPI_Datatype type, MPI_Comm comm) {
    return collective<next::Neighbor_allgatherv, next::Ineighbor_allgatherv>(
        {.name = "MPI_Neighbor_allgatherv", .comm = comm, .from = LOOMP_CALLER}, from, from_count,
        from_type, to, counts, offsets, type, comm);
}

LOOMP_EXPORT int MPI_Neighbor_alltoall(const void *from, int from_count, MPI_Datatype from_type,
                                       void *to, int count, MPI_Datatype type, MPI_Comm comm) {
    return neighbours<next::Neighbor_alltoall, next::Ineighbor_alltoall, next::Ineighbor_alltoallw>(
        {.name = "MPI_Neighbor_alltoall", .comm = comm, .from = LOOMP_CALLER}, from, from_count,
        from_type, to, count, type, comm);
}

LOOMP_EXPORT int MPI_Neighbor_alltoallv(const void *from, const int from_counts[],
                                        const int from_offsets[], MPI_Datatype from_type, void *to,
                                        const int counts[], const int offsets[], MPI_Datatype type,
                                        MPI_Comm comm) {
    return neighbours<next::Neighbor_alltoallv, next::Ineighbor_alltoallv,
                      next::Ineighbor_alltoallw>(
        {.name = "MPI_Neighbor_alltoallv", .comm = comm, .from = LOOMP_CALLER}, from, from_counts,
        from_offsets, from_type, to, counts, offsets, type, comm);
}

LOOMP_EXPORT int MPI_Neighbor_alltoallw(const void *from, const int from_counts[],
                                        const MPI_Aint from_offsets[],
                                        const MPI_Datatype from_types[], void *to,
                                        const int counts[], const MPI_Aint offsets[],
                                        const MPI_Datatype types[], MPI_Comm comm) {
    return neighbours<next::Neighbor_alltoallw, next::Ineighbor_alltoallw,
                      next::Ineighbor_alltoallw>(
        {.name = "MPI_Neighbor_alltoallw", .comm = comm, .from = LOOMP_CALLER}, from, from_counts,
        from_offsets, from_types, to, counts, offsets, types, comm);
}

#if MPI_VERSION >= 4
LOOMP_EXPORT int MPI_Bcast_c(void *buffer, MPI_Count count, MPI_Datatype type, int root,
                             MPI_Comm comm) {
    return collective<next::Bcast_c, next::Ibcast_c>(
        {.name = "MPI_Bcast_c", .comm = comm, .from = LOOMP_CALLER}, buffer, count, type, root,
        comm);
}

LOOMP_EXPORT int MPI_Gather_c(const void *from, MPI_Count from_count, MPI_Datatype from_type,
                              void *to, MPI_Count count, MPI_Datatype type, int root,
                              MPI_Comm comm) {
    return collective<next::Gather_c, next::Igather_c>(
        {.name = "MPI_Gather_c", .comm = comm, .from = LOOMP_CALLER}, from, from_count, from_type,
        to, count, type, root, comm);
}

LOOMP_EXPORT int MPI_Gatherv_c(const void *from, MPI_Count from_count, MPI_Datatype from_type,
                               void *to, const MPI_Count counts[], const MPI_Aint offsets[],
                               MPI_Datatype type, int root, MPI_Comm comm) {
    return collective<next::Gatherv_c, next::Igatherv_c>(
        {.name = "MPI_Gatherv_c", .comm = comm, .from = LOOMP_CALLER}, from, from_count, from_type,
        to, counts, offsets, type, root, comm);
}

LOOMP_EXPORT int MPI_Scatter_c(const void *from, MPI_Count from_count, MPI_Datatype from_type,
                               void *to, MPI_Count count, MPI_Datatype type, int root,
                               MPI_Comm comm) {
    return collective<next::Scatter_c, next::Iscatter_c>(
        {.name = "MPI_Scatter_c", .comm = comm, .from = LOOMP_CALLER}, from, from_count, from_type,
        to, count, type, root, comm);
}

LOOMP_EXPORT int MPI_Scatterv_c(const void *from, const MPI_Count counts[],
                                const MPI_Aint offsets[], MPI_Datatype from_type, void *to,
                                MPI_Count count, MPI_Datatype type, int root, MPI_Comm comm) {
    return collective<next::Scatterv_c, next::Iscatterv_c>(
        {.name = "MPI_Scatterv_c", .comm = comm, .from = LOOMP_CALLER}, from, counts, offsets,
        from_type, to, count, type, root, comm);
}

LOOMP_EXPORT int MPI_Allgather_c(const void *from, MPI_Count from_count, MPI_Datatype from_type,
                                 void *to, MPI_Count count, MPI_Datatype type, MPI_Comm comm) {
    return collective<next::Allgather_c, next::Iallgather_c>(
        {.name = "MPI_Allgather_c", .comm = comm, .from = LOOMP_CALLER}, from, from_count,
        from_type, to, count, type, comm);
}

LOOMP_EXPORT int MPI_Allgatherv_c(const void *from, MPI_Count from_count, MPI_Datatype from_type,
                                  void *to, const MPI_Count counts[], const MPI_Aint offsets[],
                                  MPI_Datatype type, MPI_Comm comm) {
    return collective<next::Allgatherv_c, next::Iallgatherv_c>(
        {.name = "MPI_Allgatherv_c", .comm = comm, .from = LOOMP_CALLER}, from, from_count,
        from_type, to, counts, offsets, type, comm);
}

LOOMP_EXPORT int MPI_Alltoall_c(const void *from, MPI_Count from_count, MPI_Datatype from_type,
                                void *to, MPI_Count count, MPI_Datatype type, MPI_Comm comm) {
    return collective<next::Alltoall_c, next::Ialltoall_c>(
        {.name = "MPI_Alltoall_c", .comm = comm, .from = LOOMP_CALLER}, from, from_count, from_type,
        to, count, type, comm);
}

LOOMP_EXPORT int MPI_Alltoallv_c(const void *from, const MPI_Count from_counts[],
                                 const MPI_Aint from_offsets[], MPI_Datatype from_type, void *to,
                                 const MPI_Count counts[], const MPI_Aint offsets[],
                                 MPI_Datatype type, MPI_Comm comm) {
    return alltoallv<next::Alltoallv_c, next::Ialltoallv_c>(
        {.name = "MPI_Alltoallv_c", .comm = comm, .from = LOOMP_CALLER}, from, from_counts,
        from_offsets, from_type, to, counts, offsets, type, comm);
}

LOOMP_EXPORT int MPI_Alltoallw_c(const void *from, const MPI_Count from_counts[],
                                 const MPI_Aint from_offsets[], const MPI_Datatype from_types[],
                                 void *to, const MPI_Count counts[], const MPI_Aint offsets[],
                                 const MPI_Datatype types[], MPI_Comm comm) {
    return alltoallw<next::Alltoallw_c, next::Ialltoallw_c>(
        {.name = "MPI_Alltoallw_c", .comm = comm, .from = LOOMP_CALLER}, from, from_counts,
        from_offsets, from_types, to, counts, offsets, types, comm);
}

LOOMP_EXPORT int MPI_Reduce_c(const void *from, void *to, MPI_Count count, MPI_Datatype type,
                              MPI_Op op, int root, MPI_Comm comm) {
    return collective<next::Reduce_c, next::Ireduce_c>(
        {.name = "MPI_Reduce_c", .comm = comm, .from = LOOMP_CALLER}, from, to, count, type, op,
        root, comm);
}

LOOMP_EXPORT int MPI_Allreduce_c(const void *from, void *to, MPI_Count count, MPI_Datatype type,
                                 MPI_Op op, MPI_Comm comm) {
    return allreduce<next::Allreduce_c, next::Iallreduce_c>(
        {.name = "MPI_Allreduce_c", .comm = comm, .from = LOOMP_CALLER}, from, to, count, type, op,
        comm);
}

LOOMP_EXPORT int MPI_Reduce_scatter_c(const void *from, void *to, const MPI_Count counts[],
                                      MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
    return collective<next::Reduce_scatter_c, next::Ireduce_scatter_c>(
        {.name = "MPI_Reduce_scatter_c", .comm = comm, .from = LOOMP_CALLER}, from, to, counts,
        type, op, comm);
}

LOOMP_EXPORT int MPI_Reduce_scatter_block_c(const void *from, void *to, MPI_Count count,
                                            MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
    return collective<next::Reduce_scatter_block_c, next::Ireduce_scatter_block_c>(
        {.name = "MPI_Reduce_scatter_block_c", .comm = comm, .from = LOOMP_CALLER}, from, to, count,
        type, op, comm);
}

LOOMP_EXPORT int MPI_Scan_c(const void *from, void *to, MPI_Count count, MPI_Datatype type,
                            MPI_Op op, MPI_Comm comm) {
    return collective<next::Scan_c, next::Iscan_c>(
        {.name = "MPI_Scan_c", .comm = comm, .from = LOOMP_CALLER}, from, to, count, type, op,
        comm);
}

LOOMP_EXPORT int MPI_Exscan_c(const void *from, void *to, MPI_Count count, MPI_Datatype type,
                              MPI_Op op, MPI_Comm comm) {
    return collective<next::Exscan_c, next::Iexscan_c>(
        {.name = "MPI_Exscan_c", .comm = comm, .from = LOOMP_CALLER}, from, to, count, type, op,
        comm);
}

LOOMP_EXPORT int MPI_Neighbor_allgather_c(const void *from, MPI_Count from_count,
                                          MPI_Datatype from_type, void *to, MPI_Count count,
                                          MPI_Datatype type, MPI_Comm comm) {
    return collective<next::Neighbor_allgather_c, next::Ineighbor_allgather_c>(
        {.name = "MPI_Neighbor_allgather_c", .comm = comm, .from = LOOMP_CALLER}, from, from_count,
        from_type, to, count, type, comm);
}

LOOMP_EXPORT int MPI_Neighbor_allgatherv_c(const void *from, MPI_Count from_count,
                                           MPI_Datatype from_type, void *to,
                                           const MPI_Count counts[], const MPI_Aint offsets[],
                                           MPI_Datatype type, MPI_Comm comm) {
    return collective<next::Neighbor_allgatherv_c, next::Ineighbor_allgatherv_c>(
        {.name = "MPI_Neighbor_allgatherv_c", .comm = comm, .from = LOOMP_CALLER}, from, from_count,
        from_type, to, counts, offsets, type, comm);
}

LOOMP_EXPORT int MPI_Neighbor_alltoall_c(const void *from, MPI_Count from_count,
                                         MPI_Datatype from_type, void *to, MPI_Count count,
                                         MPI_Datatype type, MPI_Comm comm) {
    return neighbours<next::Neighbor_alltoall_c, next::Ineighbor_alltoall_c,
                      next::Ineighbor_alltoallw_c>(
        {.name = "MPI_Neighbor_alltoall_c", .comm = comm, .from = LOOMP_CALLER}, from, from_count,
        from_type, to, count, type, comm);
}

LOOMP_EXPORT int MPI_Neighbor_alltoallv_c(const void *from, const MPI_Count from_counts[],
                                          const MPI_Aint from_offsets[], MPI_Datatype from_type,
                                          void *to, const MPI_Count counts[],
                                          const MPI_Aint offsets[], MPI_Datatype type,
                                          MPI_Comm comm) {
    return neighbours<next::Neighbor_alltoallv_c, next::Ineighbor_alltoallv_c,
                      next::Ineighbor_alltoallw_c>(
        {.name = "MPI_Neighbor_alltoallv_c", .comm = comm, .from = LOOMP_CALLER}, from, from_counts,
        from_offsets, from_type, to, counts, offsets, type, comm);
}

LOOMP_EXPORT int MPI_Neighbor_alltoallw_c(const void *from, const MPI_Count from_counts[],
                                          const MPI_Aint from_offsets[],
                                          const MPI_Datatype from_types[], void *to,
                                          const MPI_Count counts[], const MPI_Aint offsets[],
                                          const MPI_Datatype types[], MPI_Comm comm) {
    return neighbours<next::Neighbor_alltoallw_c, next::Ineighbor_alltoallw_c,
                      next::Ineighbor_alltoallw_c>(
        {.name = "MPI_Neighbor_alltoallw_c", .comm = comm, .from = LOOMP_CALLER}, from, from_counts,
        from_offsets, from_types, to, counts, offsets, types, comm);
}
#endif
