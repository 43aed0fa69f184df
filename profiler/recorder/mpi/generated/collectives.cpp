// Written by mpi/interface/generate.py from mpi/interface/functions.txt; change that table.
#include "profiler/recorder/mpi/recorded_kinds.h"

using namespace loomp::record;

LOOMP_EXPORT int MPI_Barrier(MPI_Comm comm) {
    return collective(Function::Barrier, LOOMP_NEXT(Barrier), comm, Contents{}, comm);
}
LOOMP_EXPORT int MPI_Ibarrier(MPI_Comm comm, MPI_Request *request) {
    return start(Function::Ibarrier, LOOMP_NEXT(Ibarrier), Kind::collective, {.comm = comm},
                 Contents{}, request, comm);
}
#if MPI_VERSION >= 4
LOOMP_EXPORT int MPI_Barrier_init(MPI_Comm comm, MPI_Info info, MPI_Request *request) {
    return initialize(Function::Barrier_init, LOOMP_NEXT(Barrier_init), Kind::collective,
                      {.comm = comm}, Contents{}, request, comm, info);
}
#endif

LOOMP_EXPORT int MPI_Bcast(void *buffer, int count, MPI_Datatype type, int root, MPI_Comm comm) {
    return collective(
        Function::Bcast, LOOMP_NEXT(Bcast), comm, [&] { return one(root, count, type); }, buffer,
        count, type, root, comm);
}
LOOMP_EXPORT int MPI_Ibcast(void *buffer, int count, MPI_Datatype type, int root, MPI_Comm comm,
                            MPI_Request *request) {
    return start(
        Function::Ibcast, LOOMP_NEXT(Ibcast), Kind::collective, {.comm = comm},
        [&] { return one(root, count, type); }, request, buffer, count, type, root, comm);
}
#if MPI_VERSION >= 4
LOOMP_EXPORT int MPI_Bcast_init(void *buffer, int count, MPI_Datatype type, int root, MPI_Comm comm,
                                MPI_Info info, MPI_Request *request) {
    return initialize(
        Function::Bcast_init, LOOMP_NEXT(Bcast_init), Kind::collective, {.comm = comm},
        [&] { return one(root, count, type); }, request, buffer, count, type, root, comm, info);
}
#endif

LOOMP_EXPORT int MPI_Gather(const void *from, int from_count, MPI_Datatype from_type, void *to,
                            int count, MPI_Datatype type, int root, MPI_Comm comm) {
    return collective(
        Function::Gather, LOOMP_NEXT(Gather), comm,
        [&] {
            return is_root(root, comm) ? all(comm, count, type) : one(root, from_count, from_type);
        },
        from, from_count, from_type, to, count, type, root, comm);
}
LOOMP_EXPORT int MPI_Igather(const void *from, int from_count, MPI_Datatype from_type, void *to,
                             int count, MPI_Datatype type, int root, MPI_Comm comm,
                             MPI_Request *request) {
    return start(
        Function::Igather, LOOMP_NEXT(Igather), Kind::collective, {.comm = comm},
        [&] {
            return is_root(root, comm) ? all(comm, count, type) : one(root, from_count, from_type);
        },
        request, from, from_count, from_type, to, count, type, root, comm);
}
#if MPI_VERSION >= 4
LOOMP_EXPORT int MPI_Gather_init(const void *from, int from_count, MPI_Datatype from_type, void *to,
                                 int count, MPI_Datatype type, int root, MPI_Comm comm,
                                 MPI_Info info, MPI_Request *request) {
    return initialize(
        Function::Gather_init, LOOMP_NEXT(Gather_init), Kind::collective, {.comm = comm},
        [&] {
            return is_root(root, comm) ? all(comm, count, type) : one(root, from_count, from_type);
        },
        request, from, from_count, from_type, to, count, type, root, comm, info);
}
#endif

LOOMP_EXPORT int MPI_Gatherv(const void *from, int from_count, MPI_Datatype from_type, void *to,
                             const int counts[], const int offsets[], MPI_Datatype type, int root,
                             MPI_Comm comm) {
    return collective(
        Function::Gatherv, LOOMP_NEXT(Gatherv), comm,
        [&] {
            return is_root(root, comm) ? all(comm, counts, type) : one(root, from_count, from_type);
        },
        from, from_count, from_type, to, counts, offsets, type, root, comm);
}
LOOMP_EXPORT int MPI_Igatherv(const void *from, int from_count, MPI_Datatype from_type, void *to,
                              const int counts[], const int offsets[], MPI_Datatype type, int root,
                              MPI_Comm comm, MPI_Request *request) {
    return start(
        Function::Igatherv, LOOMP_NEXT(Igatherv), Kind::collective, {.comm = comm},
        [&] {
            return is_root(root, comm) ? all(comm, counts, type) : one(root, from_count, from_type);
        },
        request, from, from_count, from_type, to, counts, offsets, type, root, comm);
}
#if MPI_VERSION >= 4
LOOMP_EXPORT int MPI_Gatherv_init(const void *from, int from_count, MPI_Datatype from_type,
                                  void *to, const int counts[], const int offsets[],
                                  MPI_Datatype type, int root, MPI_Comm comm, MPI_Info info,
                                  MPI_Request *request) {
    return initialize(
        Function::Gatherv_init, LOOMP_NEXT(Gatherv_init), Kind::collective, {.comm = comm},
        [&] {
            return is_root(root, comm) ? all(comm, counts, type) : one(root, from_count, from_type);
        },
        request, from, from_count, from_type, to, counts, offsets, type, root, comm, info);
}
#endif

LOOMP_EXPORT int MPI_Scatter(const void *from, int from_count, MPI_Datatype from_type, void *to,
                             int count, MPI_Datatype type, int root, MPI_Comm comm) {
    return collective(
        Function::Scatter, LOOMP_NEXT(Scatter), comm,
        [&] {
            return is_root(root, comm) ? all(comm, from_count, from_type) : one(root, count, type);
        },
        from, from_count, from_type, to, count, type, root, comm);
}
LOOMP_EXPORT int MPI_Iscatter(const void *from, int from_count, MPI_Datatype from_type, void *to,
                              int count, MPI_Datatype type, int root, MPI_Comm comm,
                              MPI_Request *request) {
    return start(
        Function::Iscatter, LOOMP_NEXT(Iscatter), Kind::collective, {.comm = comm},
        [&] {
            return is_root(root, comm) ? all(comm, from_count, from_type) : one(root, count, type);
        },
        request, from, from_count, from_type, to, count, type, root, comm);
}
#if MPI_VERSION >= 4
LOOMP_EXPORT int MPI_Scatter_init(const void *from, int from_count, MPI_Datatype from_type,
                                  void *to, int count, MPI_Datatype type, int root, MPI_Comm comm,
                                  MPI_Info info, MPI_Request *request) {
    return initialize(
        Function::Scatter_init, LOOMP_NEXT(Scatter_init), Kind::collective, {.comm = comm},
        [&] {
            return is_root(root, comm) ? all(comm, from_count, from_type) : one(root, count, type);
        },
        request, from, from_count, from_type, to, count, type, root, comm, info);
}
#endif

LOOMP_EXPORT int MPI_Scatterv(const void *from, const int counts[], const int offsets[],
                              MPI_Datatype from_type, void *to, int count, MPI_Datatype type,
                              int root, MPI_Comm comm) {
    return collective(
        Function::Scatterv, LOOMP_NEXT(Scatterv), comm,
        [&] { return is_root(root, comm) ? all(comm, counts, from_type) : one(root, count, type); },
        from, counts, offsets, from_type, to, count, type, root, comm);
}
LOOMP_EXPORT int MPI_Iscatterv(const void *from, const int counts[], const int offsets[],
                               MPI_Datatype from_type, void *to, int count, MPI_Datatype type,
                               int root, MPI_Comm comm, MPI_Request *request) {
    return start(
        Function::Iscatterv, LOOMP_NEXT(Iscatterv), Kind::collective, {.comm = comm},
        [&] { return is_root(root, comm) ? all(comm, counts, from_type) : one(root, count, type); },
        request, from, counts, offsets, from_type, to, count, type, root, comm);
}
#if MPI_VERSION >= 4
LOOMP_EXPORT int MPI_Scatterv_init(const void *from, const int counts[], const int offsets[],
                                   MPI_Datatype from_type, void *to, int count, MPI_Datatype type,
                                   int root, MPI_Comm comm, MPI_Info info, MPI_Request *request) {
    return initialize(
        Function::Scatterv_init, LOOMP_NEXT(Scatterv_init), Kind::collective, {.comm = comm},
        [&] { return is_root(root, comm) ? all(comm, counts, from_type) : one(root, count, type); },
        request, from, counts, offsets, from_type, to, count, type, root, comm, info);
}
#endif

