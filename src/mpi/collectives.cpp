// Collectives, all through their nonblocking forms: in tasks, to suspend the task; elsewhere too,
// since MPI does not match a blocking collective of one process with a nonblocking one of another
// (MPI 3.1, 5.12), and which processes are in a task when they call is the program's affair.
#include "mpi/export.h"
#include "mpi/wait.h"

using namespace loomp::mpi;

namespace {

template <class Start> int collective(MPI_Comm comm, Start start) {
    MPI_Request request = MPI_REQUEST_NULL;
    const int error = start(&request);
    return error != MPI_SUCCESS ? error : wait_for_call(comm, &request, MPI_STATUS_IGNORE);
}

} // namespace

/// PARAMETERS in parentheses, then the arguments.
#define LOOMP_COLLECTIVE(NAME, NONBLOCKING, PARAMETERS, ...)                                       \
    LOOMP_EXPORT int MPI_##NAME PARAMETERS {                                                       \
        if (!active())                                                                             \
            return PMPI_##NAME(__VA_ARGS__);                                                       \
        return collective(comm,                                                                    \
                          [&](MPI_Request *r) { return PMPI_##NONBLOCKING(__VA_ARGS__, r); });     \
    }

LOOMP_COLLECTIVE(Barrier, Ibarrier, (MPI_Comm comm), comm)
LOOMP_COLLECTIVE(Bcast, Ibcast,
                 (void *buffer, int count, MPI_Datatype type, int root, MPI_Comm comm), buffer,
                 count, type, root, comm)
LOOMP_COLLECTIVE(Gather, Igather,
                 (const void *from, int from_count, MPI_Datatype from_type, void *to, int count,
                  MPI_Datatype type, int root, MPI_Comm comm),
                 from, from_count, from_type, to, count, type, root, comm)
LOOMP_COLLECTIVE(Gatherv, Igatherv,
                 (const void *from, int from_count, MPI_Datatype from_type, void *to,
                  const int counts[], const int offsets[], MPI_Datatype type, int root,
                  MPI_Comm comm),
                 from, from_count, from_type, to, counts, offsets, type, root, comm)
LOOMP_COLLECTIVE(Scatter, Iscatter,
                 (const void *from, int from_count, MPI_Datatype from_type, void *to, int count,
                  MPI_Datatype type, int root, MPI_Comm comm),
                 from, from_count, from_type, to, count, type, root, comm)
LOOMP_COLLECTIVE(Scatterv, Iscatterv,
                 (const void *from, const int counts[], const int offsets[], MPI_Datatype from_type,
                  void *to, int count, MPI_Datatype type, int root, MPI_Comm comm),
                 from, counts, offsets, from_type, to, count, type, root, comm)
LOOMP_COLLECTIVE(Allgather, Iallgather,
                 (const void *from, int from_count, MPI_Datatype from_type, void *to, int count,
                  MPI_Datatype type, MPI_Comm comm),
                 from, from_count, from_type, to, count, type, comm)
LOOMP_COLLECTIVE(Allgatherv, Iallgatherv,
                 (const void *from, int from_count, MPI_Datatype from_type, void *to,
                  const int counts[], const int offsets[], MPI_Datatype type, MPI_Comm comm),
                 from, from_count, from_type, to, counts, offsets, type, comm)
LOOMP_COLLECTIVE(Alltoall, Ialltoall,
                 (const void *from, int from_count, MPI_Datatype from_type, void *to, int count,
                  MPI_Datatype type, MPI_Comm comm),
                 from, from_count, from_type, to, count, type, comm)
LOOMP_COLLECTIVE(Alltoallv, Ialltoallv,
                 (const void *from, const int from_counts[], const int from_offsets[],
                  MPI_Datatype from_type, void *to, const int counts[], const int offsets[],
                  MPI_Datatype type, MPI_Comm comm),
                 from, from_counts, from_offsets, from_type, to, counts, offsets, type, comm)
LOOMP_COLLECTIVE(Alltoallw, Ialltoallw,
                 (const void *from, const int from_counts[], const int from_offsets[],
                  const MPI_Datatype from_types[], void *to, const int counts[],
                  const int offsets[], const MPI_Datatype types[], MPI_Comm comm),
                 from, from_counts, from_offsets, from_types, to, counts, offsets, types, comm)
LOOMP_COLLECTIVE(Reduce, Ireduce,
                 (const void *from, void *to, int count, MPI_Datatype type, MPI_Op op, int root,
                  MPI_Comm comm),
                 from, to, count, type, op, root, comm)
LOOMP_COLLECTIVE(Allreduce, Iallreduce,
                 (const void *from, void *to, int count, MPI_Datatype type, MPI_Op op,
                  MPI_Comm comm),
                 from, to, count, type, op, comm)
LOOMP_COLLECTIVE(Reduce_scatter, Ireduce_scatter,
                 (const void *from, void *to, const int counts[], MPI_Datatype type, MPI_Op op,
                  MPI_Comm comm),
                 from, to, counts, type, op, comm)
LOOMP_COLLECTIVE(Reduce_scatter_block, Ireduce_scatter_block,
                 (const void *from, void *to, int count, MPI_Datatype type, MPI_Op op,
                  MPI_Comm comm),
                 from, to, count, type, op, comm)
LOOMP_COLLECTIVE(Scan, Iscan,
                 (const void *from, void *to, int count, MPI_Datatype type, MPI_Op op,
                  MPI_Comm comm),
                 from, to, count, type, op, comm)
LOOMP_COLLECTIVE(Exscan, Iexscan,
                 (const void *from, void *to, int count, MPI_Datatype type, MPI_Op op,
                  MPI_Comm comm),
                 from, to, count, type, op, comm)
LOOMP_COLLECTIVE(Neighbor_allgather, Ineighbor_allgather,
                 (const void *from, int from_count, MPI_Datatype from_type, void *to, int count,
                  MPI_Datatype type, MPI_Comm comm),
                 from, from_count, from_type, to, count, type, comm)
LOOMP_COLLECTIVE(Neighbor_allgatherv, Ineighbor_allgatherv,
                 (const void *from, int from_count, MPI_Datatype from_type, void *to,
                  const int counts[], const int offsets[], MPI_Datatype type, MPI_Comm comm),
                 from, from_count, from_type, to, counts, offsets, type, comm)
LOOMP_COLLECTIVE(Neighbor_alltoall, Ineighbor_alltoall,
                 (const void *from, int from_count, MPI_Datatype from_type, void *to, int count,
                  MPI_Datatype type, MPI_Comm comm),
                 from, from_count, from_type, to, count, type, comm)
LOOMP_COLLECTIVE(Neighbor_alltoallv, Ineighbor_alltoallv,
                 (const void *from, const int from_counts[], const int from_offsets[],
                  MPI_Datatype from_type, void *to, const int counts[], const int offsets[],
                  MPI_Datatype type, MPI_Comm comm),
                 from, from_counts, from_offsets, from_type, to, counts, offsets, type, comm)
LOOMP_COLLECTIVE(Neighbor_alltoallw, Ineighbor_alltoallw,
                 (const void *from, const int from_counts[], const MPI_Aint from_offsets[],
                  const MPI_Datatype from_types[], void *to, const int counts[],
                  const MPI_Aint offsets[], const MPI_Datatype types[], MPI_Comm comm),
                 from, from_counts, from_offsets, from_types, to, counts, offsets, types, comm)
