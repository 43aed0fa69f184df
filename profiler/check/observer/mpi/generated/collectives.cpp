// Written by mpi/interface/generate.py from mpi/interface/functions.txt; change that table.
#include "profiler/check/observer/mpi/checked_calls.h"

using namespace loomp::check;

LOOMP_EXPORT int MPI_Barrier(MPI_Comm comm) {
    return blocking(
        {Function::Barrier, LOOMP_CALLER}, LOOMP_NEXT(Barrier),
        [&](Uses &uses) { return uses.joins(comm); }, comm);
}
LOOMP_EXPORT int MPI_Ibarrier(MPI_Comm comm, MPI_Request *request) {
    return start(
        {Function::Ibarrier, LOOMP_CALLER}, LOOMP_NEXT(Ibarrier),
        [&](Uses &uses) { return uses.joins(comm); }, request, comm);
}
#if MPI_VERSION >= 4
LOOMP_EXPORT int MPI_Barrier_init(MPI_Comm comm, MPI_Info info, MPI_Request *request) {
    return initialize(
        {Function::Barrier_init, LOOMP_CALLER}, LOOMP_NEXT(Barrier_init),
        [&](Uses &uses) { return uses.joins(comm); }, request, comm, info);
}
#endif

LOOMP_EXPORT int MPI_Bcast(void *buffer, int count, MPI_Datatype type, int root, MPI_Comm comm) {
    return blocking(
        {Function::Bcast, LOOMP_CALLER}, LOOMP_NEXT(Bcast),
        [&](Uses &uses) {
            return uses.joins(comm) && (is_root(root, comm) ? uses.in(buffer, count, type)
                                                            : uses.out(buffer, count, type));
        },
        buffer, count, type, root, comm);
}
LOOMP_EXPORT int MPI_Ibcast(void *buffer, int count, MPI_Datatype type, int root, MPI_Comm comm,
                            MPI_Request *request) {
    return start(
        {Function::Ibcast, LOOMP_CALLER}, LOOMP_NEXT(Ibcast),
        [&](Uses &uses) {
            return uses.joins(comm) && (is_root(root, comm) ? uses.in(buffer, count, type)
                                                            : uses.out(buffer, count, type));
        },
        request, buffer, count, type, root, comm);
}
#if MPI_VERSION >= 4
LOOMP_EXPORT int MPI_Bcast_init(void *buffer, int count, MPI_Datatype type, int root, MPI_Comm comm,
                                MPI_Info info, MPI_Request *request) {
    return initialize(
        {Function::Bcast_init, LOOMP_CALLER}, LOOMP_NEXT(Bcast_init),
        [&](Uses &uses) {
            return uses.joins(comm) && (is_root(root, comm) ? uses.in(buffer, count, type)
                                                            : uses.out(buffer, count, type));
        },
        request, buffer, count, type, root, comm, info);
}
#endif

LOOMP_EXPORT int MPI_Gather(const void *from, int from_count, MPI_Datatype from_type, void *to,
                            int count, MPI_Datatype type, int root, MPI_Comm comm) {
    return blocking(
        {Function::Gather, LOOMP_CALLER}, LOOMP_NEXT(Gather),
        [&](Uses &uses) {
            return uses.joins(comm) &&
                   (uses.in(from, from_count, from_type),
                    is_root(root, comm) && uses.out(ranks(comm), to, count, type));
        },
        from, from_count, from_type, to, count, type, root, comm);
}
LOOMP_EXPORT int MPI_Igather(const void *from, int from_count, MPI_Datatype from_type, void *to,
                             int count, MPI_Datatype type, int root, MPI_Comm comm,
                             MPI_Request *request) {
    return start(
        {Function::Igather, LOOMP_CALLER}, LOOMP_NEXT(Igather),
        [&](Uses &uses) {
            return uses.joins(comm) &&
                   (uses.in(from, from_count, from_type),
                    is_root(root, comm) && uses.out(ranks(comm), to, count, type));
        },
        request, from, from_count, from_type, to, count, type, root, comm);
}
#if MPI_VERSION >= 4
LOOMP_EXPORT int MPI_Gather_init(const void *from, int from_count, MPI_Datatype from_type, void *to,
                                 int count, MPI_Datatype type, int root, MPI_Comm comm,
                                 MPI_Info info, MPI_Request *request) {
    return initialize(
        {Function::Gather_init, LOOMP_CALLER}, LOOMP_NEXT(Gather_init),
        [&](Uses &uses) {
            return uses.joins(comm) &&
                   (uses.in(from, from_count, from_type),
                    is_root(root, comm) && uses.out(ranks(comm), to, count, type));
        },
        request, from, from_count, from_type, to, count, type, root, comm, info);
}
#endif

LOOMP_EXPORT int MPI_Gatherv(const void *from, int from_count, MPI_Datatype from_type, void *to,
                             const int counts[], const int offsets[], MPI_Datatype type, int root,
                             MPI_Comm comm) {
    return blocking(
        {Function::Gatherv, LOOMP_CALLER}, LOOMP_NEXT(Gatherv),
        [&](Uses &uses) {
            return uses.joins(comm) &&
                   (uses.in(from, from_count, from_type),
                    is_root(root, comm) && uses.out(ranks(comm), to, counts, offsets, type));
        },
        from, from_count, from_type, to, counts, offsets, type, root, comm);
}
LOOMP_EXPORT int MPI_Igatherv(const void *from, int from_count, MPI_Datatype from_type, void *to,
                              const int counts[], const int offsets[], MPI_Datatype type, int root,
                              MPI_Comm comm, MPI_Request *request) {
    return start(
        {Function::Igatherv, LOOMP_CALLER}, LOOMP_NEXT(Igatherv),
        [&](Uses &uses) {
            return uses.joins(comm) &&
                   (uses.in(from, from_count, from_type),
                    is_root(root, comm) && uses.out(ranks(comm), to, counts, offsets, type));
        },
        request, from, from_count, from_type, to, counts, offsets, type, root, comm);
}
#if MPI_VERSION >= 4
LOOMP_EXPORT int MPI_Gatherv_init(const void *from, int from_count, MPI_Datatype from_type,
                                  void *to, const int counts[], const int offsets[],
                                  MPI_Datatype type, int root, MPI_Comm comm, MPI_Info info,
                                  MPI_Request *request) {
    return initialize(
        {Function::Gatherv_init, LOOMP_CALLER}, LOOMP_NEXT(Gatherv_init),
        [&](Uses &uses) {
            return uses.joins(comm) &&
                   (uses.in(from, from_count, from_type),
                    is_root(root, comm) && uses.out(ranks(comm), to, counts, offsets, type));
        },
        request, from, from_count, from_type, to, counts, offsets, type, root, comm, info);
}
#endif

LOOMP_EXPORT int MPI_Scatter(const void *from, int from_count, MPI_Datatype from_type, void *to,
                             int count, MPI_Datatype type, int root, MPI_Comm comm) {
    return blocking(
        {Function::Scatter, LOOMP_CALLER}, LOOMP_NEXT(Scatter),
        [&](Uses &uses) {
            return uses.joins(comm) &&
                   (is_root(root, comm) && uses.in(ranks(comm), from, from_count, from_type),
                    uses.out(to, count, type));
        },
        from, from_count, from_type, to, count, type, root, comm);
}
LOOMP_EXPORT int MPI_Iscatter(const void *from, int from_count, MPI_Datatype from_type, void *to,
                              int count, MPI_Datatype type, int root, MPI_Comm comm,
                              MPI_Request *request) {
    return start(
        {Function::Iscatter, LOOMP_CALLER}, LOOMP_NEXT(Iscatter),
        [&](Uses &uses) {
            return uses.joins(comm) &&
                   (is_root(root, comm) && uses.in(ranks(comm), from, from_count, from_type),
                    uses.out(to, count, type));
        },
        request, from, from_count, from_type, to, count, type, root, comm);
}
#if MPI_VERSION >= 4
LOOMP_EXPORT int MPI_Scatter_init(const void *from, int from_count, MPI_Datatype from_type,
                                  void *to, int count, MPI_Datatype type, int root, MPI_Comm comm,
                                  MPI_Info info, MPI_Request *request) {
    return initialize(
        {Function::Scatter_init, LOOMP_CALLER}, LOOMP_NEXT(Scatter_init),
        [&](Uses &uses) {
            return uses.joins(comm) &&
                   (is_root(root, comm) && uses.in(ranks(comm), from, from_count, from_type),
                    uses.out(to, count, type));
        },
        request, from, from_count, from_type, to, count, type, root, comm, info);
}
#endif

LOOMP_EXPORT int MPI_Scatterv(const void *from, const int counts[], const int offsets[],
                              MPI_Datatype from_type, void *to, int count, MPI_Datatype type,
                              int root, MPI_Comm comm) {
    return blocking(
        {Function::Scatterv, LOOMP_CALLER}, LOOMP_NEXT(Scatterv),
        [&](Uses &uses) {
            return uses.joins(comm) &&
                   (is_root(root, comm) && uses.in(ranks(comm), from, counts, offsets, from_type),
                    uses.out(to, count, type));
        },
        from, counts, offsets, from_type, to, count, type, root, comm);
}
LOOMP_EXPORT int MPI_Iscatterv(const void *from, const int counts[], const int offsets[],
                               MPI_Datatype from_type, void *to, int count, MPI_Datatype type,
                               int root, MPI_Comm comm, MPI_Request *request) {
    return start(
        {Function::Iscatterv, LOOMP_CALLER}, LOOMP_NEXT(Iscatterv),
        [&](Uses &uses) {
            return uses.joins(comm) &&
                   (is_root(root, comm) && uses.in(ranks(comm), from, counts, offsets, from_type),
                    uses.out(to, count, type));
        },
        request, from, counts, offsets, from_type, to, count, type, root, comm);
}
#if MPI_VERSION >= 4
LOOMP_EXPORT int MPI_Scatterv_init(const void *from, const int counts[], const int offsets[],
                                   MPI_Datatype from_type, void *to, int count, MPI_Datatype type,
                                   int root, MPI_Comm comm, MPI_Info info, MPI_Request *request) {
    return initialize(
        {Function::Scatterv_init, LOOMP_CALLER}, LOOMP_NEXT(Scatterv_init),
        [&](Uses &uses) {
            return uses.joins(comm) &&
                   (is_root(root, comm) && uses.in(ranks(comm), from, counts, offsets, from_type),
                    uses.out(to, count, type));
        },
        request, from, counts, offsets, from_type, to, count, type, root, comm, info);
}
#endif