LOOMP_EXPORT int MPI_Allgather(const void *from, int from_count, MPI_Datatype from_type, void *to,
                               int count, MPI_Datatype type, MPI_Comm comm) {
    return collective(
        Function::Allgather, LOOMP_NEXT(Allgather), comm, [&] { return all(comm, count, type); },
        from, from_count, from_type, to, count, type, comm);
}
LOOMP_EXPORT int MPI_Iallgather(const void *from, int from_count, MPI_Datatype from_type, void *to,
                                int count, MPI_Datatype type, MPI_Comm comm, MPI_Request *request) {
    return start(
        Function::Iallgather, LOOMP_NEXT(Iallgather), Kind::collective, {.comm = comm},
        [&] { return all(comm, count, type); }, request, from, from_count, from_type, to, count,
        type, comm);
}
#if MPI_VERSION >= 4
LOOMP_EXPORT int MPI_Allgather_init(const void *from, int from_count, MPI_Datatype from_type,
                                    void *to, int count, MPI_Datatype type, MPI_Comm comm,
                                    MPI_Info info, MPI_Request *request) {
    return initialize(
        Function::Allgather_init, LOOMP_NEXT(Allgather_init), Kind::collective, {.comm = comm},
        [&] { return all(comm, count, type); }, request, from, from_count, from_type, to, count,
        type, comm, info);
}
#endif

LOOMP_EXPORT int MPI_Allgatherv(const void *from, int from_count, MPI_Datatype from_type, void *to,
                                const int counts[], const int offsets[], MPI_Datatype type,
                                MPI_Comm comm) {
    return collective(
        Function::Allgatherv, LOOMP_NEXT(Allgatherv), comm, [&] { return all(comm, counts, type); },
        from, from_count, from_type, to, counts, offsets, type, comm);
}
LOOMP_EXPORT int MPI_Iallgatherv(const void *from, int from_count, MPI_Datatype from_type, void *to,
                                 const int counts[], const int offsets[], MPI_Datatype type,
                                 MPI_Comm comm, MPI_Request *request) {
    return start(
        Function::Iallgatherv, LOOMP_NEXT(Iallgatherv), Kind::collective, {.comm = comm},
        [&] { return all(comm, counts, type); }, request, from, from_count, from_type, to, counts,
        offsets, type, comm);
}
#if MPI_VERSION >= 4
LOOMP_EXPORT int MPI_Allgatherv_init(const void *from, int from_count, MPI_Datatype from_type,
                                     void *to, const int counts[], const int offsets[],
                                     MPI_Datatype type, MPI_Comm comm, MPI_Info info,
                                     MPI_Request *request) {
    return initialize(
        Function::Allgatherv_init, LOOMP_NEXT(Allgatherv_init), Kind::collective, {.comm = comm},
        [&] { return all(comm, counts, type); }, request, from, from_count, from_type, to, counts,
        offsets, type, comm, info);
}
#endif

LOOMP_EXPORT int MPI_Alltoall(const void *from, int from_count, MPI_Datatype from_type, void *to,
                              int count, MPI_Datatype type, MPI_Comm comm) {
    return collective(
        Function::Alltoall, LOOMP_NEXT(Alltoall), comm, [&] { return all(comm, count, type); },
        from, from_count, from_type, to, count, type, comm);
}
LOOMP_EXPORT int MPI_Ialltoall(const void *from, int from_count, MPI_Datatype from_type, void *to,
                               int count, MPI_Datatype type, MPI_Comm comm, MPI_Request *request) {
    return start(
        Function::Ialltoall, LOOMP_NEXT(Ialltoall), Kind::collective, {.comm = comm},
        [&] { return all(comm, count, type); }, request, from, from_count, from_type, to, count,
        type, comm);
}
#if MPI_VERSION >= 4
LOOMP_EXPORT int MPI_Alltoall_init(const void *from, int from_count, MPI_Datatype from_type,
                                   void *to, int count, MPI_Datatype type, MPI_Comm comm,
                                   MPI_Info info, MPI_Request *request) {
    return initialize(
        Function::Alltoall_init, LOOMP_NEXT(Alltoall_init), Kind::collective, {.comm = comm},
        [&] { return all(comm, count, type); }, request, from, from_count, from_type, to, count,
        type, comm, info);
}
#endif

LOOMP_EXPORT int MPI_Alltoallv(const void *from, const int from_counts[], const int from_offsets[],
                               MPI_Datatype from_type, void *to, const int counts[],
                               const int offsets[], MPI_Datatype type, MPI_Comm comm) {
    return collective(
        Function::Alltoallv, LOOMP_NEXT(Alltoallv), comm,
        [&] { return both(from, comm, from_counts, from_type, counts, type); }, from, from_counts,
        from_offsets, from_type, to, counts, offsets, type, comm);
}
LOOMP_EXPORT int MPI_Ialltoallv(const void *from, const int from_counts[], const int from_offsets[],
                                MPI_Datatype from_type, void *to, const int counts[],
                                const int offsets[], MPI_Datatype type, MPI_Comm comm,
                                MPI_Request *request) {
    return start(
        Function::Ialltoallv, LOOMP_NEXT(Ialltoallv), Kind::collective, {.comm = comm},
        [&] { return both(from, comm, from_counts, from_type, counts, type); }, request, from,
        from_counts, from_offsets, from_type, to, counts, offsets, type, comm);
}
#if MPI_VERSION >= 4
LOOMP_EXPORT int MPI_Alltoallv_init(const void *from, const int from_counts[],
                                    const int from_offsets[], MPI_Datatype from_type, void *to,
                                    const int counts[], const int offsets[], MPI_Datatype type,
                                    MPI_Comm comm, MPI_Info info, MPI_Request *request) {
    return initialize(
        Function::Alltoallv_init, LOOMP_NEXT(Alltoallv_init), Kind::collective, {.comm = comm},
        [&] { return both(from, comm, from_counts, from_type, counts, type); }, request, from,
        from_counts, from_offsets, from_type, to, counts, offsets, type, comm, info);
}
#endif

LOOMP_EXPORT int MPI_Alltoallw(const void *from, const int from_counts[], const int from_offsets[],
                               const MPI_Datatype from_types[], void *to, const int counts[],
                               const int offsets[], const MPI_Datatype types[], MPI_Comm comm) {
    return collective(
        Function::Alltoallw, LOOMP_NEXT(Alltoallw), comm,
        [&] { return both(from, comm, from_counts, from_types, counts, types); }, from, from_counts,
        from_offsets, from_types, to, counts, offsets, types, comm);
}
LOOMP_EXPORT int MPI_Ialltoallw(const void *from, const int from_counts[], const int from_offsets[],
                                const MPI_Datatype from_types[], void *to, const int counts[],
                                const int offsets[], const MPI_Datatype types[], MPI_Comm comm,
                                MPI_Request *request) {
    return start(
        Function::Ialltoallw, LOOMP_NEXT(Ialltoallw), Kind::collective, {.comm = comm},
        [&] { return both(from, comm, from_counts, from_types, counts, types); }, request, from,
        from_counts, from_offsets, from_types, to, counts, offsets, types, comm);
}
#if MPI_VERSION >= 4
LOOMP_EXPORT int MPI_Alltoallw_init(const void *from, const int from_counts[],
                                    const int from_offsets[], const MPI_Datatype from_types[],
                                    void *to, const int counts[], const int offsets[],
                                    const MPI_Datatype types[], MPI_Comm comm, MPI_Info info,
                                    MPI_Request *request) {
    return initialize(
        Function::Alltoallw_init, LOOMP_NEXT(Alltoallw_init), Kind::collective, {.comm = comm},
        [&] { return both(from, comm, from_counts, from_types, counts, types); }, request, from,
        from_counts, from_offsets, from_types, to, counts, offsets, types, comm, info);
}
#endif

