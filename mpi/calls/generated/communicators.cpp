// Written by mpi/interface/generate.py from mpi/interface/functions.txt; change that table.
#include "mpi/calls/call_kinds.h"
#include "platform/export.h"

using namespace loomp::mpi;

LOOMP_EXPORT int MPI_Comm_dup(MPI_Comm comm, MPI_Comm *made) {
    return elsewhere(
        {.name = "MPI_Comm_dup", .from = LOOMP_CALLER}, Waits::for_ranks,
        [&] { return inherited(comm, made, next::Comm_dup(comm, made)); }, comm);
}

LOOMP_EXPORT int MPI_Comm_dup_with_info(MPI_Comm comm, MPI_Info info, MPI_Comm *made) {
    return elsewhere(
        {.name = "MPI_Comm_dup_with_info", .from = LOOMP_CALLER}, Waits::for_ranks,
        [&] { return inherited(comm, made, next::Comm_dup_with_info(comm, info, made)); }, comm);
}

LOOMP_EXPORT int MPI_Comm_create(MPI_Comm comm, MPI_Group group, MPI_Comm *made) {
    return elsewhere(
        {.name = "MPI_Comm_create", .from = LOOMP_CALLER}, Waits::for_ranks,
        [&] { return inherited(comm, made, next::Comm_create(comm, group, made)); }, comm);
}

LOOMP_EXPORT int MPI_Comm_create_group(MPI_Comm comm, MPI_Group group, int tag, MPI_Comm *made) {
    return elsewhere(
        {.name = "MPI_Comm_create_group", .from = LOOMP_CALLER}, Waits::for_ranks,
        [&] { return inherited(comm, made, next::Comm_create_group(comm, group, tag, made)); });
}

LOOMP_EXPORT int MPI_Comm_split(MPI_Comm comm, int color, int key, MPI_Comm *made) {
    return elsewhere(
        {.name = "MPI_Comm_split", .from = LOOMP_CALLER}, Waits::for_ranks,
        [&] { return inherited(comm, made, next::Comm_split(comm, color, key, made)); }, comm);
}

LOOMP_EXPORT int MPI_Comm_split_type(MPI_Comm comm, int type, int key, MPI_Info info,
                                     MPI_Comm *made) {
    return elsewhere(
        {.name = "MPI_Comm_split_type", .from = LOOMP_CALLER}, Waits::for_ranks,
        [&] { return inherited(comm, made, next::Comm_split_type(comm, type, key, info, made)); },
        comm);
}

LOOMP_EXPORT int MPI_Intercomm_create(MPI_Comm comm, int leader, MPI_Comm peers, int remote_leader,
                                      int tag, MPI_Comm *made) {
    return elsewhere(
        {.name = "MPI_Intercomm_create", .from = LOOMP_CALLER}, Waits::for_other_jobs,
        [&] {
            return inherited(comm, made,
                             next::Intercomm_create(comm, leader, peers, remote_leader, tag, made));
        },
        comm);
}

LOOMP_EXPORT int MPI_Intercomm_merge(MPI_Comm comm, int high, MPI_Comm *made) {
    return elsewhere(
        {.name = "MPI_Intercomm_merge", .from = LOOMP_CALLER}, Waits::for_ranks,
        [&] { return inherited(comm, made, next::Intercomm_merge(comm, high, made)); }, comm);
}

LOOMP_EXPORT int MPI_Cart_create(MPI_Comm comm, int dimensions, const int sizes[],
                                 const int periodic[], int reorder, MPI_Comm *made) {
    return elsewhere(
        {.name = "MPI_Cart_create", .from = LOOMP_CALLER}, Waits::for_ranks,
        [&] {
            return inherited(comm, made,
                             next::Cart_create(comm, dimensions, sizes, periodic, reorder, made));
        },
        comm);
}

LOOMP_EXPORT int MPI_Cart_sub(MPI_Comm comm, const int remain[], MPI_Comm *made) {
    return elsewhere(
        {.name = "MPI_Cart_sub", .from = LOOMP_CALLER}, Waits::for_ranks,
        [&] { return inherited(comm, made, next::Cart_sub(comm, remain, made)); }, comm);
}