LOOMP_EXPORT int MPI_Allgather(const void *from, int from_count, MPI_Datatype from_type, void *to,
                               int count, MPI_Datatype type, MPI_Comm comm) {
    return blocking(
        {Function::Allgather, LOOMP_CALLER}, LOOMP_NEXT(Allgather),
        [&](Uses &uses) {
            return uses.joins(comm) &&
                   (uses.in(from, from_count, from_type), uses.out(ranks(comm), to, count, type));
        },
        from, from_count, from_type, to, count, type, comm);
}
LOOMP_EXPORT int MPI_Iallgather(const void *from, int from_count, MPI_Datatype from_type, void *to,
                                int count, MPI_Datatype type, MPI_Comm comm, MPI_Request *request) {
    return start(
        {Function::Iallgather, LOOMP_CALLER}, LOOMP_NEXT(Iallgather),
        [&](Uses &uses) {
            return uses.joins(comm) &&
                   (uses.in(from, from_count, from_type), uses.out(ranks(comm), to, count, type));
        },
        request, from, from_count, from_type, to, count, type, comm);
}
#if MPI_VERSION >= 4
LOOMP_EXPORT int MPI_Allgather_init(const void *from, int from_count, MPI_Datatype from_type,
                                    void *to, int count, MPI_Datatype type, MPI_Comm comm,
                                    MPI_Info info, MPI_Request *request) {
    return initialize(
        {Function::Allgather_init, LOOMP_CALLER}, LOOMP_NEXT(Allgather_init),
        [&](Uses &uses) {
            return uses.joins(comm) &&
                   (uses.in(from, from_count, from_type), uses.out(ranks(comm), to, count, type));
        },
        request, from, from_count, from_type, to, count, type, comm, info);
}
#endif

LOOMP_EXPORT int MPI_Allgatherv(const void *from, int from_count, MPI_Datatype from_type, void *to,
                                const int counts[], const int offsets[], MPI_Datatype type,
                                MPI_Comm comm) {
    return blocking(
        {Function::Allgatherv, LOOMP_CALLER}, LOOMP_NEXT(Allgatherv),
        [&](Uses &uses) {
            return uses.joins(comm) && (uses.in(from, from_count, from_type),
                                        uses.out(ranks(comm), to, counts, offsets, type));
        },
        from, from_count, from_type, to, counts, offsets, type, comm);
}
LOOMP_EXPORT int MPI_Iallgatherv(const void *from, int from_count, MPI_Datatype from_type, void *to,
                                 const int counts[], const int offsets[], MPI_Datatype type,
                                 MPI_Comm comm, MPI_Request *request) {
    return start(
        {Function::Iallgatherv, LOOMP_CALLER}, LOOMP_NEXT(Iallgatherv),
        [&](Uses &uses) {
            return uses.joins(comm) && (uses.in(from, from_count, from_type),
                                        uses.out(ranks(comm), to, counts, offsets, type));
        },
        request, from, from_count, from_type, to, counts, offsets, type, comm);
}
#if MPI_VERSION >= 4
LOOMP_EXPORT int MPI_Allgatherv_init(const void *from, int from_count, MPI_Datatype from_type,
                                     void *to, const int counts[], const int offsets[],
                                     MPI_Datatype type, MPI_Comm comm, MPI_Info info,
                                     MPI_Request *request) {
    return initialize(
        {Function::Allgatherv_init, LOOMP_CALLER}, LOOMP_NEXT(Allgatherv_init),
        [&](Uses &uses) {
            return uses.joins(comm) && (uses.in(from, from_count, from_type),
                                        uses.out(ranks(comm), to, counts, offsets, type));
        },
        request, from, from_count, from_type, to, counts, offsets, type, comm, info);
}
#endif

LOOMP_EXPORT int MPI_Alltoall(const void *from, int from_count, MPI_Datatype from_type, void *to,
                              int count, MPI_Datatype type, MPI_Comm comm) {
    return blocking(
        {Function::Alltoall, LOOMP_CALLER}, LOOMP_NEXT(Alltoall),
        [&](Uses &uses) {
            return uses.joins(comm) && (uses.in(ranks(comm), from, from_count, from_type),
                                        uses.out(ranks(comm), to, count, type));
        },
        from, from_count, from_type, to, count, type, comm);
}
LOOMP_EXPORT int MPI_Ialltoall(const void *from, int from_count, MPI_Datatype from_type, void *to,
                               int count, MPI_Datatype type, MPI_Comm comm, MPI_Request *request) {
    return start(
        {Function::Ialltoall, LOOMP_CALLER}, LOOMP_NEXT(Ialltoall),
        [&](Uses &uses) {
            return uses.joins(comm) && (uses.in(ranks(comm), from, from_count, from_type),
                                        uses.out(ranks(comm), to, count, type));
        },
        request, from, from_count, from_type, to, count, type, comm);
}
#if MPI_VERSION >= 4
LOOMP_EXPORT int MPI_Alltoall_init(const void *from, int from_count, MPI_Datatype from_type,
                                   void *to, int count, MPI_Datatype type, MPI_Comm comm,
                                   MPI_Info info, MPI_Request *request) {
    return initialize(
        {Function::Alltoall_init, LOOMP_CALLER}, LOOMP_NEXT(Alltoall_init),
        [&](Uses &uses) {
            return uses.joins(comm) && (uses.in(ranks(comm), from, from_count, from_type),
                                        uses.out(ranks(comm), to, count, type));
        },
        request, from, from_count, from_type, to, count, type, comm, info);
}
#endif

LOOMP_EXPORT int MPI_Alltoallv(const void *from, const int from_counts[], const int from_offsets[],
                               MPI_Datatype from_type, void *to, const int counts[],
                               const int offsets[], MPI_Datatype type, MPI_Comm comm) {
    return blocking(
        {Function::Alltoallv, LOOMP_CALLER}, LOOMP_NEXT(Alltoallv),
        [&](Uses &uses) {
            return uses.joins(comm) &&
                   (uses.in(ranks(comm), from, from_counts, from_offsets, from_type),
                    uses.out(ranks(comm), to, counts, offsets, type));
        },
        from, from_counts, from_offsets, from_type, to, counts, offsets, type, comm);
}
LOOMP_EXPORT int MPI_Ialltoallv(const void *from, const int from_counts[], const int from_offsets[],
                                MPI_Datatype from_type, void *to, const int counts[],
                                const int offsets[], MPI_Datatype type, MPI_Comm comm,
                                MPI_Request *request) {
    return start(
        {Function::Ialltoallv, LOOMP_CALLER}, LOOMP_NEXT(Ialltoallv),
        [&](Uses &uses) {
            return uses.joins(comm) &&
                   (uses.in(ranks(comm), from, from_counts, from_offsets, from_type),
                    uses.out(ranks(comm), to, counts, offsets, type));
        },
        request, from, from_counts, from_offsets, from_type, to, counts, offsets, type, comm);
}
#if MPI_VERSION >= 4
LOOMP_EXPORT int MPI_Alltoallv_init(const void *from, const int from_counts[],
                                    const int from_offsets[], MPI_Datatype from_type, void *to,
                                    const int counts[], const int offsets[], MPI_Datatype type,
                                    MPI_Comm comm, MPI_Info info, MPI_Request *request) {
    return initialize(
        {Function::Alltoallv_init, LOOMP_CALLER}, LOOMP_NEXT(Alltoallv_init),
        [&](Uses &uses) {
            return uses.joins(comm) &&
                   (uses.in(ranks(comm), from, from_counts, from_offsets, from_type),
                    uses.out(ranks(comm), to, counts, offsets, type));
        },
        request, from, from_counts, from_offsets, from_type, to, counts, offsets, type, comm, info);
}
#endif

LOOMP_EXPORT int MPI_Alltoallw(const void *from, const int from_counts[], const int from_offsets[],
                               const MPI_Datatype from_types[], void *to, const int counts[],
                               const int offsets[], const MPI_Datatype types[], MPI_Comm comm) {
    return blocking(
        {Function::Alltoallw, LOOMP_CALLER}, LOOMP_NEXT(Alltoallw),
        [&](Uses &uses) {
            return uses.joins(comm) &&
                   (uses.in(ranks(comm), from, from_counts, from_offsets, from_types),
                    uses.out(ranks(comm), to, counts, offsets, types));
        },
        from, from_counts, from_offsets, from_types, to, counts, offsets, types, comm);
}
LOOMP_EXPORT int MPI_Ialltoallw(const void *from, const int from_counts[], const int from_offsets[],
                                const MPI_Datatype from_types[], void *to, const int counts[],
                                const int offsets[], const MPI_Datatype types[], MPI_Comm comm,
                                MPI_Request *request) {
    return start(
        {Function::Ialltoallw, LOOMP_CALLER}, LOOMP_NEXT(Ialltoallw),
        [&](Uses &uses) {
            return uses.joins(comm) &&
                   (uses.in(ranks(comm), from, from_counts, from_offsets, from_types),
                    uses.out(ranks(comm), to, counts, offsets, types));
        },
        request, from, from_counts, from_offsets, from_types, to, counts, offsets, types, comm);
}
#if MPI_VERSION >= 4
LOOMP_EXPORT int MPI_Alltoallw_init(const void *from, const int from_counts[],
                                    const int from_offsets[], const MPI_Datatype from_types[],
                                    void *to, const int counts[], const int offsets[],
                                    const MPI_Datatype types[], MPI_Comm comm, MPI_Info info,
                                    MPI_Request *request) {
    return initialize(
        {Function::Alltoallw_init, LOOMP_CALLER}, LOOMP_NEXT(Alltoallw_init),
        [&](Uses &uses) {
            return uses.joins(comm) &&
                   (uses.in(ranks(comm), from, from_counts, from_offsets, from_types),
                    uses.out(ranks(comm), to, counts, offsets, types));
        },
        request, from, from_counts, from_offsets, from_types, to, counts, offsets, types, comm,
        info);
}
#endif