LOOMP_EXPORT int MPI_Reduce(const void *from, void *to, int count, MPI_Datatype type, MPI_Op op,
                            int root, MPI_Comm comm) {
    return collective(
        Function::Reduce, LOOMP_NEXT(Reduce), comm, [&] { return one(root, count, type); }, from,
        to, count, type, op, root, comm);
}
LOOMP_EXPORT int MPI_Ireduce(const void *from, void *to, int count, MPI_Datatype type, MPI_Op op,
                             int root, MPI_Comm comm, MPI_Request *request) {
    return start(
        Function::Ireduce, LOOMP_NEXT(Ireduce), Kind::collective, {.comm = comm},
        [&] { return one(root, count, type); }, request, from, to, count, type, op, root, comm);
}
#if MPI_VERSION >= 4
LOOMP_EXPORT int MPI_Reduce_init(const void *from, void *to, int count, MPI_Datatype type,
                                 MPI_Op op, int root, MPI_Comm comm, MPI_Info info,
                                 MPI_Request *request) {
    return initialize(
        Function::Reduce_init, LOOMP_NEXT(Reduce_init), Kind::collective, {.comm = comm},
        [&] { return one(root, count, type); }, request, from, to, count, type, op, root, comm,
        info);
}
#endif

LOOMP_EXPORT int MPI_Allreduce(const void *from, void *to, int count, MPI_Datatype type, MPI_Op op,
                               MPI_Comm comm) {
    return collective(
        Function::Allreduce, LOOMP_NEXT(Allreduce), comm, [&] { return bytes_of(count, type); },
        from, to, count, type, op, comm);
}
LOOMP_EXPORT int MPI_Iallreduce(const void *from, void *to, int count, MPI_Datatype type, MPI_Op op,
                                MPI_Comm comm, MPI_Request *request) {
    return start(
        Function::Iallreduce, LOOMP_NEXT(Iallreduce), Kind::collective, {.comm = comm},
        [&] { return bytes_of(count, type); }, request, from, to, count, type, op, comm);
}
#if MPI_VERSION >= 4
LOOMP_EXPORT int MPI_Allreduce_init(const void *from, void *to, int count, MPI_Datatype type,
                                    MPI_Op op, MPI_Comm comm, MPI_Info info, MPI_Request *request) {
    return initialize(
        Function::Allreduce_init, LOOMP_NEXT(Allreduce_init), Kind::collective, {.comm = comm},
        [&] { return bytes_of(count, type); }, request, from, to, count, type, op, comm, info);
}
#endif

LOOMP_EXPORT int MPI_Reduce_scatter(const void *from, void *to, const int counts[],
                                    MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
    return collective(
        Function::Reduce_scatter, LOOMP_NEXT(Reduce_scatter), comm,
        [&] { return group(comm, counts, type); }, from, to, counts, type, op, comm);
}
LOOMP_EXPORT int MPI_Ireduce_scatter(const void *from, void *to, const int counts[],
                                     MPI_Datatype type, MPI_Op op, MPI_Comm comm,
                                     MPI_Request *request) {
    return start(
        Function::Ireduce_scatter, LOOMP_NEXT(Ireduce_scatter), Kind::collective, {.comm = comm},
        [&] { return group(comm, counts, type); }, request, from, to, counts, type, op, comm);
}
#if MPI_VERSION >= 4
LOOMP_EXPORT int MPI_Reduce_scatter_init(const void *from, void *to, const int counts[],
                                         MPI_Datatype type, MPI_Op op, MPI_Comm comm, MPI_Info info,
                                         MPI_Request *request) {
    return initialize(
        Function::Reduce_scatter_init, LOOMP_NEXT(Reduce_scatter_init), Kind::collective,
        {.comm = comm}, [&] { return group(comm, counts, type); }, request, from, to, counts, type,
        op, comm, info);
}
#endif

LOOMP_EXPORT int MPI_Reduce_scatter_block(const void *from, void *to, int count, MPI_Datatype type,
                                          MPI_Op op, MPI_Comm comm) {
    return collective(
        Function::Reduce_scatter_block, LOOMP_NEXT(Reduce_scatter_block), comm,
        [&] { return group(comm, count, type); }, from, to, count, type, op, comm);
}
LOOMP_EXPORT int MPI_Ireduce_scatter_block(const void *from, void *to, int count, MPI_Datatype type,
                                           MPI_Op op, MPI_Comm comm, MPI_Request *request) {
    return start(
        Function::Ireduce_scatter_block, LOOMP_NEXT(Ireduce_scatter_block), Kind::collective,
        {.comm = comm}, [&] { return group(comm, count, type); }, request, from, to, count, type,
        op, comm);
}
#if MPI_VERSION >= 4
LOOMP_EXPORT int MPI_Reduce_scatter_block_init(const void *from, void *to, int count,
                                               MPI_Datatype type, MPI_Op op, MPI_Comm comm,
                                               MPI_Info info, MPI_Request *request) {
    return initialize(
        Function::Reduce_scatter_block_init, LOOMP_NEXT(Reduce_scatter_block_init),
        Kind::collective, {.comm = comm}, [&] { return group(comm, count, type); }, request, from,
        to, count, type, op, comm, info);
}
#endif

LOOMP_EXPORT int MPI_Scan(const void *from, void *to, int count, MPI_Datatype type, MPI_Op op,
                          MPI_Comm comm) {
    return collective(
        Function::Scan, LOOMP_NEXT(Scan), comm, [&] { return bytes_of(count, type); }, from, to,
        count, type, op, comm);
}
LOOMP_EXPORT int MPI_Iscan(const void *from, void *to, int count, MPI_Datatype type, MPI_Op op,
                           MPI_Comm comm, MPI_Request *request) {
    return start(
        Function::Iscan, LOOMP_NEXT(Iscan), Kind::collective, {.comm = comm},
        [&] { return bytes_of(count, type); }, request, from, to, count, type, op, comm);
}
#if MPI_VERSION >= 4
LOOMP_EXPORT int MPI_Scan_init(const void *from, void *to, int count, MPI_Datatype type, MPI_Op op,
                               MPI_Comm comm, MPI_Info info, MPI_Request *request) {
    return initialize(
        Function::Scan_init, LOOMP_NEXT(Scan_init), Kind::collective, {.comm = comm},
        [&] { return bytes_of(count, type); }, request, from, to, count, type, op, comm, info);
}
#endif

LOOMP_EXPORT int MPI_Exscan(const void *from, void *to, int count, MPI_Datatype type, MPI_Op op,
                            MPI_Comm comm) {
    return collective(
        Function::Exscan, LOOMP_NEXT(Exscan), comm, [&] { return bytes_of(count, type); }, from, to,
        count, type, op, comm);
}
LOOMP_EXPORT int MPI_Iexscan(const void *from, void *to, int count, MPI_Datatype type, MPI_Op op,
                             MPI_Comm comm, MPI_Request *request) {
    return start(
        Function::Iexscan, LOOMP_NEXT(Iexscan), Kind::collective, {.comm = comm},
        [&] { return bytes_of(count, type); }, request, from, to, count, type, op, comm);
}
#if MPI_VERSION >= 4
LOOMP_EXPORT int MPI_Exscan_init(const void *from, void *to, int count, MPI_Datatype type,
                                 MPI_Op op, MPI_Comm comm, MPI_Info info, MPI_Request *request) {
    return initialize(
        Function::Exscan_init, LOOMP_NEXT(Exscan_init), Kind::collective, {.comm = comm},
        [&] { return bytes_of(count, type); }, request, from, to, count, type, op, comm, info);
}
#endif

LOOMP_EXPORT int MPI_Neighbor_allgather(const void *from, int from_count, MPI_Datatype from_type,
                                        void *to, int count, MPI_Datatype type, MPI_Comm comm) {
    return collective(
        Function::Neighbor_allgather, LOOMP_NEXT(Neighbor_allgather), comm,
        [&] { return neighbours(comm, from_count, from_type, count, type); }, from, from_count,
        from_type, to, count, type, comm);
}
LOOMP_EXPORT int MPI_Ineighbor_allgather(const void *from, int from_count, MPI_Datatype from_type,
                                         void *to, int count, MPI_Datatype type, MPI_Comm comm,
                                         MPI_Request *request) {
    return start(
        Function::Ineighbor_allgather, LOOMP_NEXT(Ineighbor_allgather), Kind::collective,
        {.comm = comm}, [&] { return neighbours(comm, from_count, from_type, count, type); },
        request, from, from_count, from_type, to, count, type, comm);
}
#if MPI_VERSION >= 4
LOOMP_EXPORT int MPI_Neighbor_allgather_init(const void *from, int from_count,
                                             MPI_Datatype from_type, void *to, int count,
                                             MPI_Datatype type, MPI_Comm comm, MPI_Info info,
                                             MPI_Request *request) {
    return initialize(
        Function::Neighbor_allgather_init, LOOMP_NEXT(Neighbor_allgather_init), Kind::collective,
        {.comm = comm}, [&] { return neighbours(comm, from_count, from_type, count, type); },
        request, from, from_count, from_type, to, count, type, comm, info);
}
#endif

