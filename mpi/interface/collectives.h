// The collectives that have a nonblocking form, once for the layer and for the recorder.
#pragma once

/// X(NAME, NONBLOCKING, SUFFIX, PARAMETERS in parentheses, the arguments...) for each but
/// MPI_Barrier. COUNT and OFFSET: the types of counts and of offsets.
#define LOOMP_FOR_COLLECTIVES(X, SUFFIX, COUNT, OFFSET)                                            \
    X(Bcast, Ibcast, SUFFIX,                                                                       \
      (void *buffer, COUNT count, MPI_Datatype type, int root, MPI_Comm comm), buffer, count,      \
      type, root, comm)                                                                            \
    X(Gather, Igather, SUFFIX,                                                                     \
      (const void *from, COUNT from_count, MPI_Datatype from_type, void *to, COUNT count,          \
       MPI_Datatype type, int root, MPI_Comm comm),                                                \
      from, from_count, from_type, to, count, type, root, comm)                                    \
    X(Gatherv, Igatherv, SUFFIX,                                                                   \
      (const void *from, COUNT from_count, MPI_Datatype from_type, void *to, const COUNT counts[], \
       const OFFSET offsets[], MPI_Datatype type, int root, MPI_Comm comm),                        \
      from, from_count, from_type, to, counts, offsets, type, root, comm)                          \
    X(Scatter, Iscatter, SUFFIX,                                                                   \
      (const void *from, COUNT from_count, MPI_Datatype from_type, void *to, COUNT count,          \
       MPI_Datatype type, int root, MPI_Comm comm),                                                \
      from, from_count, from_type, to, count, type, root, comm)                                    \
    X(Scatterv, Iscatterv, SUFFIX,                                                                 \
      (const void *from, const COUNT counts[], const OFFSET offsets[], MPI_Datatype from_type,     \
       void *to, COUNT count, MPI_Datatype type, int root, MPI_Comm comm),                         \
      from, counts, offsets, from_type, to, count, type, root, comm)                               \
    X(Allgather, Iallgather, SUFFIX,                                                               \
      (const void *from, COUNT from_count, MPI_Datatype from_type, void *to, COUNT count,          \
       MPI_Datatype type, MPI_Comm comm),                                                          \
      from, from_count, from_type, to, count, type, comm)                                          \
    X(Allgatherv, Iallgatherv, SUFFIX,                                                             \
      (const void *from, COUNT from_count, MPI_Datatype from_type, void *to, const COUNT counts[], \
       const OFFSET offsets[], MPI_Datatype type, MPI_Comm comm),                                  \
      from, from_count, from_type, to, counts, offsets, type, comm)                                \
    X(Alltoall, Ialltoall, SUFFIX,                                                                 \
      (const void *from, COUNT from_count, MPI_Datatype from_type, void *to, COUNT count,          \
       MPI_Datatype type, MPI_Comm comm),                                                          \
      from, from_count, from_type, to, count, type, comm)                                          \
    X(Alltoallv, Ialltoallv, SUFFIX,                                                               \
      (const void *from, const COUNT from_counts[], const OFFSET from_offsets[],                   \
       MPI_Datatype from_type, void *to, const COUNT counts[], const OFFSET offsets[],             \
       MPI_Datatype type, MPI_Comm comm),                                                          \
      from, from_counts, from_offsets, from_type, to, counts, offsets, type, comm)                 \
    X(Alltoallw, Ialltoallw, SUFFIX,                                                               \
      (const void *from, const COUNT from_counts[], const OFFSET from_offsets[],                   \
       const MPI_Datatype from_types[], void *to, const COUNT counts[], const OFFSET offsets[],    \
       const MPI_Datatype types[], MPI_Comm comm),                                                 \
      from, from_counts, from_offsets, from_types, to, counts, offsets, types, comm)               \
    X(Reduce, Ireduce, SUFFIX,                                                                     \
      (const void *from, void *to, COUNT count, MPI_Datatype type, MPI_Op op, int root,            \
       MPI_Comm comm),                                                                             \
      from, to, count, type, op, root, comm)                                                       \
    X(Allreduce, Iallreduce, SUFFIX,                                                               \
      (const void *from, void *to, COUNT count, MPI_Datatype type, MPI_Op op, MPI_Comm comm),      \
      from, to, count, type, op, comm)                                                             \
    X(Reduce_scatter, Ireduce_scatter, SUFFIX,                                                     \
      (const void *from, void *to, const COUNT counts[], MPI_Datatype type, MPI_Op op,             \
       MPI_Comm comm),                                                                             \
      from, to, counts, type, op, comm)                                                            \
    X(Reduce_scatter_block, Ireduce_scatter_block, SUFFIX,                                         \
      (const void *from, void *to, COUNT count, MPI_Datatype type, MPI_Op op, MPI_Comm comm),      \
      from, to, count, type, op, comm)                                                             \
    X(Scan, Iscan, SUFFIX,                                                                         \
      (const void *from, void *to, COUNT count, MPI_Datatype type, MPI_Op op, MPI_Comm comm),      \
      from, to, count, type, op, comm)                                                             \
    X(Exscan, Iexscan, SUFFIX,                                                                     \
      (const void *from, void *to, COUNT count, MPI_Datatype type, MPI_Op op, MPI_Comm comm),      \
      from, to, count, type, op, comm)

/// Collectives of neighbours, by the same parameters.
#define LOOMP_FOR_NEIGHBOURS(X, SUFFIX, COUNT, OFFSET)                                             \
    X(Neighbor_allgather, Ineighbor_allgather, SUFFIX,                                             \
      (const void *from, COUNT from_count, MPI_Datatype from_type, void *to, COUNT count,          \
       MPI_Datatype type, MPI_Comm comm),                                                          \
      from, from_count, from_type, to, count, type, comm)                                          \
    X(Neighbor_allgatherv, Ineighbor_allgatherv, SUFFIX,                                           \
      (const void *from, COUNT from_count, MPI_Datatype from_type, void *to, const COUNT counts[], \
       const OFFSET offsets[], MPI_Datatype type, MPI_Comm comm),                                  \
      from, from_count, from_type, to, counts, offsets, type, comm)                                \
    X(Neighbor_alltoall, Ineighbor_alltoall, SUFFIX,                                               \
      (const void *from, COUNT from_count, MPI_Datatype from_type, void *to, COUNT count,          \
       MPI_Datatype type, MPI_Comm comm),                                                          \
      from, from_count, from_type, to, count, type, comm)                                          \
    X(Neighbor_alltoallv, Ineighbor_alltoallv, SUFFIX,                                             \
      (const void *from, const COUNT from_counts[], const OFFSET from_offsets[],                   \
       MPI_Datatype from_type, void *to, const COUNT counts[], const OFFSET offsets[],             \
       MPI_Datatype type, MPI_Comm comm),                                                          \
      from, from_counts, from_offsets, from_type, to, counts, offsets, type, comm)                 \
    X(Neighbor_alltoallw, Ineighbor_alltoallw, SUFFIX,                                             \
      (const void *from, const COUNT from_counts[], const MPI_Aint from_offsets[],                 \
       const MPI_Datatype from_types[], void *to, const COUNT counts[], const MPI_Aint offsets[],  \
       const MPI_Datatype types[], MPI_Comm comm),                                                 \
      from, from_counts, from_offsets, from_types, to, counts, offsets, types, comm)