LOOMP_EXPORT int MPI_Reduce(const void *from, void *to, int count, MPI_Datatype type, MPI_Op op,
                            int root, MPI_Comm comm) {
    return blocking(
        {Function::Reduce, LOOMP_CALLER}, LOOMP_NEXT(Reduce),
        [&](Uses &uses) {
            return uses.joins(comm) &&
                   (uses.in(from, count, type), is_root(root, comm) && uses.out(to, count, type));
        },
        from, to, count, type, op, root, comm);
}
LOOMP_EXPORT int MPI_Ireduce(const void *from, void *to, int count, MPI_Datatype type, MPI_Op op,
                             int root, MPI_Comm comm, MPI_Request *request) {
    return start(
        {Function::Ireduce, LOOMP_CALLER}, LOOMP_NEXT(Ireduce),
        [&](Uses &uses) {
            return uses.joins(comm) &&
                   (uses.in(from, count, type), is_root(root, comm) && uses.out(to, count, type));
        },
        request, from, to, count, type, op, root, comm);
}
#if MPI_VERSION >= 4
LOOMP_EXPORT int MPI_Reduce_init(const void *from, void *to, int count, MPI_Datatype type,
                                 MPI_Op op, int root, MPI_Comm comm, MPI_Info info,
                                 MPI_Request *request) {
    return initialize(
        {Function::Reduce_init, LOOMP_CALLER}, LOOMP_NEXT(Reduce_init),
        [&](Uses &uses) {
            return uses.joins(comm) &&
                   (uses.in(from, count, type), is_root(root, comm) && uses.out(to, count, type));
        },
        request, from, to, count, type, op, root, comm, info);
}
#endif

LOOMP_EXPORT int MPI_Allreduce(const void *from, void *to, int count, MPI_Datatype type, MPI_Op op,
                               MPI_Comm comm) {
    return blocking(
        {Function::Allreduce, LOOMP_CALLER}, LOOMP_NEXT(Allreduce),
        [&](Uses &uses) {
            return uses.joins(comm) && (uses.in(from, count, type), uses.out(to, count, type));
        },
        from, to, count, type, op, comm);
}
LOOMP_EXPORT int MPI_Iallreduce(const void *from, void *to, int count, MPI_Datatype type, MPI_Op op,
                                MPI_Comm comm, MPI_Request *request) {
    return start(
        {Function::Iallreduce, LOOMP_CALLER}, LOOMP_NEXT(Iallreduce),
        [&](Uses &uses) {
            return uses.joins(comm) && (uses.in(from, count, type), uses.out(to, count, type));
        },
        request, from, to, count, type, op, comm);
}
#if MPI_VERSION >= 4
LOOMP_EXPORT int MPI_Allreduce_init(const void *from, void *to, int count, MPI_Datatype type,
                                    MPI_Op op, MPI_Comm comm, MPI_Info info, MPI_Request *request) {
    return initialize(
        {Function::Allreduce_init, LOOMP_CALLER}, LOOMP_NEXT(Allreduce_init),
        [&](Uses &uses) {
            return uses.joins(comm) && (uses.in(from, count, type), uses.out(to, count, type));
        },
        request, from, to, count, type, op, comm, info);
}
#endif

LOOMP_EXPORT int MPI_Reduce_scatter(const void *from, void *to, const int counts[],
                                    MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
    return blocking(
        {Function::Reduce_scatter, LOOMP_CALLER}, LOOMP_NEXT(Reduce_scatter),
        [&](Uses &uses) {
            return uses.joins(comm) && (uses.in(from, sum(comm, counts), type),
                                        uses.out(to, counts[own_rank(comm)], type));
        },
        from, to, counts, type, op, comm);
}
LOOMP_EXPORT int MPI_Ireduce_scatter(const void *from, void *to, const int counts[],
                                     MPI_Datatype type, MPI_Op op, MPI_Comm comm,
                                     MPI_Request *request) {
    return start(
        {Function::Ireduce_scatter, LOOMP_CALLER}, LOOMP_NEXT(Ireduce_scatter),
        [&](Uses &uses) {
            return uses.joins(comm) && (uses.in(from, sum(comm, counts), type),
                                        uses.out(to, counts[own_rank(comm)], type));
        },
        request, from, to, counts, type, op, comm);
}
#if MPI_VERSION >= 4
LOOMP_EXPORT int MPI_Reduce_scatter_init(const void *from, void *to, const int counts[],
                                         MPI_Datatype type, MPI_Op op, MPI_Comm comm, MPI_Info info,
                                         MPI_Request *request) {
    return initialize(
        {Function::Reduce_scatter_init, LOOMP_CALLER}, LOOMP_NEXT(Reduce_scatter_init),
        [&](Uses &uses) {
            return uses.joins(comm) && (uses.in(from, sum(comm, counts), type),
                                        uses.out(to, counts[own_rank(comm)], type));
        },
        request, from, to, counts, type, op, comm, info);
}
#endif

LOOMP_EXPORT int MPI_Reduce_scatter_block(const void *from, void *to, int count, MPI_Datatype type,
                                          MPI_Op op, MPI_Comm comm) {
    return blocking(
        {Function::Reduce_scatter_block, LOOMP_CALLER}, LOOMP_NEXT(Reduce_scatter_block),
        [&](Uses &uses) {
            return uses.joins(comm) &&
                   (uses.in(ranks(comm), from, count, type), uses.out(to, count, type));
        },
        from, to, count, type, op, comm);
}
LOOMP_EXPORT int MPI_Ireduce_scatter_block(const void *from, void *to, int count, MPI_Datatype type,
                                           MPI_Op op, MPI_Comm comm, MPI_Request *request) {
    return start(
        {Function::Ireduce_scatter_block, LOOMP_CALLER}, LOOMP_NEXT(Ireduce_scatter_block),
        [&](Uses &uses) {
            return uses.joins(comm) &&
                   (uses.in(ranks(comm), from, count, type), uses.out(to, count, type));
        },
        request, from, to, count, type, op, comm);
}
#if MPI_VERSION >= 4
LOOMP_EXPORT int MPI_Reduce_scatter_block_init(const void *from, void *to, int count,
                                               MPI_Datatype type, MPI_Op op, MPI_Comm comm,
                                               MPI_Info info, MPI_Request *request) {
    return initialize(
        {Function::Reduce_scatter_block_init, LOOMP_CALLER}, LOOMP_NEXT(Reduce_scatter_block_init),
        [&](Uses &uses) {
            return uses.joins(comm) &&
                   (uses.in(ranks(comm), from, count, type), uses.out(to, count, type));
        },
        request, from, to, count, type, op, comm, info);
}
#endif

LOOMP_EXPORT int MPI_Scan(const void *from, void *to, int count, MPI_Datatype type, MPI_Op op,
                          MPI_Comm comm) {
    return blocking(
        {Function::Scan, LOOMP_CALLER}, LOOMP_NEXT(Scan),
        [&](Uses &uses) {
            return uses.joins(comm) && (uses.in(from, count, type), uses.out(to, count, type));
        },
        from, to, count, type, op, comm);
}
LOOMP_EXPORT int MPI_Iscan(const void *from, void *to, int count, MPI_Datatype type, MPI_Op op,
                           MPI_Comm comm, MPI_Request *request) {
    return start(
        {Function::Iscan, LOOMP_CALLER}, LOOMP_NEXT(Iscan),
        [&](Uses &uses) {
            return uses.joins(comm) && (uses.in(from, count, type), uses.out(to, count, type));
        },
        request, from, to, count, type, op, comm);
}
#if MPI_VERSION >= 4
LOOMP_EXPORT int MPI_Scan_init(const void *from, void *to, int count, MPI_Datatype type, MPI_Op op,
                               MPI_Comm comm, MPI_Info info, MPI_Request *request) {
    return initialize(
        {Function::Scan_init, LOOMP_CALLER}, LOOMP_NEXT(Scan_init),
        [&](Uses &uses) {
            return uses.joins(comm) && (uses.in(from, count, type), uses.out(to, count, type));
        },
        request, from, to, count, type, op, comm, info);
}
#endif

LOOMP_EXPORT int MPI_Exscan(const void *from, void *to, int count, MPI_Datatype type, MPI_Op op,
                            MPI_Comm comm) {
    return blocking(
        {Function::Exscan, LOOMP_CALLER}, LOOMP_NEXT(Exscan),
        [&](Uses &uses) {
            return uses.joins(comm) &&
                   (uses.in(from, count, type), is_root(0, comm) || uses.out(to, count, type));
        },
        from, to, count, type, op, comm);
}
LOOMP_EXPORT int MPI_Iexscan(const void *from, void *to, int count, MPI_Datatype type, MPI_Op op,
                             MPI_Comm comm, MPI_Request *request) {
    return start(
        {Function::Iexscan, LOOMP_CALLER}, LOOMP_NEXT(Iexscan),
        [&](Uses &uses) {
            return uses.joins(comm) &&
                   (uses.in(from, count, type), is_root(0, comm) || uses.out(to, count, type));
        },
        request, from, to, count, type, op, comm);
}
#if MPI_VERSION >= 4
LOOMP_EXPORT int MPI_Exscan_init(const void *from, void *to, int count, MPI_Datatype type,
                                 MPI_Op op, MPI_Comm comm, MPI_Info info, MPI_Request *request) {
    return initialize(
        {Function::Exscan_init, LOOMP_CALLER}, LOOMP_NEXT(Exscan_init),
        [&](Uses &uses) {
            return uses.joins(comm) &&
                   (uses.in(from, count, type), is_root(0, comm) || uses.out(to, count, type));
        },
        request, from, to, count, type, op, comm, info);
}
#endif