LOOMP_EXPORT int MPI_Neighbor_allgatherv(const void *from, int from_count, MPI_Datatype from_type,
                                         void *to, const int counts[], const int offsets[],
                                         MPI_Datatype type, MPI_Comm comm) {
    return collective(
        Function::Neighbor_allgatherv, LOOMP_NEXT(Neighbor_allgatherv), comm,
        [&] { return neighbours(comm, from_count, from_type, counts, type); }, from, from_count,
        from_type, to, counts, offsets, type, comm);
}
LOOMP_EXPORT int MPI_Ineighbor_allgatherv(const void *from, int from_count, MPI_Datatype from_type,
                                          void *to, const int counts[], const int offsets[],
                                          MPI_Datatype type, MPI_Comm comm, MPI_Request *request) {
    return start(
        Function::Ineighbor_allgatherv, LOOMP_NEXT(Ineighbor_allgatherv), Kind::collective,
        {.comm = comm}, [&] { return neighbours(comm, from_count, from_type, counts, type); },
        request, from, from_count, from_type, to, counts, offsets, type, comm);
}
#if MPI_VERSION >= 4
LOOMP_EXPORT int MPI_Neighbor_allgatherv_init(const void *from, int from_count,
                                              MPI_Datatype from_type, void *to, const int counts[],
                                              const int offsets[], MPI_Datatype type, MPI_Comm comm,
                                              MPI_Info info, MPI_Request *request) {
    return initialize(
        Function::Neighbor_allgatherv_init, LOOMP_NEXT(Neighbor_allgatherv_init), Kind::collective,
        {.comm = comm}, [&] { return neighbours(comm, from_count, from_type, counts, type); },
        request, from, from_count, from_type, to, counts, offsets, type, comm, info);
}
#endif

LOOMP_EXPORT int MPI_Neighbor_alltoall(const void *from, int from_count, MPI_Datatype from_type,
                                       void *to, int count, MPI_Datatype type, MPI_Comm comm) {
    return collective(
        Function::Neighbor_alltoall, LOOMP_NEXT(Neighbor_alltoall), comm,
        [&] { return neighbours(comm, from_count, from_type, count, type); }, from, from_count,
        from_type, to, count, type, comm);
}
LOOMP_EXPORT int MPI_Ineighbor_alltoall(const void *from, int from_count, MPI_Datatype from_type,
                                        void *to, int count, MPI_Datatype type, MPI_Comm comm,
                                        MPI_Request *request) {
    return start(
        Function::Ineighbor_alltoall, LOOMP_NEXT(Ineighbor_alltoall), Kind::collective,
        {.comm = comm}, [&] { return neighbours(comm, from_count, from_type, count, type); },
        request, from, from_count, from_type, to, count, type, comm);
}
#if MPI_VERSION >= 4
LOOMP_EXPORT int MPI_Neighbor_alltoall_init(const void *from, int from_count,
                                            MPI_Datatype from_type, void *to, int count,
                                            MPI_Datatype type, MPI_Comm comm, MPI_Info info,
                                            MPI_Request *request) {
    return initialize(
        Function::Neighbor_alltoall_init, LOOMP_NEXT(Neighbor_alltoall_init), Kind::collective,
        {.comm = comm}, [&] { return neighbours(comm, from_count, from_type, count, type); },
        request, from, from_count, from_type, to, count, type, comm, info);
}
#endif

LOOMP_EXPORT int MPI_Neighbor_alltoallv(const void *from, const int from_counts[],
                                        const int from_offsets[], MPI_Datatype from_type, void *to,
                                        const int counts[], const int offsets[], MPI_Datatype type,
                                        MPI_Comm comm) {
    return collective(
        Function::Neighbor_alltoallv, LOOMP_NEXT(Neighbor_alltoallv), comm,
        [&] { return neighbours(comm, from_counts, from_type, counts, type); }, from, from_counts,
        from_offsets, from_type, to, counts, offsets, type, comm);
}
LOOMP_EXPORT int MPI_Ineighbor_alltoallv(const void *from, const int from_counts[],
                                         const int from_offsets[], MPI_Datatype from_type, void *to,
                                         const int counts[], const int offsets[], MPI_Datatype type,
                                         MPI_Comm comm, MPI_Request *request) {
    return start(
        Function::Ineighbor_alltoallv, LOOMP_NEXT(Ineighbor_alltoallv), Kind::collective,
        {.comm = comm}, [&] { return neighbours(comm, from_counts, from_type, counts, type); },
        request, from, from_counts, from_offsets, from_type, to, counts, offsets, type, comm);
}
#if MPI_VERSION >= 4
LOOMP_EXPORT int MPI_Neighbor_alltoallv_init(const void *from, const int from_counts[],
                                             const int from_offsets[], MPI_Datatype from_type,
                                             void *to, const int counts[], const int offsets[],
                                             MPI_Datatype type, MPI_Comm comm, MPI_Info info,
                                             MPI_Request *request) {
    return initialize(
        Function::Neighbor_alltoallv_init, LOOMP_NEXT(Neighbor_alltoallv_init), Kind::collective,
        {.comm = comm}, [&] { return neighbours(comm, from_counts, from_type, counts, type); },
        request, from, from_counts, from_offsets, from_type, to, counts, offsets, type, comm, info);
}
#endif

LOOMP_EXPORT int MPI_Neighbor_alltoallw(const void *from, const int from_counts[],
                                        const MPI_Aint from_offsets[],
                                        const MPI_Datatype from_types[], void *to,
                                        const int counts[], const MPI_Aint offsets[],
                                        const MPI_Datatype types[], MPI_Comm comm) {
    return collective(
        Function::Neighbor_alltoallw, LOOMP_NEXT(Neighbor_alltoallw), comm,
        [&] { return neighbours(comm, from_counts, from_types, counts, types); }, from, from_counts,
        from_offsets, from_types, to, counts, offsets, types, comm);
}
LOOMP_EXPORT int MPI_Ineighbor_alltoallw(const void *from, const int from_counts[],
                                         const MPI_Aint from_offsets[],
                                         const MPI_Datatype from_types[], void *to,
                                         const int counts[], const MPI_Aint offsets[],
                                         const MPI_Datatype types[], MPI_Comm comm,
                                         MPI_Request *request) {
    return start(
        Function::Ineighbor_alltoallw, LOOMP_NEXT(Ineighbor_alltoallw), Kind::collective,
        {.comm = comm}, [&] { return neighbours(comm, from_counts, from_types, counts, types); },
        request, from, from_counts, from_offsets, from_types, to, counts, offsets, types, comm);
}
#if MPI_VERSION >= 4
LOOMP_EXPORT int MPI_Neighbor_alltoallw_init(const void *from, const int from_counts[],
                                             const MPI_Aint from_offsets[],
                                             const MPI_Datatype from_types[], void *to,
                                             const int counts[], const MPI_Aint offsets[],
                                             const MPI_Datatype types[], MPI_Comm comm,
                                             MPI_Info info, MPI_Request *request) {
    return initialize(
        Function::Neighbor_alltoallw_init, LOOMP_NEXT(Neighbor_alltoallw_init), Kind::collective,
        {.comm = comm}, [&] { return neighbours(comm, from_counts, from_types, counts, types); },
        request, from, from_counts, from_offsets, from_types, to, counts, offsets, types, comm,
        info);
}
#endif

