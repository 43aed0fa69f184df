// Collectives, all through their nonblocking forms: in tasks, to suspend the task; elsewhere too,
// since MPI does not match a blocking collective of one process with a nonblocking one of another
// (MPI 3.1, 5.12), and which processes are in a task when they call is the program's affair.
#include "mpi/export.h"
#include "mpi/wait.h"

using namespace loomp::mpi;

namespace {

template <class Start> int collective(const Call &call, Start start) {
    loomp_note_send(); // others wait for this one
    MPI_Request request = MPI_REQUEST_NULL;
    const int error = start(&request);
    return error != MPI_SUCCESS ? error : wait_for(call, &request, MPI_STATUS_IGNORE);
}

} // namespace

/// PARAMETERS in parentheses, then the arguments.
#define LOOMP_COLLECTIVE(NAME, NONBLOCKING, PARAMETERS, ...)                                       \
    LOOMP_EXPORT int MPI_##NAME PARAMETERS {                                                       \
        if (!active())                                                                             \
            return PMPI_##NAME(__VA_ARGS__);                                                       \
        return collective({.name = "MPI_" #NAME, .comm = comm, .from = LOOMP_CALLER},              \
                          [&](MPI_Request *r) { return PMPI_##NONBLOCKING(__VA_ARGS__, r); });     \
    }

LOOMP_COLLECTIVE(Barrier, Ibarrier, (MPI_Comm comm), comm)

/// COUNT and OFFSET: the types of counts and of offsets.
#define LOOMP_COLLECTIVES(SUFFIX, COUNT, OFFSET)                                                   \
    LOOMP_COLLECTIVE(Bcast##SUFFIX, Ibcast##SUFFIX,                                                \
                     (void *buffer, COUNT count, MPI_Datatype type, int root, MPI_Comm comm),      \
                     buffer, count, type, root, comm)                                              \
    LOOMP_COLLECTIVE(Gather##SUFFIX, Igather##SUFFIX,                                              \
                     (const void *from, COUNT from_count, MPI_Datatype from_type, void *to,        \
                      COUNT count, MPI_Datatype type, int root, MPI_Comm comm),                    \
                     from, from_count, from_type, to, count, type, root, comm)                     \
    LOOMP_COLLECTIVE(Gatherv##SUFFIX, Igatherv##SUFFIX,                                            \
                     (const void *from, COUNT from_count, MPI_Datatype from_type, void *to,        \
                      const COUNT counts[], const OFFSET offsets[], MPI_Datatype type, int root,   \
                      MPI_Comm comm),                                                              \
                     from, from_count, from_type, to, counts, offsets, type, root, comm)           \
    LOOMP_COLLECTIVE(Scatter##SUFFIX, Iscatter##SUFFIX,                                            \
                     (const void *from, COUNT from_count, MPI_Datatype from_type, void *to,        \
                      COUNT count, MPI_Datatype type, int root, MPI_Comm comm),                    \
                     from, from_count, from_type, to, count, type, root, comm)                     \
    LOOMP_COLLECTIVE(Scatterv##SUFFIX, Iscatterv##SUFFIX,                                          \
                     (const void *from, const COUNT counts[], const OFFSET offsets[],              \
                      MPI_Datatype from_type, void *to, COUNT count, MPI_Datatype type, int root,  \
                      MPI_Comm comm),                                                              \
                     from, counts, offsets, from_type, to, count, type, root, comm)                \
    LOOMP_COLLECTIVE(Allgather##SUFFIX, Iallgather##SUFFIX,                                        \
                     (const void *from, COUNT from_count, MPI_Datatype from_type, void *to,        \
                      COUNT count, MPI_Datatype type, MPI_Comm comm),                              \
                     from, from_count, from_type, to, count, type, comm)                           \
    LOOMP_COLLECTIVE(Allgatherv##SUFFIX, Iallgatherv##SUFFIX,                                      \
                     (const void *from, COUNT from_count, MPI_Datatype from_type, void *to,        \
                      const COUNT counts[], const OFFSET offsets[], MPI_Datatype type,             \
                      MPI_Comm comm),                                                              \
                     from, from_count, from_type, to, counts, offsets, type, comm)                 \
    LOOMP_COLLECTIVE(Alltoall##SUFFIX, Ialltoall##SUFFIX,                                          \
                     (const void *from, COUNT from_count, MPI_Datatype from_type, void *to,        \
                      COUNT count, MPI_Datatype type, MPI_Comm comm),                              \
                     from, from_count, from_type, to, count, type, comm)                           \
    LOOMP_COLLECTIVE(Alltoallv##SUFFIX, Ialltoallv##SUFFIX,                                        \
                     (const void *from, const COUNT from_counts[], const OFFSET from_offsets[],    \
                      MPI_Datatype from_type, void *to, const COUNT counts[],                      \
                      const OFFSET offsets[], MPI_Datatype type, MPI_Comm comm),                   \
                     from, from_counts, from_offsets, from_type, to, counts, offsets, type, comm)  \
    LOOMP_COLLECTIVE(Alltoallw##SUFFIX, Ialltoallw##SUFFIX,                                        \
                     (const void *from, const COUNT from_counts[], const OFFSET from_offsets[],    \
                      const MPI_Datatype from_types[], void *to, const COUNT counts[],             \
                      const OFFSET offsets[], const MPI_Datatype types[], MPI_Comm comm),          \
                     from, from_counts, from_offsets, from_types, to, counts, offsets, types,      \
                     comm)                                                                         \
    LOOMP_COLLECTIVE(Reduce##SUFFIX, Ireduce##SUFFIX,                                              \
                     (const void *from, void *to, COUNT count, MPI_Datatype type, MPI_Op op,       \
                      int root, MPI_Comm comm),                                                    \
                     from, to, count, type, op, root, comm)                                        \
    LOOMP_COLLECTIVE(                                                                              \
        Allreduce##SUFFIX, Iallreduce##SUFFIX,                                                     \
        (const void *from, void *to, COUNT count, MPI_Datatype type, MPI_Op op, MPI_Comm comm),    \
        from, to, count, type, op, comm)                                                           \
    LOOMP_COLLECTIVE(Reduce_scatter##SUFFIX, Ireduce_scatter##SUFFIX,                              \
                     (const void *from, void *to, const COUNT counts[], MPI_Datatype type,         \
                      MPI_Op op, MPI_Comm comm),                                                   \
                     from, to, counts, type, op, comm)                                             \
    LOOMP_COLLECTIVE(                                                                              \
        Reduce_scatter_block##SUFFIX, Ireduce_scatter_block##SUFFIX,                               \
        (const void *from, void *to, COUNT count, MPI_Datatype type, MPI_Op op, MPI_Comm comm),    \
        from, to, count, type, op, comm)                                                           \
    LOOMP_COLLECTIVE(                                                                              \
        Scan##SUFFIX, Iscan##SUFFIX,                                                               \
        (const void *from, void *to, COUNT count, MPI_Datatype type, MPI_Op op, MPI_Comm comm),    \
        from, to, count, type, op, comm)                                                           \
    LOOMP_COLLECTIVE(                                                                              \
        Exscan##SUFFIX, Iexscan##SUFFIX,                                                           \
        (const void *from, void *to, COUNT count, MPI_Datatype type, MPI_Op op, MPI_Comm comm),    \
        from, to, count, type, op, comm)                                                           \
    LOOMP_COLLECTIVE(Neighbor_allgather##SUFFIX, Ineighbor_allgather##SUFFIX,                      \
                     (const void *from, COUNT from_count, MPI_Datatype from_type, void *to,        \
                      COUNT count, MPI_Datatype type, MPI_Comm comm),                              \
                     from, from_count, from_type, to, count, type, comm)                           \
    LOOMP_COLLECTIVE(Neighbor_allgatherv##SUFFIX, Ineighbor_allgatherv##SUFFIX,                    \
                     (const void *from, COUNT from_count, MPI_Datatype from_type, void *to,        \
                      const COUNT counts[], const OFFSET offsets[], MPI_Datatype type,             \
                      MPI_Comm comm),                                                              \
                     from, from_count, from_type, to, counts, offsets, type, comm)                 \
    LOOMP_COLLECTIVE(Neighbor_alltoall##SUFFIX, Ineighbor_alltoall##SUFFIX,                        \
                     (const void *from, COUNT from_count, MPI_Datatype from_type, void *to,        \
                      COUNT count, MPI_Datatype type, MPI_Comm comm),                              \
                     from, from_count, from_type, to, count, type, comm)                           \
    LOOMP_COLLECTIVE(Neighbor_alltoallv##SUFFIX, Ineighbor_alltoallv##SUFFIX,                      \
                     (const void *from, const COUNT from_counts[], const OFFSET from_offsets[],    \
                      MPI_Datatype from_type, void *to, const COUNT counts[],                      \
                      const OFFSET offsets[], MPI_Datatype type, MPI_Comm comm),                   \
                     from, from_counts, from_offsets, from_type, to, counts, offsets, type, comm)  \
    LOOMP_COLLECTIVE(Neighbor_alltoallw##SUFFIX, Ineighbor_alltoallw##SUFFIX,                      \
                     (const void *from, const COUNT from_counts[], const MPI_Aint from_offsets[],  \
                      const MPI_Datatype from_types[], void *to, const COUNT counts[],             \
                      const MPI_Aint offsets[], const MPI_Datatype types[], MPI_Comm comm),        \
                     from, from_counts, from_offsets, from_types, to, counts, offsets, types,      \
                     comm)

LOOMP_COLLECTIVES(, int, int)
#if MPI_VERSION >= 4
LOOMP_COLLECTIVES(_c, MPI_Count, MPI_Aint)
#endif