LOOMP_EXPORT int MPI_Neighbor_allgather(const void *from, int from_count, MPI_Datatype from_type,
                                        void *to, int count, MPI_Datatype type, MPI_Comm comm) {
    return blocking(
        {Function::Neighbor_allgather, LOOMP_CALLER}, LOOMP_NEXT(Neighbor_allgather),
        [&](Uses &uses) {
            return uses.joins(comm) &&
                   (uses.in(from, from_count, from_type), uses.out(sources(comm), to, count, type));
        },
        from, from_count, from_type, to, count, type, comm);
}
LOOMP_EXPORT int MPI_Ineighbor_allgather(const void *from, int from_count, MPI_Datatype from_type,
                                         void *to, int count, MPI_Datatype type, MPI_Comm comm,
                                         MPI_Request *request) {
    return start(
        {Function::Ineighbor_allgather, LOOMP_CALLER}, LOOMP_NEXT(Ineighbor_allgather),
        [&](Uses &uses) {
            return uses.joins(comm) &&
                   (uses.in(from, from_count, from_type), uses.out(sources(comm), to, count, type));
        },
        request, from, from_count, from_type, to, count, type, comm);
}
#if MPI_VERSION >= 4
LOOMP_EXPORT int MPI_Neighbor_allgather_init(const void *from, int from_count,
                                             MPI_Datatype from_type, void *to, int count,
                                             MPI_Datatype type, MPI_Comm comm, MPI_Info info,
                                             MPI_Request *request) {
    return initialize(
        {Function::Neighbor_allgather_init, LOOMP_CALLER}, LOOMP_NEXT(Neighbor_allgather_init),
        [&](Uses &uses) {
            return uses.joins(comm) &&
                   (uses.in(from, from_count, from_type), uses.out(sources(comm), to, count, type));
        },
        request, from, from_count, from_type, to, count, type, comm, info);
}
#endif

LOOMP_EXPORT int MPI_Neighbor_allgatherv(const void *from, int from_count, MPI_Datatype from_type,
                                         void *to, const int counts[], const int offsets[],
                                         MPI_Datatype type, MPI_Comm comm) {
    return blocking(
        {Function::Neighbor_allgatherv, LOOMP_CALLER}, LOOMP_NEXT(Neighbor_allgatherv),
        [&](Uses &uses) {
            return uses.joins(comm) && (uses.in(from, from_count, from_type),
                                        uses.out(sources(comm), to, counts, offsets, type));
        },
        from, from_count, from_type, to, counts, offsets, type, comm);
}
LOOMP_EXPORT int MPI_Ineighbor_allgatherv(const void *from, int from_count, MPI_Datatype from_type,
                                          void *to, const int counts[], const int offsets[],
                                          MPI_Datatype type, MPI_Comm comm, MPI_Request *request) {
    return start(
        {Function::Ineighbor_allgatherv, LOOMP_CALLER}, LOOMP_NEXT(Ineighbor_allgatherv),
        [&](Uses &uses) {
            return uses.joins(comm) && (uses.in(from, from_count, from_type),
                                        uses.out(sources(comm), to, counts, offsets, type));
        },
        request, from, from_count, from_type, to, counts, offsets, type, comm);
}
#if MPI_VERSION >= 4
LOOMP_EXPORT int MPI_Neighbor_allgatherv_init(const void *from, int from_count,
                                              MPI_Datatype from_type, void *to, const int counts[],
                                              const int offsets[], MPI_Datatype type, MPI_Comm comm,
                                              MPI_Info info, MPI_Request *request) {
    return initialize(
        {Function::Neighbor_allgatherv_init, LOOMP_CALLER}, LOOMP_NEXT(Neighbor_allgatherv_init),
        [&](Uses &uses) {
            return uses.joins(comm) && (uses.in(from, from_count, from_type),
                                        uses.out(sources(comm), to, counts, offsets, type));
        },
        request, from, from_count, from_type, to, counts, offsets, type, comm, info);
}
#endif

LOOMP_EXPORT int MPI_Neighbor_alltoall(const void *from, int from_count, MPI_Datatype from_type,
                                       void *to, int count, MPI_Datatype type, MPI_Comm comm) {
    return blocking(
        {Function::Neighbor_alltoall, LOOMP_CALLER}, LOOMP_NEXT(Neighbor_alltoall),
        [&](Uses &uses) {
            return uses.joins(comm) && (uses.in(targets(comm), from, from_count, from_type),
                                        uses.out(sources(comm), to, count, type));
        },
        from, from_count, from_type, to, count, type, comm);
}
LOOMP_EXPORT int MPI_Ineighbor_alltoall(const void *from, int from_count, MPI_Datatype from_type,
                                        void *to, int count, MPI_Datatype type, MPI_Comm comm,
                                        MPI_Request *request) {
    return start(
        {Function::Ineighbor_alltoall, LOOMP_CALLER}, LOOMP_NEXT(Ineighbor_alltoall),
        [&](Uses &uses) {
            return uses.joins(comm) && (uses.in(targets(comm), from, from_count, from_type),
                                        uses.out(sources(comm), to, count, type));
        },
        request, from, from_count, from_type, to, count, type, comm);
}
#if MPI_VERSION >= 4
LOOMP_EXPORT int MPI_Neighbor_alltoall_init(const void *from, int from_count,
                                            MPI_Datatype from_type, void *to, int count,
                                            MPI_Datatype type, MPI_Comm comm, MPI_Info info,
                                            MPI_Request *request) {
    return initialize(
        {Function::Neighbor_alltoall_init, LOOMP_CALLER}, LOOMP_NEXT(Neighbor_alltoall_init),
        [&](Uses &uses) {
            return uses.joins(comm) && (uses.in(targets(comm), from, from_count, from_type),
                                        uses.out(sources(comm), to, count, type));
        },
        request, from, from_count, from_type, to, count, type, comm, info);
}
#endif

LOOMP_EXPORT int MPI_Neighbor_alltoallv(const void *from, const int from_counts[],
                                        const int from_offsets[], MPI_Datatype from_type, void *to,
                                        const int counts[], const int offsets[], MPI_Datatype type,
                                        MPI_Comm comm) {
    return blocking(
        {Function::Neighbor_alltoallv, LOOMP_CALLER}, LOOMP_NEXT(Neighbor_alltoallv),
        [&](Uses &uses) {
            return uses.joins(comm) &&
                   (uses.in(targets(comm), from, from_counts, from_offsets, from_type),
                    uses.out(sources(comm), to, counts, offsets, type));
        },
        from, from_counts, from_offsets, from_type, to, counts, offsets, type, comm);
}
LOOMP_EXPORT int MPI_Ineighbor_alltoallv(const void *from, const int from_counts[],
                                         const int from_offsets[], MPI_Datatype from_type, void *to,
                                         const int counts[], const int offsets[], MPI_Datatype type,
                                         MPI_Comm comm, MPI_Request *request) {
    return start(
        {Function::Ineighbor_alltoallv, LOOMP_CALLER}, LOOMP_NEXT(Ineighbor_alltoallv),
        [&](Uses &uses) {
            return uses.joins(comm) &&
                   (uses.in(targets(comm), from, from_counts, from_offsets, from_type),
                    uses.out(sources(comm), to, counts, offsets, type));
        },
        request, from, from_counts, from_offsets, from_type, to, counts, offsets, type, comm);
}
#if MPI_VERSION >= 4
LOOMP_EXPORT int MPI_Neighbor_alltoallv_init(const void *from, const int from_counts[],
                                             const int from_offsets[], MPI_Datatype from_type,
                                             void *to, const int counts[], const int offsets[],
                                             MPI_Datatype type, MPI_Comm comm, MPI_Info info,
                                             MPI_Request *request) {
    return initialize(
        {Function::Neighbor_alltoallv_init, LOOMP_CALLER}, LOOMP_NEXT(Neighbor_alltoallv_init),
        [&](Uses &uses) {
            return uses.joins(comm) &&
                   (uses.in(targets(comm), from, from_counts, from_offsets, from_type),
                    uses.out(sources(comm), to, counts, offsets, type));
        },
        request, from, from_counts, from_offsets, from_type, to, counts, offsets, type, comm, info);
}
#endif

LOOMP_EXPORT int MPI_Neighbor_alltoallw(const void *from, const int from_counts[],
                                        const MPI_Aint from_offsets[],
                                        const MPI_Datatype from_types[], void *to,
                                        const int counts[], const MPI_Aint offsets[],
                                        const MPI_Datatype types[], MPI_Comm comm) {
    return blocking(
        {Function::Neighbor_alltoallw, LOOMP_CALLER}, LOOMP_NEXT(Neighbor_alltoallw),
        [&](Uses &uses) {
            return uses.joins(comm) &&
                   (uses.in(targets(comm), from, from_counts, from_offsets, from_types),
                    uses.out(sources(comm), to, counts, offsets, types));
        },
        from, from_counts, from_offsets, from_types, to, counts, offsets, types, comm);
}
LOOMP_EXPORT int MPI_Ineighbor_alltoallw(const void *from, const int from_counts[],
                                         const MPI_Aint from_offsets[],
                                         const MPI_Datatype from_types[], void *to,
                                         const int counts[], const MPI_Aint offsets[],
                                         const MPI_Datatype types[], MPI_Comm comm,
                                         MPI_Request *request) {
    return start(
        {Function::Ineighbor_alltoallw, LOOMP_CALLER}, LOOMP_NEXT(Ineighbor_alltoallw),
        [&](Uses &uses) {
            return uses.joins(comm) &&
                   (uses.in(targets(comm), from, from_counts, from_offsets, from_types),
                    uses.out(sources(comm), to, counts, offsets, types));
        },
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
        {Function::Neighbor_alltoallw_init, LOOMP_CALLER}, LOOMP_NEXT(Neighbor_alltoallw_init),
        [&](Uses &uses) {
            return uses.joins(comm) &&
                   (uses.in(targets(comm), from, from_counts, from_offsets, from_types),
                    uses.out(sources(comm), to, counts, offsets, types));
        },
        request, from, from_counts, from_offsets, from_types, to, counts, offsets, types, comm,
        info);
}
#endif