#if MPI_VERSION >= 4
LOOMP_EXPORT int MPI_Bcast_c(void *buffer, MPI_Count count, MPI_Datatype type, int root,
                             MPI_Comm comm) {
    return collective(
        Function::Bcast, LOOMP_NEXT(Bcast_c), comm, [&] { return one(root, count, type); }, buffer,
        count, type, root, comm);
}
LOOMP_EXPORT int MPI_Ibcast_c(void *buffer, MPI_Count count, MPI_Datatype type, int root,
                              MPI_Comm comm, MPI_Request *request) {
    return start(
        Function::Ibcast, LOOMP_NEXT(Ibcast_c), Kind::collective, {.comm = comm},
        [&] { return one(root, count, type); }, request, buffer, count, type, root, comm);
}
LOOMP_EXPORT int MPI_Bcast_init_c(void *buffer, MPI_Count count, MPI_Datatype type, int root,
                                  MPI_Comm comm, MPI_Info info, MPI_Request *request) {
    return initialize(
        Function::Bcast_init, LOOMP_NEXT(Bcast_init_c), Kind::collective, {.comm = comm},
        [&] { return one(root, count, type); }, request, buffer, count, type, root, comm, info);
}

LOOMP_EXPORT int MPI_Gather_c(const void *from, MPI_Count from_count, MPI_Datatype from_type,
                              void *to, MPI_Count count, MPI_Datatype type, int root,
                              MPI_Comm comm) {
    return collective(
        Function::Gather, LOOMP_NEXT(Gather_c), comm,
        [&] {
            return is_root(root, comm) ? all(comm, count, type) : one(root, from_count, from_type);
        },
        from, from_count, from_type, to, count, type, root, comm);
}
LOOMP_EXPORT int MPI_Igather_c(const void *from, MPI_Count from_count, MPI_Datatype from_type,
                               void *to, MPI_Count count, MPI_Datatype type, int root,
                               MPI_Comm comm, MPI_Request *request) {
    return start(
        Function::Igather, LOOMP_NEXT(Igather_c), Kind::collective, {.comm = comm},
        [&] {
            return is_root(root, comm) ? all(comm, count, type) : one(root, from_count, from_type);
        },
        request, from, from_count, from_type, to, count, type, root, comm);
}
LOOMP_EXPORT int MPI_Gather_init_c(const void *from, MPI_Count from_count, MPI_Datatype from_type,
                                   void *to, MPI_Count count, MPI_Datatype type, int root,
                                   MPI_Comm comm, MPI_Info info, MPI_Request *request) {
    return initialize(
        Function::Gather_init, LOOMP_NEXT(Gather_init_c), Kind::collective, {.comm = comm},
        [&] {
            return is_root(root, comm) ? all(comm, count, type) : one(root, from_count, from_type);
        },
        request, from, from_count, from_type, to, count, type, root, comm, info);
}

LOOMP_EXPORT int MPI_Gatherv_c(const void *from, MPI_Count from_count, MPI_Datatype from_type,
                               void *to, const MPI_Count counts[], const MPI_Aint offsets[],
                               MPI_Datatype type, int root, MPI_Comm comm) {
    return collective(
        Function::Gatherv, LOOMP_NEXT(Gatherv_c), comm,
        [&] {
            return is_root(root, comm) ? all(comm, counts, type) : one(root, from_count, from_type);
        },
        from, from_count, from_type, to, counts, offsets, type, root, comm);
}
LOOMP_EXPORT int MPI_Igatherv_c(const void *from, MPI_Count from_count, MPI_Datatype from_type,
                                void *to, const MPI_Count counts[], const MPI_Aint offsets[],
                                MPI_Datatype type, int root, MPI_Comm comm, MPI_Request *request) {
    return start(
        Function::Igatherv, LOOMP_NEXT(Igatherv_c), Kind::collective, {.comm = comm},
        [&] {
            return is_root(root, comm) ? all(comm, counts, type) : one(root, from_count, from_type);
        },
        request, from, from_count, from_type, to, counts, offsets, type, root, comm);
}
LOOMP_EXPORT int MPI_Gatherv_init_c(const void *from, MPI_Count from_count, MPI_Datatype from_type,
                                    void *to, const MPI_Count counts[], const MPI_Aint offsets[],
                                    MPI_Datatype type, int root, MPI_Comm comm, MPI_Info info,
                                    MPI_Request *request) {
    return initialize(
        Function::Gatherv_init, LOOMP_NEXT(Gatherv_init_c), Kind::collective, {.comm = comm},
        [&] {
            return is_root(root, comm) ? all(comm, counts, type) : one(root, from_count, from_type);
        },
        request, from, from_count, from_type, to, counts, offsets, type, root, comm, info);
}

LOOMP_EXPORT int MPI_Scatter_c(const void *from, MPI_Count from_count, MPI_Datatype from_type,
                               void *to, MPI_Count count, MPI_Datatype type, int root,
                               MPI_Comm comm) {
    return collective(
        Function::Scatter, LOOMP_NEXT(Scatter_c), comm,
        [&] {
            return is_root(root, comm) ? all(comm, from_count, from_type) : one(root, count, type);
        },
        from, from_count, from_type, to, count, type, root, comm);
}
LOOMP_EXPORT int MPI_Iscatter_c(const void *from, MPI_Count from_count, MPI_Datatype from_type,
                                void *to, MPI_Count count, MPI_Datatype type, int root,
                                MPI_Comm comm, MPI_Request *request) {
    return start(
        Function::Iscatter, LOOMP_NEXT(Iscatter_c), Kind::collective, {.comm = comm},
        [&] {
            return is_root(root, comm) ? all(comm, from_count, from_type) : one(root, count, type);
        },
        request, from, from_count, from_type, to, count, type, root, comm);
}
LOOMP_EXPORT int MPI_Scatter_init_c(const void *from, MPI_Count from_count, MPI_Datatype from_type,
                                    void *to, MPI_Count count, MPI_Datatype type, int root,
                                    MPI_Comm comm, MPI_Info info, MPI_Request *request) {
    return initialize(
        Function::Scatter_init, LOOMP_NEXT(Scatter_init_c), Kind::collective, {.comm = comm},
        [&] {
            return is_root(root, comm) ? all(comm, from_count, from_type) : one(root, count, type);
        },
        request, from, from_count, from_type, to, count, type, root, comm, info);
}

LOOMP_EXPORT int MPI_Scatterv_c(const void *from, const MPI_Count counts[],
                                const MPI_Aint offsets[], MPI_Datatype from_type, void *to,
                                MPI_Count count, MPI_Datatype type, int root, MPI_Comm comm) {
    return collective(
        Function::Scatterv, LOOMP_NEXT(Scatterv_c), comm,
        [&] { return is_root(root, comm) ? all(comm, counts, from_type) : one(root, count, type); },
        from, counts, offsets, from_type, to, count, type, root, comm);
}
LOOMP_EXPORT int MPI_Iscatterv_c(const void *from, const MPI_Count counts[],
                                 const MPI_Aint offsets[], MPI_Datatype from_type, void *to,
                                 MPI_Count count, MPI_Datatype type, int root, MPI_Comm comm,
                                 MPI_Request *request) {
    return start(
        Function::Iscatterv, LOOMP_NEXT(Iscatterv_c), Kind::collective, {.comm = comm},
        [&] { return is_root(root, comm) ? all(comm, counts, from_type) : one(root, count, type); },
        request, from, counts, offsets, from_type, to, count, type, root, comm);
}
LOOMP_EXPORT int MPI_Scatterv_init_c(const void *from, const MPI_Count counts[],
                                     const MPI_Aint offsets[], MPI_Datatype from_type, void *to,
                                     MPI_Count count, MPI_Datatype type, int root, MPI_Comm comm,
                                     MPI_Info info, MPI_Request *request) {
    return initialize(
        Function::Scatterv_init, LOOMP_NEXT(Scatterv_init_c), Kind::collective, {.comm = comm},
        [&] { return is_root(root, comm) ? all(comm, counts, from_type) : one(root, count, type); },
        request, from, counts, offsets, from_type, to, count, type, root, comm, info);
}

