// Written by mpi/interface/generate.py from mpi/interface/functions.txt; change that table.
#include "profiler/recorder/mpi/recorded_kinds.h"

using namespace loomp::record;

LOOMP_EXPORT int MPI_Comm_dup(MPI_Comm comm, MPI_Comm *made) {
    return make_communicator(Function::Comm_dup, LOOMP_NEXT(Comm_dup), made, comm);
}

LOOMP_EXPORT int MPI_Comm_dup_with_info(MPI_Comm comm, MPI_Info info, MPI_Comm *made) {
    return make_communicator(Function::Comm_dup_with_info, LOOMP_NEXT(Comm_dup_with_info), made,
                             comm, info);
}

LOOMP_EXPORT int MPI_Comm_create(MPI_Comm comm, MPI_Group group, MPI_Comm *made) {
    return make_communicator(Function::Comm_create, LOOMP_NEXT(Comm_create), made, comm, group);
}

LOOMP_EXPORT int MPI_Comm_create_group(MPI_Comm comm, MPI_Group group, int tag, MPI_Comm *made) {
    return make_communicator(Function::Comm_create_group, LOOMP_NEXT(Comm_create_group), made, comm,
                             group, tag);
}

LOOMP_EXPORT int MPI_Comm_split(MPI_Comm comm, int color, int key, MPI_Comm *made) {
    return make_communicator(Function::Comm_split, LOOMP_NEXT(Comm_split), made, comm, color, key);
}

LOOMP_EXPORT int MPI_Comm_split_type(MPI_Comm comm, int type, int key, MPI_Info info,
                                     MPI_Comm *made) {
    return make_communicator(Function::Comm_split_type, LOOMP_NEXT(Comm_split_type), made, comm,
                             type, key, info);
}

LOOMP_EXPORT int MPI_Intercomm_create(MPI_Comm comm, int leader, MPI_Comm peers, int remote_leader,
                                      int tag, MPI_Comm *made) {
    return make_communicator(Function::Intercomm_create, LOOMP_NEXT(Intercomm_create), made, comm,
                             leader, peers, remote_leader, tag);
}

LOOMP_EXPORT int MPI_Intercomm_merge(MPI_Comm comm, int high, MPI_Comm *made) {
    return make_communicator(Function::Intercomm_merge, LOOMP_NEXT(Intercomm_merge), made, comm,
                             high);
}

LOOMP_EXPORT int MPI_Cart_create(MPI_Comm comm, int dimensions, const int sizes[],
                                 const int periodic[], int reorder, MPI_Comm *made) {
    return make_communicator(Function::Cart_create, LOOMP_NEXT(Cart_create), made, comm, dimensions,
                             sizes, periodic, reorder);
}

LOOMP_EXPORT int MPI_Cart_sub(MPI_Comm comm, const int remain[], MPI_Comm *made) {
    return make_communicator(Function::Cart_sub, LOOMP_NEXT(Cart_sub), made, comm, remain);
}

LOOMP_EXPORT int MPI_Graph_create(MPI_Comm comm, int nodes, const int index[], const int edges[],
                                  int reorder, MPI_Comm *made) {
    return make_communicator(Function::Graph_create, LOOMP_NEXT(Graph_create), made, comm, nodes,
                             index, edges, reorder);
}

LOOMP_EXPORT int MPI_Dist_graph_create(MPI_Comm comm, int count, const int sources[],
                                       const int degrees[], const int targets[],
                                       const int weights[], MPI_Info info, int reorder,
                                       MPI_Comm *made) {
    return make_communicator(Function::Dist_graph_create, LOOMP_NEXT(Dist_graph_create), made, comm,
                             count, sources, degrees, targets, weights, info, reorder);
}

LOOMP_EXPORT int MPI_Dist_graph_create_adjacent(MPI_Comm comm, int in, const int sources[],
                                                const int source_weights[], int out,
                                                const int targets[], const int target_weights[],
                                                MPI_Info info, int reorder, MPI_Comm *made) {
    return make_communicator(Function::Dist_graph_create_adjacent,
                             LOOMP_NEXT(Dist_graph_create_adjacent), made, comm, in, sources,
                             source_weights, out, targets, target_weights, info, reorder);
}