#if MPI_VERSION >= 4
LOOMP_EXPORT int MPI_Bcast_c(void *buffer, MPI_Count count, MPI_Datatype type, int root,
                             MPI_Comm comm) {
    return blocking(
        {Function::Bcast, LOOMP_CALLER}, LOOMP_NEXT(Bcast_c),
        [&](Uses &uses) {
            return uses.joins(comm) && (is_root(root, comm) ? uses.in(buffer, count, type)
                                                            : uses.out(buffer, count, type));
        },
        buffer, count, type, root, comm);
}
LOOMP_EXPORT int MPI_Ibcast_c(void *buffer, MPI_Count count, MPI_Datatype type, int root,
                              MPI_Comm comm, MPI_Request *request) {
    return start(
        {Function::Ibcast, LOOMP_CALLER}, LOOMP_NEXT(Ibcast_c),
        [&](Uses &uses) {
            return uses.joins(comm) && (is_root(root, comm) ? uses.in(buffer, count, type)
                                                            : uses.out(buffer, count, type));
        },
        request, buffer, count, type, root, comm);
}
LOOMP_EXPORT int MPI_Bcast_init_c(void *buffer, MPI_Count count, MPI_Datatype type, int root,
                                  MPI_Comm comm, MPI_Info info, MPI_Request *request) {
    return initialize(
        {Function::Bcast_init, LOOMP_CALLER}, LOOMP_NEXT(Bcast_init_c),
        [&](Uses &uses) {
            return uses.joins(comm) && (is_root(root, comm) ? uses.in(buffer, count, type)
                                                            : uses.out(buffer, count, type));
        },
        request, buffer, count, type, root, comm, info);
}

LOOMP_EXPORT int MPI_Gather_c(const void *from, MPI_Count from_count, MPI_Datatype from_type,
                              void *to, MPI_Count count, MPI_Datatype type, int root,
                              MPI_Comm comm) {
    return blocking(
        {Function::Gather, LOOMP_CALLER}, LOOMP_NEXT(Gather_c),
        [&](Uses &uses) {
            return uses.joins(comm) &&
                   (uses.in(from, from_count, from_type),
                    is_root(root, comm) && uses.out(ranks(comm), to, count, type));
        },
        from, from_count, from_type, to, count, type, root, comm);
}
LOOMP_EXPORT int MPI_Igather_c(const void *from, MPI_Count from_count, MPI_Datatype from_type,
                               void *to, MPI_Count count, MPI_Datatype type, int root,
                               MPI_Comm comm, MPI_Request *request) {
    return start(
        {Function::Igather, LOOMP_CALLER}, LOOMP_NEXT(Igather_c),
        [&](Uses &uses) {
            return uses.joins(comm) &&
                   (uses.in(from, from_count, from_type),
                    is_root(root, comm) && uses.out(ranks(comm), to, count, type));
        },
        request, from, from_count, from_type, to, count, type, root, comm);
}
LOOMP_EXPORT int MPI_Gather_init_c(const void *from, MPI_Count from_count, MPI_Datatype from_type,
                                   void *to, MPI_Count count, MPI_Datatype type, int root,
                                   MPI_Comm comm, MPI_Info info, MPI_Request *request) {
    return initialize(
        {Function::Gather_init, LOOMP_CALLER}, LOOMP_NEXT(Gather_init_c),
        [&](Uses &uses) {
            return uses.joins(comm) &&
                   (uses.in(from, from_count, from_type),
                    is_root(root, comm) && uses.out(ranks(comm), to, count, type));
        },
        request, from, from_count, from_type, to, count, type, root, comm, info);
}

LOOMP_EXPORT int MPI_Gatherv_c(const void *from, MPI_Count from_count, MPI_Datatype from_type,
                               void *to, const MPI_Count counts[], const MPI_Aint offsets[],
                               MPI_Datatype type, int root, MPI_Comm comm) {
    return blocking(
        {Function::Gatherv, LOOMP_CALLER}, LOOMP_NEXT(Gatherv_c),
        [&](Uses &uses) {
            return uses.joins(comm) &&
                   (uses.in(from, from_count, from_type),
                    is_root(root, comm) && uses.out(ranks(comm), to, counts, offsets, type));
        },
        from, from_count, from_type, to, counts, offsets, type, root, comm);
}
LOOMP_EXPORT int MPI_Igatherv_c(const void *from, MPI_Count from_count, MPI_Datatype from_type,
                                void *to, const MPI_Count counts[], const MPI_Aint offsets[],
                                MPI_Datatype type, int root, MPI_Comm comm, MPI_Request *request) {
    return start(
        {Function::Igatherv, LOOMP_CALLER}, LOOMP_NEXT(Igatherv_c),
        [&](Uses &uses) {
            return uses.joins(comm) &&
                   (uses.in(from, from_count, from_type),
                    is_root(root, comm) && uses.out(ranks(comm), to, counts, offsets, type));
        },
        request, from, from_count, from_type, to, counts, offsets, type, root, comm);
}
LOOMP_EXPORT int MPI_Gatherv_init_c(const void *from, MPI_Count from_count, MPI_Datatype from_type,
                                    void *to, const MPI_Count counts[], const MPI_Aint offsets[],
                                    MPI_Datatype type, int root, MPI_Comm comm, MPI_Info info,
                                    MPI_Request *request) {
    return initialize(
        {Function::Gatherv_init, LOOMP_CALLER}, LOOMP_NEXT(Gatherv_init_c),
        [&](Uses &uses) {
            return uses.joins(comm) &&
                   (uses.in(from, from_count, from_type),
                    is_root(root, comm) && uses.out(ranks(comm), to, counts, offsets, type));
        },
        request, from, from_count, from_type, to, counts, offsets, type, root, comm, info);
}

LOOMP_EXPORT int MPI_Scatter_c(const void *from, MPI_Count from_count, MPI_Datatype from_type,
                               void *to, MPI_Count count, MPI_Datatype type, int root,
                               MPI_Comm comm) {
    return blocking(
        {Function::Scatter, LOOMP_CALLER}, LOOMP_NEXT(Scatter_c),
        [&](Uses &uses) {
            return uses.joins(comm) &&
                   (is_root(root, comm) && uses.in(ranks(comm), from, from_count, from_type),
                    uses.out(to, count, type));
        },
        from, from_count, from_type, to, count, type, root, comm);
}
LOOMP_EXPORT int MPI_Iscatter_c(const void *from, MPI_Count from_count, MPI_Datatype from_type,
                                void *to, MPI_Count count, MPI_Datatype type, int root,
                                MPI_Comm comm, MPI_Request *request) {
    return start(
        {Function::Iscatter, LOOMP_CALLER}, LOOMP_NEXT(Iscatter_c),
        [&](Uses &uses) {
            return uses.joins(comm) &&
                   (is_root(root, comm) && uses.in(ranks(comm), from, from_count, from_type),
                    uses.out(to, count, type));
        },
        request, from, from_count, from_type, to, count, type, root, comm);
}
LOOMP_EXPORT int MPI_Scatter_init_c(const void *from, MPI_Count from_count, MPI_Datatype from_type,
                                    void *to, MPI_Count count, MPI_Datatype type, int root,
                                    MPI_Comm comm, MPI_Info info, MPI_Request *request) {
    return initialize(
        {Function::Scatter_init, LOOMP_CALLER}, LOOMP_NEXT(Scatter_init_c),
        [&](Uses &uses) {
            return uses.joins(comm) &&
                   (is_root(root, comm) && uses.in(ranks(comm), from, from_count, from_type),
                    uses.out(to, count, type));
        },
        request, from, from_count, from_type, to, count, type, root, comm, info);
}

LOOMP_EXPORT int MPI_Scatterv_c(const void *from, const MPI_Count counts[],
                                const MPI_Aint offsets[], MPI_Datatype from_type, void *to,
                                MPI_Count count, MPI_Datatype type, int root, MPI_Comm comm) {
    return blocking(
        {Function::Scatterv, LOOMP_CALLER}, LOOMP_NEXT(Scatterv_c),
        [&](Uses &uses) {
            return uses.joins(comm) &&
                   (is_root(root, comm) && uses.in(ranks(comm), from, counts, offsets, from_type),
                    uses.out(to, count, type));
        },
        from, counts, offsets, from_type, to, count, type, root, comm);
}
LOOMP_EXPORT int MPI_Iscatterv_c(const void *from, const MPI_Count counts[],
                                 const MPI_Aint offsets[], MPI_Datatype from_type, void *to,
                                 MPI_Count count, MPI_Datatype type, int root, MPI_Comm comm,
                                 MPI_Request *request) {
    return start(
        {Function::Iscatterv, LOOMP_CALLER}, LOOMP_NEXT(Iscatterv_c),
        [&](Uses &uses) {
            return uses.joins(comm) &&
                   (is_root(root, comm) && uses.in(ranks(comm), from, counts, offsets, from_type),
                    uses.out(to, count, type));
        },
        request, from, counts, offsets, from_type, to, count, type, root, comm);
}
LOOMP_EXPORT int MPI_Scatterv_init_c(const void *from, const MPI_Count counts[],
                                     const MPI_Aint offsets[], MPI_Datatype from_type, void *to,
                                     MPI_Count count, MPI_Datatype type, int root, MPI_Comm comm,
                                     MPI_Info info, MPI_Request *request) {
    return initialize(
        {Function::Scatterv_init, LOOMP_CALLER}, LOOMP_NEXT(Scatterv_init_c),
        [&](Uses &uses) {
            return uses.joins(comm) &&
                   (is_root(root, comm) && uses.in(ranks(comm), from, counts, offsets, from_type),
                    uses.out(to, count, type));
        },
        request, from, counts, offsets, from_type, to, count, type, root, comm, info);
}

LOOMP_EXPORT int MPI_Allgather_c(const void *from, MPI_Count from_count, MPI_Datatype from_type,
                                 void *to, MPI_Count count, MPI_Datatype type, MPI_Comm comm) {
    return blocking(
        {Function::Allgather, LOOMP_CALLER}, LOOMP_NEXT(Allgather_c),
        [&](Uses &uses) {
            return uses.joins(comm) &&
                   (uses.in(from, from_count, from_type), uses.out(ranks(comm), to, count, type));
        },
        from, from_count, from_type, to, count, type, comm);
}
LOOMP_EXPORT int MPI_Iallgather_c(const void *from, MPI_Count from_count, MPI_Datatype from_type,
                                  void *to, MPI_Count count, MPI_Datatype type, MPI_Comm comm,
                                  MPI_Request *request) {
    return start(
        {Function::Iallgather, LOOMP_CALLER}, LOOMP_NEXT(Iallgather_c),
        [&](Uses &uses) {
            return uses.joins(comm) &&
                   (uses.in(from, from_count, from_type), uses.out(ranks(comm), to, count, type));
        },
        request, from, from_count, from_type, to, count, type, comm);
}
LOOMP_EXPORT int MPI_Allgather_init_c(const void *from, MPI_Count from_count,
                                      MPI_Datatype from_type, void *to, MPI_Count count,
                                      MPI_Datatype type, MPI_Comm comm, MPI_Info info,
                                      MPI_Request *request) {
    return initialize(
        {Function::Allgather_init, LOOMP_CALLER}, LOOMP_NEXT(Allgather_init_c),
        [&](Uses &uses) {
            return uses.joins(comm) &&
                   (uses.in(from, from_count, from_type), uses.out(ranks(comm), to, count, type));
        },
        request, from, from_count, from_type, to, count, type, comm, info);
}