LOOMP_EXPORT int MPI_Graph_create(MPI_Comm comm, int nodes, const int index[], const int edges[],
                                  int reorder, MPI_Comm *made) {
    return elsewhere(
        {.name = "MPI_Graph_create", .from = LOOMP_CALLER}, Waits::for_ranks,
        [&] {
            return inherited(comm, made,
                             next::Graph_create(comm, nodes, index, edges, reorder, made));
        },
        comm);
}

LOOMP_EXPORT int MPI_Dist_graph_create(MPI_Comm comm, int count, const int sources[],
                                       const int degrees[], const int targets[],
                                       const int weights[], MPI_Info info, int reorder,
                                       MPI_Comm *made) {
    return elsewhere(
        {.name = "MPI_Dist_graph_create", .from = LOOMP_CALLER}, Waits::for_ranks,
        [&] {
            return inherited(comm, made,
                             next::Dist_graph_create(comm, count, sources, degrees, targets,
                                                     weights, info, reorder, made));
        },
        comm);
}

LOOMP_EXPORT int MPI_Dist_graph_create_adjacent(MPI_Comm comm, int in, const int sources[],
                                                const int source_weights[], int out,
                                                const int targets[], const int target_weights[],
                                                MPI_Info info, int reorder, MPI_Comm *made) {
    return elsewhere(
        {.name = "MPI_Dist_graph_create_adjacent", .from = LOOMP_CALLER}, Waits::for_ranks,
        [&] {
            return inherited(comm, made,
                             next::Dist_graph_create_adjacent(comm, in, sources, source_weights,
                                                              out, targets, target_weights, info,
                                                              reorder, made));
        },
        comm);
}

LOOMP_EXPORT int MPI_Comm_disconnect(MPI_Comm *comm) {
    return elsewhere(
        {.name = "MPI_Comm_disconnect", .from = LOOMP_CALLER}, Waits::for_ranks,
        [&] { return next::Comm_disconnect(comm); }, *comm);
}

LOOMP_EXPORT int MPI_Comm_accept(const char *port, MPI_Info info, int root, MPI_Comm comm,
                                 MPI_Comm *made) {
    return elsewhere(
        {.name = "MPI_Comm_accept", .from = LOOMP_CALLER}, Waits::for_other_jobs,
        [&] { return next::Comm_accept(port, info, root, comm, made); }, comm);
}

LOOMP_EXPORT int MPI_Comm_connect(const char *port, MPI_Info info, int root, MPI_Comm comm,
                                  MPI_Comm *made) {
    return elsewhere(
        {.name = "MPI_Comm_connect", .from = LOOMP_CALLER}, Waits::for_other_jobs,
        [&] { return next::Comm_connect(port, info, root, comm, made); }, comm);
}

LOOMP_EXPORT int MPI_Comm_join(int socket, MPI_Comm *made) {
    return elsewhere({.name = "MPI_Comm_join", .from = LOOMP_CALLER}, Waits::for_other_jobs,
                     [&] { return next::Comm_join(socket, made); });
}

LOOMP_EXPORT int MPI_Comm_spawn(const char *command, char *arguments[], int most, MPI_Info info,
                                int root, MPI_Comm comm, MPI_Comm *made, int errors[]) {
    return elsewhere(
        {.name = "MPI_Comm_spawn", .from = LOOMP_CALLER}, Waits::for_other_jobs,
        [&] { return next::Comm_spawn(command, arguments, most, info, root, comm, made, errors); },
        comm);
}

LOOMP_EXPORT int MPI_Comm_spawn_multiple(int count, char *commands[], char **arguments[],
                                         const int most[], const MPI_Info infos[], int root,
                                         MPI_Comm comm, MPI_Comm *made, int errors[]) {
    return elsewhere(
        {.name = "MPI_Comm_spawn_multiple", .from = LOOMP_CALLER}, Waits::for_other_jobs,
        [&] {
            return next::Comm_spawn_multiple(count, commands, arguments, most, infos, root, comm,
                                             made, errors);
        },
        comm);
}

