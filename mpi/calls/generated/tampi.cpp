// Written by mpi/interface/generate.py from mpi/interface/functions.txt; change that table.
#include "loomp/TAMPI.h"

#include "mpi/calls/bind_to_task.h"
#include "platform/export.h"

using namespace loomp::mpi;

LOOMP_EXPORT int TAMPI_Isend(const void *buffer, int count, MPI_Datatype type, int peer, int tag,
                             MPI_Comm comm) {
    return start_and_bind<MPI_Isend>(
        {.name = "TAMPI_Isend", .peer = peer, .tag = tag, .from = LOOMP_CALLER}, MPI_STATUS_IGNORE,
        buffer, count, type, peer, tag, comm);
}

LOOMP_EXPORT int TAMPI_Ibsend(const void *buffer, int count, MPI_Datatype type, int peer, int tag,
                              MPI_Comm comm) {
    return start_and_bind<MPI_Ibsend>(
        {.name = "TAMPI_Ibsend", .peer = peer, .tag = tag, .from = LOOMP_CALLER}, MPI_STATUS_IGNORE,
        buffer, count, type, peer, tag, comm);
}

LOOMP_EXPORT int TAMPI_Issend(const void *buffer, int count, MPI_Datatype type, int peer, int tag,
                              MPI_Comm comm) {
    return start_and_bind<MPI_Issend>(
        {.name = "TAMPI_Issend", .peer = peer, .tag = tag, .from = LOOMP_CALLER}, MPI_STATUS_IGNORE,
        buffer, count, type, peer, tag, comm);
}

LOOMP_EXPORT int TAMPI_Irsend(const void *buffer, int count, MPI_Datatype type, int peer, int tag,
                              MPI_Comm comm) {
    return start_and_bind<MPI_Irsend>(
        {.name = "TAMPI_Irsend", .peer = peer, .tag = tag, .from = LOOMP_CALLER}, MPI_STATUS_IGNORE,
        buffer, count, type, peer, tag, comm);
}

LOOMP_EXPORT int TAMPI_Irecv(void *buffer, int count, MPI_Datatype type, int peer, int tag,
                             MPI_Comm comm, MPI_Status *status) {
    return start_and_bind<MPI_Irecv>(
        {.name = "TAMPI_Irecv", .peer = peer, .tag = tag, .from = LOOMP_CALLER}, status, buffer,
        count, type, peer, tag, comm);
}

LOOMP_EXPORT int TAMPI_Ibarrier(MPI_Comm comm) {
    return start_and_bind<MPI_Ibarrier>({.name = "TAMPI_Ibarrier", .from = LOOMP_CALLER},
                                        MPI_STATUS_IGNORE, comm);
}

LOOMP_EXPORT int TAMPI_Ibcast(void *buffer, int count, MPI_Datatype type, int root, MPI_Comm comm) {
    return start_and_bind<MPI_Ibcast>({.name = "TAMPI_Ibcast", .from = LOOMP_CALLER},
                                      MPI_STATUS_IGNORE, buffer, count, type, root, comm);
}

LOOMP_EXPORT int TAMPI_Igather(const void *from, int from_count, MPI_Datatype from_type, void *to,
                               int count, MPI_Datatype type, int root, MPI_Comm comm) {
    return start_and_bind<MPI_Igather>({.name = "TAMPI_Igather", .from = LOOMP_CALLER},
                                       MPI_STATUS_IGNORE, from, from_count, from_type, to, count,
                                       type, root, comm);
}

LOOMP_EXPORT int TAMPI_Igatherv(const void *from, int from_count, MPI_Datatype from_type, void *to,
                                const int counts[], const int offsets[], MPI_Datatype type,
                                int root, MPI_Comm comm) {
    return start_and_bind<MPI_Igatherv>({.name = "TAMPI_Igatherv", .from = LOOMP_CALLER},
                                        MPI_STATUS_IGNORE, from, from_count, from_type, to, counts,
                                        offsets, type, root, comm);
}

LOOMP_EXPORT int TAMPI_Iscatter(const void *from, int from_count, MPI_Datatype from_type, void *to,
                                int count, MPI_Datatype type, int root, MPI_Comm comm) {
    return start_and_bind<MPI_Iscatter>({.name = "TAMPI_Iscatter", .from = LOOMP_CALLER},
                                        MPI_STATUS_IGNORE, from, from_count, from_type, to, count,
                                        type, root, comm);
}

LOOMP_EXPORT int TAMPI_Iscatterv(const void *from, const int counts[], const int offsets[],
                                 MPI_Datatype from_type, void *to, int count, MPI_Datatype type,
                                 int root, MPI_Comm comm) {
    return start_and_bind<MPI_Iscatterv>({.name = "TAMPI_Iscatterv", .from = LOOMP_CALLER},
                                         MPI_STATUS_IGNORE, from, counts, offsets, from_type, to,
                                         count, type, root, comm);
}