LOOMP_EXPORT int MPI_Allgatherv_c(const void *from, MPI_Count from_count, MPI_Datatype from_type,
                                  void *to, const MPI_Count counts[], const MPI_Aint offsets[],
                                  MPI_Datatype type, MPI_Comm comm) {
    return blocking(
        {Function::Allgatherv, LOOMP_CALLER}, LOOMP_NEXT(Allgatherv_c),
        [&](Uses &uses) {
            return uses.joins(comm) && (uses.in(from, from_count, from_type),
                                        uses.out(ranks(comm), to, counts, offsets, type));
        },
        from, from_count, from_type, to, counts, offsets, type, comm);
}
LOOMP_EXPORT int MPI_Iallgatherv_c(const void *from, MPI_Count from_count, MPI_Datatype from_type,
                                   void *to, const MPI_Count counts[], const MPI_Aint offsets[],
                                   MPI_Datatype type, MPI_Comm comm, MPI_Request *request) {
    return start(
        {Function::Iallgatherv, LOOMP_CALLER}, LOOMP_NEXT(Iallgatherv_c),
        [&](Uses &uses) {
            return uses.joins(comm) && (uses.in(from, from_count, from_type),
                                        uses.out(ranks(comm), to, counts, offsets, type));
        },
        request, from, from_count, from_type, to, counts, offsets, type, comm);
}
LOOMP_EXPORT int MPI_Allgatherv_init_c(const void *from, MPI_Count from_count,
                                       MPI_Datatype from_type, void *to, const MPI_Count counts[],
                                       const MPI_Aint offsets[], MPI_Datatype type, MPI_Comm comm,
                                       MPI_Info info, MPI_Request *request) {
    return initialize(
        {Function::Allgatherv_init, LOOMP_CALLER}, LOOMP_NEXT(Allgatherv_init_c),
        [&](Uses &uses) {
            return uses.joins(comm) && (uses.in(from, from_count, from_type),
                                        uses.out(ranks(comm), to, counts, offsets, type));
        },
        request, from, from_count, from_type, to, counts, offsets, type, comm, info);
}

LOOMP_EXPORT int MPI_Alltoall_c(const void *from, MPI_Count from_count, MPI_Datatype from_type,
                                void *to, MPI_Count count, MPI_Datatype type, MPI_Comm comm) {
    return blocking(
        {Function::Alltoall, LOOMP_CALLER}, LOOMP_NEXT(Alltoall_c),
        [&](Uses &uses) {
            return uses.joins(comm) && (uses.in(ranks(comm), from, from_count, from_type),
                                        uses.out(ranks(comm), to, count, type));
        },
        from, from_count, from_type, to, count, type, comm);
}
LOOMP_EXPORT int MPI_Ialltoall_c(const void *from, MPI_Count from_count, MPI_Datatype from_type,
                                 void *to, MPI_Count count, MPI_Datatype type, MPI_Comm comm,
                                 MPI_Request *request) {
    return start(
        {Function::Ialltoall, LOOMP_CALLER}, LOOMP_NEXT(Ialltoall_c),
        [&](Uses &uses) {
            return uses.joins(comm) && (uses.in(ranks(comm), from, from_count, from_type),
                                        uses.out(ranks(comm), to, count, type));
        },
        request, from, from_count, from_type, to, count, type, comm);
}
LOOMP_EXPORT int MPI_Alltoall_init_c(const void *from, MPI_Count from_count, MPI_Datatype from_type,
                                     void *to, MPI_Count count, MPI_Datatype type, MPI_Comm comm,
                                     MPI_Info info, MPI_Request *request) {
    return initialize(
        {Function::Alltoall_init, LOOMP_CALLER}, LOOMP_NEXT(Alltoall_init_c),
        [&](Uses &uses) {
            return uses.joins(comm) && (uses.in(ranks(comm), from, from_count, from_type),
                                        uses.out(ranks(comm), to, count, type));
        },
        request, from, from_count, from_type, to, count, type, comm, info);
}

LOOMP_EXPORT int MPI_Alltoallv_c(const void *from, const MPI_Count from_counts[],
                                 const MPI_Aint from_offsets[], MPI_Datatype from_type, void *to,
                                 const MPI_Count counts[], const MPI_Aint offsets[],
                                 MPI_Datatype type, MPI_Comm comm) {
    return blocking(
        {Function::Alltoallv, LOOMP_CALLER}, LOOMP_NEXT(Alltoallv_c),
        [&](Uses &uses) {
            return uses.joins(comm) &&
                   (uses.in(ranks(comm), from, from_counts, from_offsets, from_type),
                    uses.out(ranks(comm), to, counts, offsets, type));
        },
        from, from_counts, from_offsets, from_type, to, counts, offsets, type, comm);
}
LOOMP_EXPORT int MPI_Ialltoallv_c(const void *from, const MPI_Count from_counts[],
                                  const MPI_Aint from_offsets[], MPI_Datatype from_type, void *to,
                                  const MPI_Count counts[], const MPI_Aint offsets[],
                                  MPI_Datatype type, MPI_Comm comm, MPI_Request *request) {
    return start(
        {Function::Ialltoallv, LOOMP_CALLER}, LOOMP_NEXT(Ialltoallv_c),
        [&](Uses &uses) {
            return uses.joins(comm) &&
                   (uses.in(ranks(comm), from, from_counts, from_offsets, from_type),
                    uses.out(ranks(comm), to, counts, offsets, type));
        },
        request, from, from_counts, from_offsets, from_type, to, counts, offsets, type, comm);
}
LOOMP_EXPORT int MPI_Alltoallv_init_c(const void *from, const MPI_Count from_counts[],
                                      const MPI_Aint from_offsets[], MPI_Datatype from_type,
                                      void *to, const MPI_Count counts[], const MPI_Aint offsets[],
                                      MPI_Datatype type, MPI_Comm comm, MPI_Info info,
                                      MPI_Request *request) {
    return initialize(
        {Function::Alltoallv_init, LOOMP_CALLER}, LOOMP_NEXT(Alltoallv_init_c),
        [&](Uses &uses) {
            return uses.joins(comm) &&
                   (uses.in(ranks(comm), from, from_counts, from_offsets, from_type),
                    uses.out(ranks(comm), to, counts, offsets, type));
        },
        request, from, from_counts, from_offsets, from_type, to, counts, offsets, type, comm, info);
}

LOOMP_EXPORT int MPI_Alltoallw_c(const void *from, const MPI_Count from_counts[],
                                 const MPI_Aint from_offsets[], const MPI_Datatype from_types[],
                                 void *to, const MPI_Count counts[], const MPI_Aint offsets[],
                                 const MPI_Datatype types[], MPI_Comm comm) {
    return blocking(
        {Function::Alltoallw, LOOMP_CALLER}, LOOMP_NEXT(Alltoallw_c),
        [&](Uses &uses) {
            return uses.joins(comm) &&
                   (uses.in(ranks(comm), from, from_counts, from_offsets, from_types),
                    uses.out(ranks(comm), to, counts, offsets, types));
        },
        from, from_counts, from_offsets, from_types, to, counts, offsets, types, comm);
}
LOOMP_EXPORT int MPI_Ialltoallw_c(const void *from, const MPI_Count from_counts[],
                                  const MPI_Aint from_offsets[], const MPI_Datatype from_types[],
                                  void *to, const MPI_Count counts[], const MPI_Aint offsets[],
                                  const MPI_Datatype types[], MPI_Comm comm, MPI_Request *request) {
    return start(
        {Function::Ialltoallw, LOOMP_CALLER}, LOOMP_NEXT(Ialltoallw_c),
        [&](Uses &uses) {
            return uses.joins(comm) &&
                   (uses.in(ranks(comm), from, from_counts, from_offsets, from_types),
                    uses.out(ranks(comm), to, counts, offsets, types));
        },
        request, from, from_counts, from_offsets, from_types, to, counts, offsets, types, comm);
}
LOOMP_EXPORT int MPI_Alltoallw_init_c(const void *from, const MPI_Count from_counts[],
                                      const MPI_Aint from_offsets[],
                                      const MPI_Datatype from_types[], void *to,
                                      const MPI_Count counts[], const MPI_Aint offsets[],
                                      const MPI_Datatype types[], MPI_Comm comm, MPI_Info info,
                                      MPI_Request *request) {
    return initialize(
        {Function::Alltoallw_init, LOOMP_CALLER}, LOOMP_NEXT(Alltoallw_init_c),
        [&](Uses &uses) {
            return uses.joins(comm) &&
                   (uses.in(ranks(comm), from, from_counts, from_offsets, from_types),
                    uses.out(ranks(comm), to, counts, offsets, types));
        },
        request, from, from_counts, from_offsets, from_types, to, counts, offsets, types, comm,
        info);
}