LOOMP_EXPORT int MPI_Allgather_c(const void *from, MPI_Count from_count, MPI_Datatype from_type,
                                 void *to, MPI_Count count, MPI_Datatype type, MPI_Comm comm) {
    return collective(
        Function::Allgather, LOOMP_NEXT(Allgather_c), comm, [&] { return all(comm, count, type); },
        from, from_count, from_type, to, count, type, comm);
}
LOOMP_EXPORT int MPI_Iallgather_c(const void *from, MPI_Count from_count, MPI_Datatype from_type,
                                  void *to, MPI_Count count, MPI_Datatype type, MPI_Comm comm,
                                  MPI_Request *request) {
    return start(
        Function::Iallgather, LOOMP_NEXT(Iallgather_c), Kind::collective, {.comm = comm},
        [&] { return all(comm, count, type); }, request, from, from_count, from_type, to, count,
        type, comm);
}
LOOMP_EXPORT int MPI_Allgather_init_c(const void *from, MPI_Count from_count,
                                      MPI_Datatype from_type, void *to, MPI_Count count,
                                      MPI_Datatype type, MPI_Comm comm, MPI_Info info,
                                      MPI_Request *request) {
    return initialize(
        Function::Allgather_init, LOOMP_NEXT(Allgather_init_c), Kind::collective, {.comm = comm},
        [&] { return all(comm, count, type); }, request, from, from_count, from_type, to, count,
        type, comm, info);
}

LOOMP_EXPORT int MPI_Allgatherv_c(const void *from, MPI_Count from_count, MPI_Datatype from_type,
                                  void *to, const MPI_Count counts[], const MPI_Aint offsets[],
                                  MPI_Datatype type, MPI_Comm comm) {
    return collective(
        Function::Allgatherv, LOOMP_NEXT(Allgatherv_c), comm,
        [&] { return all(comm, counts, type); }, from, from_count, from_type, to, counts, offsets,
        type, comm);
}
LOOMP_EXPORT int MPI_Iallgatherv_c(const void *from, MPI_Count from_count, MPI_Datatype from_type,
                                   void *to, const MPI_Count counts[], const MPI_Aint offsets[],
                                   MPI_Datatype type, MPI_Comm comm, MPI_Request *request) {
    return start(
        Function::Iallgatherv, LOOMP_NEXT(Iallgatherv_c), Kind::collective, {.comm = comm},
        [&] { return all(comm, counts, type); }, request, from, from_count, from_type, to, counts,
        offsets, type, comm);
}
LOOMP_EXPORT int MPI_Allgatherv_init_c(const void *from, MPI_Count from_count,
                                       MPI_Datatype from_type, void *to, const MPI_Count counts[],
                                       const MPI_Aint offsets[], MPI_Datatype type, MPI_Comm comm,
                                       MPI_Info info, MPI_Request *request) {
    return initialize(
        Function::Allgatherv_init, LOOMP_NEXT(Allgatherv_init_c), Kind::collective, {.comm = comm},
        [&] { return all(comm, counts, type); }, request, from, from_count, from_type, to, counts,
        offsets, type, comm, info);
}

LOOMP_EXPORT int MPI_Alltoall_c(const void *from, MPI_Count from_count, MPI_Datatype from_type,
                                void *to, MPI_Count count, MPI_Datatype type, MPI_Comm comm) {
    return collective(
        Function::Alltoall, LOOMP_NEXT(Alltoall_c), comm, [&] { return all(comm, count, type); },
        from, from_count, from_type, to, count, type, comm);
}
LOOMP_EXPORT int MPI_Ialltoall_c(const void *from, MPI_Count from_count, MPI_Datatype from_type,
                                 void *to, MPI_Count count, MPI_Datatype type, MPI_Comm comm,
                                 MPI_Request *request) {
    return start(
        Function::Ialltoall, LOOMP_NEXT(Ialltoall_c), Kind::collective, {.comm = comm},
        [&] { return all(comm, count, type); }, request, from, from_count, from_type, to, count,
        type, comm);
}
LOOMP_EXPORT int MPI_Alltoall_init_c(const void *from, MPI_Count from_count, MPI_Datatype from_type,
                                     void *to, MPI_Count count, MPI_Datatype type, MPI_Comm comm,
                                     MPI_Info info, MPI_Request *request) {
    return initialize(
        Function::Alltoall_init, LOOMP_NEXT(Alltoall_init_c), Kind::collective, {.comm = comm},
        [&] { return all(comm, count, type); }, request, from, from_count, from_type, to, count,
        type, comm, info);
}

LOOMP_EXPORT int MPI_Alltoallv_c(const void *from, const MPI_Count from_counts[],
                                 const MPI_Aint from_offsets[], MPI_Datatype from_type, void *to,
                                 const MPI_Count counts[], const MPI_Aint offsets[],
                                 MPI_Datatype type, MPI_Comm comm) {
    return collective(
        Function::Alltoallv, LOOMP_NEXT(Alltoallv_c), comm,
        [&] { return both(from, comm, from_counts, from_type, counts, type); }, from, from_counts,
        from_offsets, from_type, to, counts, offsets, type, comm);
}
LOOMP_EXPORT int MPI_Ialltoallv_c(const void *from, const MPI_Count from_counts[],
                                  const MPI_Aint from_offsets[], MPI_Datatype from_type, void *to,
                                  const MPI_Count counts[], const MPI_Aint offsets[],
                                  MPI_Datatype type, MPI_Comm comm, MPI_Request *request) {
    return start(
        Function::Ialltoallv, LOOMP_NEXT(Ialltoallv_c), Kind::collective, {.comm = comm},
        [&] { return both(from, comm, from_counts, from_type, counts, type); }, request, from,
        from_counts, from_offsets, from_type, to, counts, offsets, type, comm);
}
LOOMP_EXPORT int MPI_Alltoallv_init_c(const void *from, const MPI_Count from_counts[],
                                      const MPI_Aint from_offsets[], MPI_Datatype from_type,
                                      void *to, const MPI_Count counts[], const MPI_Aint offsets[],
                                      MPI_Datatype type, MPI_Comm comm, MPI_Info info,
                                      MPI_Request *request) {
    return initialize(
        Function::Alltoallv_init, LOOMP_NEXT(Alltoallv_init_c), Kind::collective, {.comm = comm},
        [&] { return both(from, comm, from_counts, from_type, counts, type); }, request, from,
        from_counts, from_offsets, from_type, to, counts, offsets, type, comm, info);
}

LOOMP_EXPORT int MPI_Alltoallw_c(const void *from, const MPI_Count from_counts[],
                                 const MPI_Aint from_offsets[], const MPI_Datatype from_types[],
                                 void *to, const MPI_Count counts[], const MPI_Aint offsets[],
                                 const MPI_Datatype types[], MPI_Comm comm) {
    return collective(
        Function::Alltoallw, LOOMP_NEXT(Alltoallw_c), comm,
        [&] { return both(from, comm, from_counts, from_types, counts, types); }, from, from_counts,
        from_offsets, from_types, to, counts, offsets, types, comm);
}
LOOMP_EXPORT int MPI_Ialltoallw_c(const void *from, const MPI_Count from_counts[],
                                  const MPI_Aint from_offsets[], const MPI_Datatype from_types[],
                                  void *to, const MPI_Count counts[], const MPI_Aint offsets[],
                                  const MPI_Datatype types[], MPI_Comm comm, MPI_Request *request) {
    return start(
        Function::Ialltoallw, LOOMP_NEXT(Ialltoallw_c), Kind::collective, {.comm = comm},
        [&] { return both(from, comm, from_counts, from_types, counts, types); }, request, from,
        from_counts, from_offsets, from_types, to, counts, offsets, types, comm);
}
LOOMP_EXPORT int MPI_Alltoallw_init_c(const void *from, const MPI_Count from_counts[],
                                      const MPI_Aint from_offsets[],
                                      const MPI_Datatype from_types[], void *to,
                                      const MPI_Count counts[], const MPI_Aint offsets[],
                                      const MPI_Datatype types[], MPI_Comm comm, MPI_Info info,
                                      MPI_Request *request) {
    return initialize(
        Function::Alltoallw_init, LOOMP_NEXT(Alltoallw_init_c), Kind::collective, {.comm = comm},
        [&] { return both(from, comm, from_counts, from_types, counts, types); }, request, from,
        from_counts, from_offsets, from_types, to, counts, offsets, types, comm, info);
}

