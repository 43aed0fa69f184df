// Fortran's routines that make communicators, for the recorders of all MPI libraries.
#pragma once

/// X(NAME, NAME in C without MPI_, COUNT): COUNT arguments come before the new communicator.
#define LOOMP_FOR_MAKERS(X)                                                                        \
    X(comm_dup, Comm_dup, 1)                                                                       \
    X(comm_dup_with_info, Comm_dup_with_info, 2)                                                   \
    X(comm_create, Comm_create, 2)                                                                 \
    X(comm_create_group, Comm_create_group, 3)                                                     \
    X(comm_split, Comm_split, 3)                                                                   \
    X(comm_split_type, Comm_split_type, 4)                                                         \
    X(intercomm_create, Intercomm_create, 5)                                                       \
    X(intercomm_merge, Intercomm_merge, 2)                                                         \
    X(cart_create, Cart_create, 5)                                                                 \
    X(cart_sub, Cart_sub, 2)                                                                       \
    X(graph_create, Graph_create, 5)                                                               \
    X(dist_graph_create, Dist_graph_create, 8)                                                     \
    X(dist_graph_create_adjacent, Dist_graph_create_adjacent, 9)