LOOMP_EXPORT int MPI_Reduce_c(const void *from, void *to, MPI_Count count, MPI_Datatype type,
                              MPI_Op op, int root, MPI_Comm comm) {
    return blocking(
        {Function::Reduce, LOOMP_CALLER}, LOOMP_NEXT(Reduce_c),
        [&](Uses &uses) {
            return uses.joins(comm) &&
                   (uses.in(from, count, type), is_root(root, comm) && uses.out(to, count, type));
        },
        from, to, count, type, op, root, comm);
}
LOOMP_EXPORT int MPI_Ireduce_c(const void *from, void *to, MPI_Count count, MPI_Datatype type,
                               MPI_Op op, int root, MPI_Comm comm, MPI_Request *request) {
    return start(
        {Function::Ireduce, LOOMP_CALLER}, LOOMP_NEXT(Ireduce_c),
        [&](Uses &uses) {
            return uses.joins(comm) &&
                   (uses.in(from, count, type), is_root(root, comm) && uses.out(to, count, type));
        },
        request, from, to, count, type, op, root, comm);
}
LOOMP_EXPORT int MPI_Reduce_init_c(const void *from, void *to, MPI_Count count, MPI_Datatype type,
                                   MPI_Op op, int root, MPI_Comm comm, MPI_Info info,
                                   MPI_Request *request) {
    return initialize(
        {Function::Reduce_init, LOOMP_CALLER}, LOOMP_NEXT(Reduce_init_c),
        [&](Uses &uses) {
            return uses.joins(comm) &&
                   (uses.in(from, count, type), is_root(root, comm) && uses.out(to, count, type));
        },
        request, from, to, count, type, op, root, comm, info);
}

LOOMP_EXPORT int MPI_Allreduce_c(const void *from, void *to, MPI_Count count, MPI_Datatype type,
                                 MPI_Op op, MPI_Comm comm) {
    return blocking(
        {Function::Allreduce, LOOMP_CALLER}, LOOMP_NEXT(Allreduce_c),
        [&](Uses &uses) {
            return uses.joins(comm) && (uses.in(from, count, type), uses.out(to, count, type));
        },
        from, to, count, type, op, comm);
}
LOOMP_EXPORT int MPI_Iallreduce_c(const void *from, void *to, MPI_Count count, MPI_Datatype type,
                                  MPI_Op op, MPI_Comm comm, MPI_Request *request) {
    return start(
        {Function::Iallreduce, LOOMP_CALLER}, LOOMP_NEXT(Iallreduce_c),
        [&](Uses &uses) {
            return uses.joins(comm) && (uses.in(from, count, type), uses.out(to, count, type));
        },
        request, from, to, count, type, op, comm);
}
LOOMP_EXPORT int MPI_Allreduce_init_c(const void *from, void *to, MPI_Count count,
                                      MPI_Datatype type, MPI_Op op, MPI_Comm comm, MPI_Info info,
                                      MPI_Request *request) {
    return initialize(
        {Function::Allreduce_init, LOOMP_CALLER}, LOOMP_NEXT(Allreduce_init_c),
        [&](Uses &uses) {
            return uses.joins(comm) && (uses.in(from, count, type), uses.out(to, count, type));
        },
        request, from, to, count, type, op, comm, info);
}

LOOMP_EXPORT int MPI_Reduce_scatter_c(const void *from, void *to, const MPI_Count counts[],
                                      MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
    return blocking(
        {Function::Reduce_scatter, LOOMP_CALLER}, LOOMP_NEXT(Reduce_scatter_c),
        [&](Uses &uses) {
            return uses.joins(comm) && (uses.in(from, sum(comm, counts), type),
                                        uses.out(to, counts[own_rank(comm)], type));
        },
        from, to, counts, type, op, comm);
}
LOOMP_EXPORT int MPI_Ireduce_scatter_c(const void *from, void *to, const MPI_Count counts[],
                                       MPI_Datatype type, MPI_Op op, MPI_Comm comm,
                                       MPI_Request *request) {
    return start(
        {Function::Ireduce_scatter, LOOMP_CALLER}, LOOMP_NEXT(Ireduce_scatter_c),
        [&](Uses &uses) {
            return uses.joins(comm) && (uses.in(from, sum(comm, counts), type),
                                        uses.out(to, counts[own_rank(comm)], type));
        },
        request, from, to, counts, type, op, comm);
}
LOOMP_EXPORT int MPI_Reduce_scatter_init_c(const void *from, void *to, const MPI_Count counts[],
                                           MPI_Datatype type, MPI_Op op, MPI_Comm comm,
                                           MPI_Info info, MPI_Request *request) {
    return initialize(
        {Function::Reduce_scatter_init, LOOMP_CALLER}, LOOMP_NEXT(Reduce_scatter_init_c),
        [&](Uses &uses) {
            return uses.joins(comm) && (uses.in(from, sum(comm, counts), type),
                                        uses.out(to, counts[own_rank(comm)], type));
        },
        request, from, to, counts, type, op, comm, info);
}

LOOMP_EXPORT int MPI_Reduce_scatter_block_c(const void *from, void *to, MPI_Count count,
                                            MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
    return blocking(
        {Function::Reduce_scatter_block, LOOMP_CALLER}, LOOMP_NEXT(Reduce_scatter_block_c),
        [&](Uses &uses) {
            return uses.joins(comm) &&
                   (uses.in(ranks(comm), from, count, type), uses.out(to, count, type));
        },
        from, to, count, type, op, comm);
}
LOOMP_EXPORT int MPI_Ireduce_scatter_block_c(const void *from, void *to, MPI_Count count,
                                             MPI_Datatype type, MPI_Op op, MPI_Comm comm,
                                             MPI_Request *request) {
    return start(
        {Function::Ireduce_scatter_block, LOOMP_CALLER}, LOOMP_NEXT(Ireduce_scatter_block_c),
        [&](Uses &uses) {
            return uses.joins(comm) &&
                   (uses.in(ranks(comm), from, count, type), uses.out(to, count, type));
        },
        request, from, to, count, type, op, comm);
}
LOOMP_EXPORT int MPI_Reduce_scatter_block_init_c(const void *from, void *to, MPI_Count count,
                                                 MPI_Datatype type, MPI_Op op, MPI_Comm comm,
                                                 MPI_Info info, MPI_Request *request) {
    return initialize(
        {Function::Reduce_scatter_block_init, LOOMP_CALLER},
        LOOMP_NEXT(Reduce_scatter_block_init_c),
        [&](Uses &uses) {
            return uses.joins(comm) &&
                   (uses.in(ranks(comm), from, count, type), uses.out(to, count, type));
        },
        request, from, to, count, type, op, comm, info);
}

LOOMP_EXPORT int MPI_Scan_c(const void *from, void *to, MPI_Count count, MPI_Datatype type,
                            MPI_Op op, MPI_Comm comm) {
    return blocking(
        {Function::Scan, LOOMP_CALLER}, LOOMP_NEXT(Scan_c),
        [&](Uses &uses) {
            return uses.joins(comm) && (uses.in(from, count, type), uses.out(to, count, type));
        },
        from, to, count, type, op, comm);
}
LOOMP_EXPORT int MPI_Iscan_c(const void *from, void *to, MPI_Count count, MPI_Datatype type,
                             MPI_Op op, MPI_Comm comm, MPI_Request *request) {
    return start(
        {Function::Iscan, LOOMP_CALLER}, LOOMP_NEXT(Iscan_c),
        [&](Uses &uses) {
            return uses.joins(comm) && (uses.in(from, count, type), uses.out(to, count, type));
        },
        request, from, to, count, type, op, comm);
}
LOOMP_EXPORT int MPI_Scan_init_c(const void *from, void *to, MPI_Count count, MPI_Datatype type,
                                 MPI_Op op, MPI_Comm comm, MPI_Info info, MPI_Request *request) {
    return initialize(
        {Function::Scan_init, LOOMP_CALLER}, LOOMP_NEXT(Scan_init_c),
        [&](Uses &uses) {
            return uses.joins(comm) && (uses.in(from, count, type), uses.out(to, count, type));
        },
        request, from, to, count, type, op, comm, info);
}

LOOMP_EXPORT int MPI_Exscan_c(const void *from, void *to, MPI_Count count, MPI_Datatype type,
                              MPI_Op op, MPI_Comm comm) {
    return blocking(
        {Function::Exscan, LOOMP_CALLER}, LOOMP_NEXT(Exscan_c),
        [&](Uses &uses) {
            return uses.joins(comm) &&
                   (uses.in(from, count, type), is_root(0, comm) || uses.out(to, count, type));
        },
        from, to, count, type, op, comm);
}
LOOMP_EXPORT int MPI_Iexscan_c(const void *from, void *to, MPI_Count count, MPI_Datatype type,
                               MPI_Op op, MPI_Comm comm, MPI_Request *request) {
    return start(
        {Function::Iexscan, LOOMP_CALLER}, LOOMP_NEXT(Iexscan_c),
        [&](Uses &uses) {
            return uses.joins(comm) &&
                   (uses.in(from, count, type), is_root(0, comm) || uses.out(to, count, type));
        },
        request, from, to, count, type, op, comm);
}
LOOMP_EXPORT int MPI_Exscan_init_c(const void *from, void *to, MPI_Count count, MPI_Datatype type,
                                   MPI_Op op, MPI_Comm comm, MPI_Info info, MPI_Request *request) {
    return initialize(
        {Function::Exscan_init, LOOMP_CALLER}, LOOMP_NEXT(Exscan_init_c),
        [&](Uses &uses) {
            return uses.joins(comm) &&
                   (uses.in(from, count, type), is_root(0, comm) || uses.out(to, count, type));
        },
        request, from, to, count, type, op, comm, info);
}

LOOMP_EXPORT int MPI_Neighbor_allgather_c(const void *from, MPI_Count from_count,
                                          MPI_Datatype from_type, void *to, MPI_Count count,
                                          MPI_Datatype type, MPI_Comm comm) {
    return blocking(
        {Function::Neighbor_allgather, LOOMP_CALLER}, LOOMP_NEXT(Neighbor_allgather_c),
        [&](Uses &uses) {
            return uses.joins(comm) &&
                   (uses.in(from, from_count, from_type), uses.out(sources(comm), to, count, type));
        },
        from, from_count, from_type, to, count, type, comm);
}
LOOMP_EXPORT int MPI_Ineighbor_allgather_c(const void *from, MPI_Count from_count,
                                           MPI_Datatype from_type, void *to, MPI_Count count,
                                           MPI_Datatype type, MPI_Comm comm, MPI_Request *request) {
    return start(
        {Function::Ineighbor_allgather, LOOMP_CALLER}, LOOMP_NEXT(Ineighbor_allgather_c),
        [&](Uses &uses) {
            return uses.joins(comm) &&
                   (uses.in(from, from_count, from_type), uses.out(sources(comm), to, count, type));
        },
        request, from, from_count, from_type, to, count, type, comm);
}
LOOMP_EXPORT int MPI_Neighbor_allgather_init_c(const void *from, MPI_Count from_count,
                                               MPI_Datatype from_type, void *to, MPI_Count count,
                                               MPI_Datatype type, MPI_Comm comm, MPI_Info info,
                                               MPI_Request *request) {
    return initialize(
        {Function::Neighbor_allgather_init, LOOMP_CALLER}, LOOMP_NEXT(Neighbor_allgather_init_c),
        [&](Uses &uses) {
            return uses.joins(comm) &&
                   (uses.in(from, from_count, from_type), uses.out(sources(comm), to, count, type));
        },
        request, from, from_count, from_type, to, count, type, comm, info);
}