LOOMP_EXPORT int MPI_Reduce_c(const void *from, void *to, MPI_Count count, MPI_Datatype type,
                              MPI_Op op, int root, MPI_Comm comm) {
    return collective(
        Function::Reduce, LOOMP_NEXT(Reduce_c), comm, [&] { return one(root, count, type); }, from,
        to, count, type, op, root, comm);
}
LOOMP_EXPORT int MPI_Ireduce_c(const void *from, void *to, MPI_Count count, MPI_Datatype type,
                               MPI_Op op, int root, MPI_Comm comm, MPI_Request *request) {
    return start(
        Function::Ireduce, LOOMP_NEXT(Ireduce_c), Kind::collective, {.comm = comm},
        [&] { return one(root, count, type); }, request, from, to, count, type, op, root, comm);
}
LOOMP_EXPORT int MPI_Reduce_init_c(const void *from, void *to, MPI_Count count, MPI_Datatype type,
                                   MPI_Op op, int root, MPI_Comm comm, MPI_Info info,
                                   MPI_Request *request) {
    return initialize(
        Function::Reduce_init, LOOMP_NEXT(Reduce_init_c), Kind::collective, {.comm = comm},
        [&] { return one(root, count, type); }, request, from, to, count, type, op, root, comm,
        info);
}

LOOMP_EXPORT int MPI_Allreduce_c(const void *from, void *to, MPI_Count count, MPI_Datatype type,
                                 MPI_Op op, MPI_Comm comm) {
    return collective(
        Function::Allreduce, LOOMP_NEXT(Allreduce_c), comm, [&] { return bytes_of(count, type); },
        from, to, count, type, op, comm);
}
LOOMP_EXPORT int MPI_Iallreduce_c(const void *from, void *to, MPI_Count count, MPI_Datatype type,
                                  MPI_Op op, MPI_Comm comm, MPI_Request *request) {
    return start(
        Function::Iallreduce, LOOMP_NEXT(Iallreduce_c), Kind::collective, {.comm = comm},
        [&] { return bytes_of(count, type); }, request, from, to, count, type, op, comm);
}
LOOMP_EXPORT int MPI_Allreduce_init_c(const void *from, void *to, MPI_Count count,
                                      MPI_Datatype type, MPI_Op op, MPI_Comm comm, MPI_Info info,
                                      MPI_Request *request) {
    return initialize(
        Function::Allreduce_init, LOOMP_NEXT(Allreduce_init_c), Kind::collective, {.comm = comm},
        [&] { return bytes_of(count, type); }, request, from, to, count, type, op, comm, info);
}

LOOMP_EXPORT int MPI_Reduce_scatter_c(const void *from, void *to, const MPI_Count counts[],
                                      MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
    return collective(
        Function::Reduce_scatter, LOOMP_NEXT(Reduce_scatter_c), comm,
        [&] { return group(comm, counts, type); }, from, to, counts, type, op, comm);
}
LOOMP_EXPORT int MPI_Ireduce_scatter_c(const void *from, void *to, const MPI_Count counts[],
                                       MPI_Datatype type, MPI_Op op, MPI_Comm comm,
                                       MPI_Request *request) {
    return start(
        Function::Ireduce_scatter, LOOMP_NEXT(Ireduce_scatter_c), Kind::collective, {.comm = comm},
        [&] { return group(comm, counts, type); }, request, from, to, counts, type, op, comm);
}
LOOMP_EXPORT int MPI_Reduce_scatter_init_c(const void *from, void *to, const MPI_Count counts[],
                                           MPI_Datatype type, MPI_Op op, MPI_Comm comm,
                                           MPI_Info info, MPI_Request *request) {
    return initialize(
        Function::Reduce_scatter_init, LOOMP_NEXT(Reduce_scatter_init_c), Kind::collective,
        {.comm = comm}, [&] { return group(comm, counts, type); }, request, from, to, counts, type,
        op, comm, info);
}

LOOMP_EXPORT int MPI_Reduce_scatter_block_c(const void *from, void *to, MPI_Count count,
                                            MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
    return collective(
        Function::Reduce_scatter_block, LOOMP_NEXT(Reduce_scatter_block_c), comm,
        [&] { return group(comm, count, type); }, from, to, count, type, op, comm);
}
LOOMP_EXPORT int MPI_Ireduce_scatter_block_c(const void *from, void *to, MPI_Count count,
                                             MPI_Datatype type, MPI_Op op, MPI_Comm comm,
                                             MPI_Request *request) {
    return start(
        Function::Ireduce_scatter_block, LOOMP_NEXT(Ireduce_scatter_block_c), Kind::collective,
        {.comm = comm}, [&] { return group(comm, count, type); }, request, from, to, count, type,
        op, comm);
}
LOOMP_EXPORT int MPI_Reduce_scatter_block_init_c(const void *from, void *to, MPI_Count count,
                                                 MPI_Datatype type, MPI_Op op, MPI_Comm comm,
                                                 MPI_Info info, MPI_Request *request) {
    return initialize(
        Function::Reduce_scatter_block_init, LOOMP_NEXT(Reduce_scatter_block_init_c),
        Kind::collective, {.comm = comm}, [&] { return group(comm, count, type); }, request, from,
        to, count, type, op, comm, info);
}

LOOMP_EXPORT int MPI_Scan_c(const void *from, void *to, MPI_Count count, MPI_Datatype type,
                            MPI_Op op, MPI_Comm comm) {
    return collective(
        Function::Scan, LOOMP_NEXT(Scan_c), comm, [&] { return bytes_of(count, type); }, from, to,
        count, type, op, comm);
}
LOOMP_EXPORT int MPI_Iscan_c(const void *from, void *to, MPI_Count count, MPI_Datatype type,
                             MPI_Op op, MPI_Comm comm, MPI_Request *request) {
    return start(
        Function::Iscan, LOOMP_NEXT(Iscan_c), Kind::collective, {.comm = comm},
        [&] { return bytes_of(count, type); }, request, from, to, count, type, op, comm);
}
LOOMP_EXPORT int MPI_Scan_init_c(const void *from, void *to, MPI_Count count, MPI_Datatype type,
                                 MPI_Op op, MPI_Comm comm, MPI_Info info, MPI_Request *request) {
    return initialize(
        Function::Scan_init, LOOMP_NEXT(Scan_init_c), Kind::collective, {.comm = comm},
        [&] { return bytes_of(count, type); }, request, from, to, count, type, op, comm, info);
}

LOOMP_EXPORT int MPI_Exscan_c(const void *from, void *to, MPI_Count count, MPI_Datatype type,
                              MPI_Op op, MPI_Comm comm) {
    return collective(
        Function::Exscan, LOOMP_NEXT(Exscan_c), comm, [&] { return bytes_of(count, type); }, from,
        to, count, type, op, comm);
}
LOOMP_EXPORT int MPI_Iexscan_c(const void *from, void *to, MPI_Count count, MPI_Datatype type,
                               MPI_Op op, MPI_Comm comm, MPI_Request *request) {
    return start(
        Function::Iexscan, LOOMP_NEXT(Iexscan_c), Kind::collective, {.comm = comm},
        [&] { return bytes_of(count, type); }, request, from, to, count, type, op, comm);
}
LOOMP_EXPORT int MPI_Exscan_init_c(const void *from, void *to, MPI_Count count, MPI_Datatype type,
                                   MPI_Op op, MPI_Comm comm, MPI_Info info, MPI_Request *request) {
    return initialize(
        Function::Exscan_init, LOOMP_NEXT(Exscan_init_c), Kind::collective, {.comm = comm},
        [&] { return bytes_of(count, type); }, request, from, to, count, type, op, comm, info);
}

LOOMP_EXPORT int MPI_Neighbor_allgather_c(const void *from, MPI_Count from_count,
                                          MPI_Datatype from_type, void *to, MPI_Count count,
                                          MPI_Datatype type, MPI_Comm comm) {
    return collective(
        Function::Neighbor_allgather, LOOMP_NEXT(Neighbor_allgather_c), comm,
        [&] { return neighbours(comm, from_count, from_type, count, type); }, from, from_count,
        from_type, to, count, type, comm);
}
LOOMP_EXPORT int MPI_Ineighbor_allgather_c(const void *from, MPI_Count from_count,
                                           MPI_Datatype from_type, void *to, MPI_Count count,
                                           MPI_Datatype type, MPI_Comm comm, MPI_Request *request) {
    return start(
        Function::Ineighbor_allgather, LOOMP_NEXT(Ineighbor_allgather_c), Kind::collective,
        {.comm = comm}, [&] { return neighbours(comm, from_count, from_type, count, type); },
        request, from, from_count, from_type, to, count, type, comm);
}
LOOMP_EXPORT int MPI_Neighbor_allgather_init_c(const void *from, MPI_Count from_count,
                                               MPI_Datatype from_type, void *to, MPI_Count count,
                                               MPI_Datatype type, MPI_Comm comm, MPI_Info info,
                                               MPI_Request *request) {
    return initialize(
        Function::Neighbor_allgather_init, LOOMP_NEXT(Neighbor_allgather_init_c), Kind::collective,
        {.comm = comm}, [&] { return neighbours(comm, from_count, from_type, count, type); },
        request, from, from_count, from_type, to, count, type, comm, info);
}