LOOMP_EXPORT int MPI_Win_create(void *buffer, MPI_Aint size, int unit, MPI_Info info, MPI_Comm comm,
                                MPI_Win *made) {
    return elsewhere(
        {.name = "MPI_Win_create", .from = LOOMP_CALLER}, Waits::for_ranks,
        [&] { return next::Win_create(buffer, size, unit, info, comm, made); }, comm);
}

LOOMP_EXPORT int MPI_Win_allocate(MPI_Aint size, int unit, MPI_Info info, MPI_Comm comm, void *base,
                                  MPI_Win *made) {
    return elsewhere(
        {.name = "MPI_Win_allocate", .from = LOOMP_CALLER}, Waits::for_ranks,
        [&] { return next::Win_allocate(size, unit, info, comm, base, made); }, comm);
}

LOOMP_EXPORT int MPI_Win_allocate_shared(MPI_Aint size, int unit, MPI_Info info, MPI_Comm comm,
                                         void *base, MPI_Win *made) {
    return elsewhere(
        {.name = "MPI_Win_allocate_shared", .from = LOOMP_CALLER}, Waits::for_ranks,
        [&] { return next::Win_allocate_shared(size, unit, info, comm, base, made); }, comm);
}

LOOMP_EXPORT int MPI_Win_create_dynamic(MPI_Info info, MPI_Comm comm, MPI_Win *made) {
    return elsewhere(
        {.name = "MPI_Win_create_dynamic", .from = LOOMP_CALLER}, Waits::for_ranks,
        [&] { return next::Win_create_dynamic(info, comm, made); }, comm);
}

LOOMP_EXPORT int MPI_Win_free(MPI_Win *window) {
    return elsewhere({.name = "MPI_Win_free", .from = LOOMP_CALLER}, Waits::for_ranks,
                     [&] { return next::Win_free(window); });
}

#if MPI_VERSION >= 4
LOOMP_EXPORT int MPI_Win_create_c(void *buffer, MPI_Aint size, MPI_Aint unit, MPI_Info info,
                                  MPI_Comm comm, MPI_Win *made) {
    return elsewhere(
        {.name = "MPI_Win_create_c", .from = LOOMP_CALLER}, Waits::for_ranks,
        [&] { return next::Win_create_c(buffer, size, unit, info, comm, made); }, comm);
}

LOOMP_EXPORT int MPI_Win_allocate_c(MPI_Aint size, MPI_Aint unit, MPI_Info info, MPI_Comm comm,
                                    void *base, MPI_Win *made) {
    return elsewhere(
        {.name = "MPI_Win_allocate_c", .from = LOOMP_CALLER}, Waits::for_ranks,
        [&] { return next::Win_allocate_c(size, unit, info, comm, base, made); }, comm);
}

LOOMP_EXPORT int MPI_Win_allocate_shared_c(MPI_Aint size, MPI_Aint unit, MPI_Info info,
                                           MPI_Comm comm, void *base, MPI_Win *made) {
    return elsewhere(
        {.name = "MPI_Win_allocate_shared_c", .from = LOOMP_CALLER}, Waits::for_ranks,
        [&] { return next::Win_allocate_shared_c(size, unit, info, comm, base, made); }, comm);
}

LOOMP_EXPORT int MPI_Comm_create_from_group(MPI_Group group, const char *tag, MPI_Info info,
                                            MPI_Errhandler handler, MPI_Comm *made) {
    return elsewhere(
        {.name = "MPI_Comm_create_from_group", .from = LOOMP_CALLER}, Waits::for_other_jobs, [&] {
            return next::Comm_create_from_group(group, tag, info, given_handler(handler), made);
        });
}

LOOMP_EXPORT int MPI_Intercomm_create_from_groups(MPI_Group group, int leader,
                                                  MPI_Group remote_group, int remote_leader,
                                                  const char *tag, MPI_Info info,
                                                  MPI_Errhandler handler, MPI_Comm *made) {
    return elsewhere({.name = "MPI_Intercomm_create_from_groups", .from = LOOMP_CALLER},
                     Waits::for_other_jobs, [&] {
                         return next::Intercomm_create_from_groups(group, leader, remote_group,
                                                                   remote_leader, tag, info,
                                                                   given_handler(handler), made);
                     });
}
#endif