LOOMP_EXPORT int MPI_Neighbor_allgatherv_c(const void *from, MPI_Count from_count,
                                           MPI_Datatype from_type, void *to,
                                           const MPI_Count counts[], const MPI_Aint offsets[],
                                           MPI_Datatype type, MPI_Comm comm) {
    return blocking(
        {Function::Neighbor_allgatherv, LOOMP_CALLER}, LOOMP_NEXT(Neighbor_allgatherv_c),
        [&](Uses &uses) {
            return uses.joins(comm) && (uses.in(from, from_count, from_type),
                                        uses.out(sources(comm), to, counts, offsets, type));
        },
        from, from_count, from_type, to, counts, offsets, type, comm);
}
LOOMP_EXPORT int MPI_Ineighbor_allgatherv_c(const void *from, MPI_Count from_count,
                                            MPI_Datatype from_type, void *to,
                                            const MPI_Count counts[], const MPI_Aint offsets[],
                                            MPI_Datatype type, MPI_Comm comm,
                                            MPI_Request *request) {
    return start(
        {Function::Ineighbor_allgatherv, LOOMP_CALLER}, LOOMP_NEXT(Ineighbor_allgatherv_c),
        [&](Uses &uses) {
            return uses.joins(comm) && (uses.in(from, from_count, from_type),
                                        uses.out(sources(comm), to, counts, offsets, type));
        },
        request, from, from_count, from_type, to, counts, offsets, type, comm);
}
LOOMP_EXPORT int MPI_Neighbor_allgatherv_init_c(const void *from, MPI_Count from_count,
                                                MPI_Datatype from_type, void *to,
                                                const MPI_Count counts[], const MPI_Aint offsets[],
                                                MPI_Datatype type, MPI_Comm comm, MPI_Info info,
                                                MPI_Request *request) {
    return initialize(
        {Function::Neighbor_allgatherv_init, LOOMP_CALLER}, LOOMP_NEXT(Neighbor_allgatherv_init_c),
        [&](Uses &uses) {
            return uses.joins(comm) && (uses.in(from, from_count, from_type),
                                        uses.out(sources(comm), to, counts, offsets, type));
        },
        request, from, from_count, from_type, to, counts, offsets, type, comm, info);
}

LOOMP_EXPORT int MPI_Neighbor_alltoall_c(const void *from, MPI_Count from_count,
                                         MPI_Datatype from_type, void *to, MPI_Count count,
                                         MPI_Datatype type, MPI_Comm comm) {
    return blocking(
        {Function::Neighbor_alltoall, LOOMP_CALLER}, LOOMP_NEXT(Neighbor_alltoall_c),
        [&](Uses &uses) {
            return uses.joins(comm) && (uses.in(targets(comm), from, from_count, from_type),
                                        uses.out(sources(comm), to, count, type));
        },
        from, from_count, from_type, to, count, type, comm);
}
LOOMP_EXPORT int MPI_Ineighbor_alltoall_c(const void *from, MPI_Count from_count,
                                          MPI_Datatype from_type, void *to, MPI_Count count,
                                          MPI_Datatype type, MPI_Comm comm, MPI_Request *request) {
    return start(
        {Function::Ineighbor_alltoall, LOOMP_CALLER}, LOOMP_NEXT(Ineighbor_alltoall_c),
        [&](Uses &uses) {
            return uses.joins(comm) && (uses.in(targets(comm), from, from_count, from_type),
                                        uses.out(sources(comm), to, count, type));
        },
        request, from, from_count, from_type, to, count, type, comm);
}
LOOMP_EXPORT int MPI_Neighbor_alltoall_init_c(const void *from, MPI_Count from_count,
                                              MPI_Datatype from_type, void *to, MPI_Count count,
                                              MPI_Datatype type, MPI_Comm comm, MPI_Info info,
                                              MPI_Request *request) {
    return initialize(
        {Function::Neighbor_alltoall_init, LOOMP_CALLER}, LOOMP_NEXT(Neighbor_alltoall_init_c),
        [&](Uses &uses) {
            return uses.joins(comm) && (uses.in(targets(comm), from, from_count, from_type),
                                        uses.out(sources(comm), to, count, type));
        },
        request, from, from_count, from_type, to, count, type, comm, info);
}

LOOMP_EXPORT int MPI_Neighbor_alltoallv_c(const void *from, const MPI_Count from_counts[],
                                          const MPI_Aint from_offsets[], MPI_Datatype from_type,
                                          void *to, const MPI_Count counts[],
                                          const MPI_Aint offsets[], MPI_Datatype type,
                                          MPI_Comm comm) {
    return blocking(
        {Function::Neighbor_alltoallv, LOOMP_CALLER}, LOOMP_NEXT(Neighbor_alltoallv_c),
        [&](Uses &uses) {
            return uses.joins(comm) &&
                   (uses.in(targets(comm), from, from_counts, from_offsets, from_type),
                    uses.out(sources(comm), to, counts, offsets, type));
        },
        from, from_counts, from_offsets, from_type, to, counts, offsets, type, comm);
}
LOOMP_EXPORT int MPI_Ineighbor_alltoallv_c(const void *from, const MPI_Count from_counts[],
                                           const MPI_Aint from_offsets[], MPI_Datatype from_type,
                                           void *to, const MPI_Count counts[],
                                           const MPI_Aint offsets[], MPI_Datatype type,
                                           MPI_Comm comm, MPI_Request *request) {
    return start(
        {Function::Ineighbor_alltoallv, LOOMP_CALLER}, LOOMP_NEXT(Ineighbor_alltoallv_c),
        [&](Uses &uses) {
            return uses.joins(comm) &&
                   (uses.in(targets(comm), from, from_counts, from_offsets, from_type),
                    uses.out(sources(comm), to, counts, offsets, type));
        },
        request, from, from_counts, from_offsets, from_type, to, counts, offsets, type, comm);
}
LOOMP_EXPORT int MPI_Neighbor_alltoallv_init_c(const void *from, const MPI_Count from_counts[],
                                               const MPI_Aint from_offsets[],
                                               MPI_Datatype from_type, void *to,
                                               const MPI_Count counts[], const MPI_Aint offsets[],
                                               MPI_Datatype type, MPI_Comm comm, MPI_Info info,
                                               MPI_Request *request) {
    return initialize(
        {Function::Neighbor_alltoallv_init, LOOMP_CALLER}, LOOMP_NEXT(Neighbor_alltoallv_init_c),
        [&](Uses &uses) {
            return uses.joins(comm) &&
                   (uses.in(targets(comm), from, from_counts, from_offsets, from_type),
                    uses.out(sources(comm), to, counts, offsets, type));
        },
        request, from, from_counts, from_offsets, from_type, to, counts, offsets, type, comm, info);
}

LOOMP_EXPORT int MPI_Neighbor_alltoallw_c(const void *from, const MPI_Count from_counts[],
                                          const MPI_Aint from_offsets[],
                                          const MPI_Datatype from_types[], void *to,
                                          const MPI_Count counts[], const MPI_Aint offsets[],
                                          const MPI_Datatype types[], MPI_Comm comm) {
    return blocking(
        {Function::Neighbor_alltoallw, LOOMP_CALLER}, LOOMP_NEXT(Neighbor_alltoallw_c),
        [&](Uses &uses) {
            return uses.joins(comm) &&
                   (uses.in(targets(comm), from, from_counts, from_offsets, from_types),
                    uses.out(sources(comm), to, counts, offsets, types));
        },
        from, from_counts, from_offsets, from_types, to, counts, offsets, types, comm);
}
LOOMP_EXPORT int MPI_Ineighbor_alltoallw_c(const void *from, const MPI_Count from_counts[],
                                           const MPI_Aint from_offsets[],
                                           const MPI_Datatype from_types[], void *to,
                                           const MPI_Count counts[], const MPI_Aint offsets[],
                                           const MPI_Datatype types[], MPI_Comm comm,
                                           MPI_Request *request) {
    return start(
        {Function::Ineighbor_alltoallw, LOOMP_CALLER}, LOOMP_NEXT(Ineighbor_alltoallw_c),
        [&](Uses &uses) {
            return uses.joins(comm) &&
                   (uses.in(targets(comm), from, from_counts, from_offsets, from_types),
                    uses.out(sources(comm), to, counts, offsets, types));
        },
        request, from, from_counts, from_offsets, from_types, to, counts, offsets, types, comm);
}
LOOMP_EXPORT int MPI_Neighbor_alltoallw_init_c(const void *from, const MPI_Count from_counts[],
                                               const MPI_Aint from_offsets[],
                                               const MPI_Datatype from_types[], void *to,
                                               const MPI_Count counts[], const MPI_Aint offsets[],
                                               const MPI_Datatype types[], MPI_Comm comm,
                                               MPI_Info info, MPI_Request *request) {
    return initialize(
        {Function::Neighbor_alltoallw_init, LOOMP_CALLER}, LOOMP_NEXT(Neighbor_alltoallw_init_c),
        [&](Uses &uses) {
            return uses.joins(comm) &&
                   (uses.in(targets(comm), from, from_counts, from_offsets, from_types),
                    uses.out(sources(comm), to, counts, offsets, types));
        },
        request, from, from_counts, from_offsets, from_types, to, counts, offsets, types, comm,
        info);
}
#endif