LOOMP_EXPORT int MPI_Neighbor_allgatherv_c(const void *from, MPI_Count from_count,
                                           MPI_Datatype from_type, void *to,
                                           const MPI_Count counts[], const MPI_Aint offsets[],
                                           MPI_Datatype type, MPI_Comm comm) {
    return collective(
        Function::Neighbor_allgatherv, LOOMP_NEXT(Neighbor_allgatherv_c), comm,
        [&] { return neighbours(comm, from_count, from_type, counts, type); }, from, from_count,
        from_type, to, counts, offsets, type, comm);
}
LOOMP_EXPORT int MPI_Ineighbor_allgatherv_c(const void *from, MPI_Count from_count,
                                            MPI_Datatype from_type, void *to,
                                            const MPI_Count counts[], const MPI_Aint offsets[],
                                            MPI_Datatype type, MPI_Comm comm,
                                            MPI_Request *request) {
    return start(
        Function::Ineighbor_allgatherv, LOOMP_NEXT(Ineighbor_allgatherv_c), Kind::collective,
        {.comm = comm}, [&] { return neighbours(comm, from_count, from_type, counts, type); },
        request, from, from_count, from_type, to, counts, offsets, type, comm);
}
LOOMP_EXPORT int MPI_Neighbor_allgatherv_init_c(const void *from, MPI_Count from_count,
                                                MPI_Datatype from_type, void *to,
                                                const MPI_Count counts[], const MPI_Aint offsets[],
                                                MPI_Datatype type, MPI_Comm comm, MPI_Info info,
                                                MPI_Request *request) {
    return initialize(
        Function::Neighbor_allgatherv_init, LOOMP_NEXT(Neighbor_allgatherv_init_c),
        Kind::collective, {.comm = comm},
        [&] { return neighbours(comm, from_count, from_type, counts, type); }, request, from,
        from_count, from_type, to, counts, offsets, type, comm, info);
}

LOOMP_EXPORT int MPI_Neighbor_alltoall_c(const void *from, MPI_Count from_count,
                                         MPI_Datatype from_type, void *to, MPI_Count count,
                                         MPI_Datatype type, MPI_Comm comm) {
    return collective(
        Function::Neighbor_alltoall, LOOMP_NEXT(Neighbor_alltoall_c), comm,
        [&] { return neighbours(comm, from_count, from_type, count, type); }, from, from_count,
        from_type, to, count, type, comm);
}
LOOMP_EXPORT int MPI_Ineighbor_alltoall_c(const void *from, MPI_Count from_count,
                                          MPI_Datatype from_type, void *to, MPI_Count count,
                                          MPI_Datatype type, MPI_Comm comm, MPI_Request *request) {
    return start(
        Function::Ineighbor_alltoall, LOOMP_NEXT(Ineighbor_alltoall_c), Kind::collective,
        {.comm = comm}, [&] { return neighbours(comm, from_count, from_type, count, type); },
        request, from, from_count, from_type, to, count, type, comm);
}
LOOMP_EXPORT int MPI_Neighbor_alltoall_init_c(const void *from, MPI_Count from_count,
                                              MPI_Datatype from_type, void *to, MPI_Count count,
                                              MPI_Datatype type, MPI_Comm comm, MPI_Info info,
                                              MPI_Request *request) {
    return initialize(
        Function::Neighbor_alltoall_init, LOOMP_NEXT(Neighbor_alltoall_init_c), Kind::collective,
        {.comm = comm}, [&] { return neighbours(comm, from_count, from_type, count, type); },
        request, from, from_count, from_type, to, count, type, comm, info);
}

LOOMP_EXPORT int MPI_Neighbor_alltoallv_c(const void *from, const MPI_Count from_counts[],
                                          const MPI_Aint from_offsets[], MPI_Datatype from_type,
                                          void *to, const MPI_Count counts[],
                                          const MPI_Aint offsets[], MPI_Datatype type,
                                          MPI_Comm comm) {
    return collective(
        Function::Neighbor_alltoallv, LOOMP_NEXT(Neighbor_alltoallv_c), comm,
        [&] { return neighbours(comm, from_counts, from_type, counts, type); }, from, from_counts,
        from_offsets, from_type, to, counts, offsets, type, comm);
}
LOOMP_EXPORT int MPI_Ineighbor_alltoallv_c(const void *from, const MPI_Count from_counts[],
                                           const MPI_Aint from_offsets[], MPI_Datatype from_type,
                                           void *to, const MPI_Count counts[],
                                           const MPI_Aint offsets[], MPI_Datatype type,
                                           MPI_Comm comm, MPI_Request *request) {
    return start(
        Function::Ineighbor_alltoallv, LOOMP_NEXT(Ineighbor_alltoallv_c), Kind::collective,
        {.comm = comm}, [&] { return neighbours(comm, from_counts, from_type, counts, type); },
        request, from, from_counts, from_offsets, from_type, to, counts, offsets, type, comm);
}
LOOMP_EXPORT int MPI_Neighbor_alltoallv_init_c(const void *from, const MPI_Count from_counts[],
                                               const MPI_Aint from_offsets[],
                                               MPI_Datatype from_type, void *to,
                                               const MPI_Count counts[], const MPI_Aint offsets[],
                                               MPI_Datatype type, MPI_Comm comm, MPI_Info info,
                                               MPI_Request *request) {
    return initialize(
        Function::Neighbor_alltoallv_init, LOOMP_NEXT(Neighbor_alltoallv_init_c), Kind::collective,
        {.comm = comm}, [&] { return neighbours(comm, from_counts, from_type, counts, type); },
        request, from, from_counts, from_offsets, from_type, to, counts, offsets, type, comm, info);
}

LOOMP_EXPORT int MPI_Neighbor_alltoallw_c(const void *from, const MPI_Count from_counts[],
                                          const MPI_Aint from_offsets[],
                                          const MPI_Datatype from_types[], void *to,
                                          const MPI_Count counts[], const MPI_Aint offsets[],
                                          const MPI_Datatype types[], MPI_Comm comm) {
    return collective(
        Function::Neighbor_alltoallw, LOOMP_NEXT(Neighbor_alltoallw_c), comm,
        [&] { return neighbours(comm, from_counts, from_types, counts, types); }, from, from_counts,
        from_offsets, from_types, to, counts, offsets, types, comm);
}
LOOMP_EXPORT int MPI_Ineighbor_alltoallw_c(const void *from, const MPI_Count from_counts[],
                                           const MPI_Aint from_offsets[],
                                           const MPI_Datatype from_types[], void *to,
                                           const MPI_Count counts[], const MPI_Aint offsets[],
                                           const MPI_Datatype types[], MPI_Comm comm,
                                           MPI_Request *request) {
    return start(
        Function::Ineighbor_alltoallw, LOOMP_NEXT(Ineighbor_alltoallw_c), Kind::collective,
        {.comm = comm}, [&] { return neighbours(comm, from_counts, from_types, counts, types); },
        request, from, from_counts, from_offsets, from_types, to, counts, offsets, types, comm);
}
LOOMP_EXPORT int MPI_Neighbor_alltoallw_init_c(const void *from, const MPI_Count from_counts[],
                                               const MPI_Aint from_offsets[],
                                               const MPI_Datatype from_types[], void *to,
                                               const MPI_Count counts[], const MPI_Aint offsets[],
                                               const MPI_Datatype types[], MPI_Comm comm,
                                               MPI_Info info, MPI_Request *request) {
    return initialize(
        Function::Neighbor_alltoallw_init, LOOMP_NEXT(Neighbor_alltoallw_init_c), Kind::collective,
        {.comm = comm}, [&] { return neighbours(comm, from_counts, from_types, counts, types); },
        request, from, from_counts, from_offsets, from_types, to, counts, offsets, types, comm,
        info);
}
#endif