LOOMP_EXPORT int TAMPI_Iallgather(const void *from, int from_count, MPI_Datatype from_type,
                                  void *to, int count, MPI_Datatype type, MPI_Comm comm) {
    return start_and_bind<MPI_Iallgather>({.name = "TAMPI_Iallgather", .from = LOOMP_CALLER},
                                          MPI_STATUS_IGNORE, from, from_count, from_type, to, count,
                                          type, comm);
}

LOOMP_EXPORT int TAMPI_Iallgatherv(const void *from, int from_count, MPI_Datatype from_type,
                                   void *to, const int counts[], const int offsets[],
                                   MPI_Datatype type, MPI_Comm comm) {
    return start_and_bind<MPI_Iallgatherv>({.name = "TAMPI_Iallgatherv", .from = LOOMP_CALLER},
                                           MPI_STATUS_IGNORE, from, from_count, from_type, to,
                                           counts, offsets, type, comm);
}

LOOMP_EXPORT int TAMPI_Ialltoall(const void *from, int from_count, MPI_Datatype from_type, void *to,
                                 int count, MPI_Datatype type, MPI_Comm comm) {
    return start_and_bind<MPI_Ialltoall>({.name = "TAMPI_Ialltoall", .from = LOOMP_CALLER},
                                         MPI_STATUS_IGNORE, from, from_count, from_type, to, count,
                                         type, comm);
}

LOOMP_EXPORT int TAMPI_Ialltoallv(const void *from, const int from_counts[],
                                  const int from_offsets[], MPI_Datatype from_type, void *to,
                                  const int counts[], const int offsets[], MPI_Datatype type,
                                  MPI_Comm comm) {
    return start_and_bind<MPI_Ialltoallv>({.name = "TAMPI_Ialltoallv", .from = LOOMP_CALLER},
                                          MPI_STATUS_IGNORE, from, from_counts, from_offsets,
                                          from_type, to, counts, offsets, type, comm);
}

LOOMP_EXPORT int TAMPI_Ialltoallw(const void *from, const int from_counts[],
                                  const int from_offsets[], const MPI_Datatype from_types[],
                                  void *to, const int counts[], const int offsets[],
                                  const MPI_Datatype types[], MPI_Comm comm) {
    return start_and_bind<MPI_Ialltoallw>({.name = "TAMPI_Ialltoallw", .from = LOOMP_CALLER},
                                          MPI_STATUS_IGNORE, from, from_counts, from_offsets,
                                          from_types, to, counts, offsets, types, comm);
}

LOOMP_EXPORT int TAMPI_Ireduce(const void *from, void *to, int count, MPI_Datatype type, MPI_Op op,
                               int root, MPI_Comm comm) {
    return start_and_bind<MPI_Ireduce>({.name = "TAMPI_Ireduce", .from = LOOMP_CALLER},
                                       MPI_STATUS_IGNORE, from, to, count, type, op, root, comm);
}

LOOMP_EXPORT int TAMPI_Iallreduce(const void *from, void *to, int count, MPI_Datatype type,
                                  MPI_Op op, MPI_Comm comm) {
    return start_and_bind<MPI_Iallreduce>({.name = "TAMPI_Iallreduce", .from = LOOMP_CALLER},
                                          MPI_STATUS_IGNORE, from, to, count, type, op, comm);
}

LOOMP_EXPORT int TAMPI_Ireduce_scatter(const void *from, void *to, const int counts[],
                                       MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
    return start_and_bind<MPI_Ireduce_scatter>(
        {.name = "TAMPI_Ireduce_scatter", .from = LOOMP_CALLER}, MPI_STATUS_IGNORE, from, to,
        counts, type, op, comm);
}

LOOMP_EXPORT int TAMPI_Ireduce_scatter_block(const void *from, void *to, int count,
                                             MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
    return start_and_bind<MPI_Ireduce_scatter_block>(
        {.name = "TAMPI_Ireduce_scatter_block", .from = LOOMP_CALLER}, MPI_STATUS_IGNORE, from, to,
        count, type, op, comm);
}

LOOMP_EXPORT int TAMPI_Iscan(const void *from, void *to, int count, MPI_Datatype type, MPI_Op op,
                             MPI_Comm comm) {
    return start_and_bind<MPI_Iscan>({.name = "TAMPI_Iscan", .from = LOOMP_CALLER},
                                     MPI_STATUS_IGNORE, from, to, count, type, op, comm);
}

LOOMP_EXPORT int TAMPI_Iexscan(const void *from, void *to, int count, MPI_Datatype type, MPI_Op op,
                               MPI_Comm comm) {
    return start_and_bind<MPI_Iexscan>({.name = "TAMPI_Iexscan", .from = LOOMP_CALLER},
                                       MPI_STATUS_IGNORE, from, to, count, type, op, comm);
}
