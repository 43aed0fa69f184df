// Calls that make and end communicators and windows. All of them wait for other ranks; only
// MPI_Comm_dup has a nonblocking form, which would not match other ranks' MPI_Comm_dup outside
// tasks. So they are made by stand-ins.
#include "mpi/waiting/stand_in.h"
#include "mpi/waiting/wait_in_task.h"
#include "platform/export.h"

using namespace loomp::mpi;

/// PARAMETERS in parentheses, then the arguments. MEMBERS: of what communicator all ranks make it.
#define LOOMP_BY_STAND_IN_OF(MEMBERS, NAME, PARAMETERS, ...)                                       \
    LOOMP_EXPORT int MPI_##NAME PARAMETERS {                                                       \
        return elsewhere(                                                                          \
            {.name = "MPI_" #NAME, .from = LOOMP_CALLER}, Waits::for_ranks,                        \
            [&] { return PMPI_##NAME(__VA_ARGS__); }, MEMBERS);                                    \
    }
/// Of `comm`, or of no communicator.
#define LOOMP_COLLECTIVE(...) LOOMP_BY_STAND_IN_OF(comm, __VA_ARGS__)
#define LOOMP_BY_STAND_IN(...) LOOMP_BY_STAND_IN_OF(MPI_COMM_NULL, __VA_ARGS__)

LOOMP_COLLECTIVE(Comm_dup, (MPI_Comm comm, MPI_Comm *made), comm, made)
LOOMP_COLLECTIVE(Comm_dup_with_info, (MPI_Comm comm, MPI_Info info, MPI_Comm *made), comm, info,
                 made)
LOOMP_COLLECTIVE(Comm_create, (MPI_Comm comm, MPI_Group group, MPI_Comm *made), comm, group, made)
LOOMP_BY_STAND_IN(Comm_create_group, (MPI_Comm comm, MPI_Group group, int tag, MPI_Comm *made),
                  comm, group, tag, made)
LOOMP_COLLECTIVE(Comm_split, (MPI_Comm comm, int color, int key, MPI_Comm *made), comm, color, key,
                 made)
LOOMP_COLLECTIVE(Comm_split_type, (MPI_Comm comm, int type, int key, MPI_Info info, MPI_Comm *made),
                 comm, type, key, info, made)
LOOMP_COLLECTIVE(Intercomm_create,
                 (MPI_Comm comm, int leader, MPI_Comm peers, int remote_leader, int tag,
                  MPI_Comm *made),
                 comm, leader, peers, remote_leader, tag, made)
LOOMP_COLLECTIVE(Intercomm_merge, (MPI_Comm comm, int high, MPI_Comm *made), comm, high, made)
LOOMP_COLLECTIVE(Cart_create,
                 (MPI_Comm comm, int dimensions, const int sizes[], const int periodic[],
                  int reorder, MPI_Comm *made),
                 comm, dimensions, sizes, periodic, reorder, made)
LOOMP_COLLECTIVE(Cart_sub, (MPI_Comm comm, const int remain[], MPI_Comm *made), comm, remain, made)
LOOMP_COLLECTIVE(Graph_create,
                 (MPI_Comm comm, int nodes, const int index[], const int edges[], int reorder,
                  MPI_Comm *made),
                 comm, nodes, index, edges, reorder, made)
LOOMP_COLLECTIVE(Dist_graph_create,
                 (MPI_Comm comm, int count, const int sources[], const int degrees[],
                  const int targets[], const int weights[], MPI_Info info, int reorder,
                  MPI_Comm *made),
                 comm, count, sources, degrees, targets, weights, info, reorder, made)
LOOMP_COLLECTIVE(Dist_graph_create_adjacent,
                 (MPI_Comm comm, int in, const int sources[], const int source_weights[], int out,
                  const int targets[], const int target_weights[], MPI_Info info, int reorder,
                  MPI_Comm *made),
                 comm, in, sources, source_weights, out, targets, target_weights, info, reorder,
                 made)
LOOMP_BY_STAND_IN_OF(*comm, Comm_disconnect, (MPI_Comm * comm), comm)
LOOMP_COLLECTIVE(Comm_accept,
                 (const char *port, MPI_Info info, int root, MPI_Comm comm, MPI_Comm *made), port,
                 info, root, comm, made)
LOOMP_COLLECTIVE(Comm_connect,
                 (const char *port, MPI_Info info, int root, MPI_Comm comm, MPI_Comm *made), port,
                 info, root, comm, made)
LOOMP_BY_STAND_IN(Comm_join, (int socket, MPI_Comm *made), socket, made)
LOOMP_COLLECTIVE(Comm_spawn,
                 (const char *command, char *arguments[], int most, MPI_Info info, int root,
                  MPI_Comm comm, MPI_Comm *made, int errors[]),
                 command, arguments, most, info, root, comm, made, errors)
LOOMP_COLLECTIVE(Comm_spawn_multiple,
                 (int count, char *commands[], char **arguments[], const int most[],
                  const MPI_Info infos[], int root, MPI_Comm comm, MPI_Comm *made, int errors[]),
                 count, commands, arguments, most, infos, root, comm, made, errors)
#if MPI_VERSION >= 4
LOOMP_BY_STAND_IN(Comm_create_from_group,
                  (MPI_Group group, const char *tag, MPI_Info info, MPI_Errhandler handler,
                   MPI_Comm *made),
                  group, tag, info, handler, made)
LOOMP_BY_STAND_IN(Intercomm_create_from_groups,
                  (MPI_Group group, int leader, MPI_Group remote_group, int remote_leader,
                   const char *tag, MPI_Info info, MPI_Errhandler handler, MPI_Comm *made),
                  group, leader, remote_group, remote_leader, tag, info, handler, made)
#endif

LOOMP_COLLECTIVE(Win_create,
                 (void *base, MPI_Aint size, int unit, MPI_Info info, MPI_Comm comm, MPI_Win *made),
                 base, size, unit, info, comm, made)
LOOMP_COLLECTIVE(Win_allocate,
                 (MPI_Aint size, int unit, MPI_Info info, MPI_Comm comm, void *base, MPI_Win *made),
                 size, unit, info, comm, base, made)
LOOMP_COLLECTIVE(Win_allocate_shared,
                 (MPI_Aint size, int unit, MPI_Info info, MPI_Comm comm, void *base, MPI_Win *made),
                 size, unit, info, comm, base, made)
LOOMP_COLLECTIVE(Win_create_dynamic, (MPI_Info info, MPI_Comm comm, MPI_Win *made), info, comm,
                 made)
LOOMP_BY_STAND_IN(Win_free, (MPI_Win * window), window)

// The one call of remote memory access that waits and has a test.
LOOMP_EXPORT int MPI_Win_wait(MPI_Win window) {
    if (!in_task())
        return PMPI_Win_wait(window);
    return wait_until({.name = "MPI_Win_wait", .from = LOOMP_CALLER},
                      [&](int *flag) { return PMPI_Win_test(window, flag); });
}
