// What the layers' Fortran files share. Arguments of Fortran are addresses, whatever they are of;
// the length of a string comes last, by value.
#pragma once

#include <mpi.h>

#define LOOMP_ARGUMENTS_1 void *a
#define LOOMP_ARGUMENTS_2 LOOMP_ARGUMENTS_1, void *b
#define LOOMP_ARGUMENTS_3 LOOMP_ARGUMENTS_2, void *c
#define LOOMP_ARGUMENTS_4 LOOMP_ARGUMENTS_3, void *d
#define LOOMP_ARGUMENTS_5 LOOMP_ARGUMENTS_4, void *e
#define LOOMP_ARGUMENTS_6 LOOMP_ARGUMENTS_5, void *f
#define LOOMP_ARGUMENTS_7 LOOMP_ARGUMENTS_6, void *g
#define LOOMP_ARGUMENTS_8 LOOMP_ARGUMENTS_7, void *h
#define LOOMP_ARGUMENTS_9 LOOMP_ARGUMENTS_8, void *i
#define LOOMP_VALUES_1 a
#define LOOMP_VALUES_2 LOOMP_VALUES_1, b
#define LOOMP_VALUES_3 LOOMP_VALUES_2, c
#define LOOMP_VALUES_4 LOOMP_VALUES_3, d
#define LOOMP_VALUES_5 LOOMP_VALUES_4, e
#define LOOMP_VALUES_6 LOOMP_VALUES_5, f
#define LOOMP_VALUES_7 LOOMP_VALUES_6, g
#define LOOMP_VALUES_8 LOOMP_VALUES_7, h
#define LOOMP_VALUES_9 LOOMP_VALUES_8, i

/// Of the library, if the program has a Fortran part.
#define LOOMP_LIBRARYS extern "C" __attribute__((weak)) void

/// Collectives without a list of datatypes: X(NAME, NAME in C without MPI_, COUNT), with COUNT
/// arguments before ierror, or before the request of the nonblocking form.
#define LOOMP_FORTRAN_COLLECTIVES(X)                                                               \
    X(barrier, Barrier, 1)                                                                         \
    X(bcast, Bcast, 5)                                                                             \
    X(gather, Gather, 8)                                                                           \
    X(gatherv, Gatherv, 9)                                                                         \
    X(scatter, Scatter, 8)                                                                         \
    X(scatterv, Scatterv, 9)                                                                       \
    X(allgather, Allgather, 7)                                                                     \
    X(allgatherv, Allgatherv, 8)                                                                   \
    X(alltoall, Alltoall, 7)                                                                       \
    X(alltoallv, Alltoallv, 9)                                                                     \
    X(reduce, Reduce, 7)                                                                           \
    X(allreduce, Allreduce, 6)                                                                     \
    X(reduce_scatter, Reduce_scatter, 6)                                                           \
    X(reduce_scatter_block, Reduce_scatter_block, 6)                                               \
    X(scan, Scan, 6)                                                                               \
    X(exscan, Exscan, 6)
#define LOOMP_FORTRAN_NEIGHBOURS(X)                                                                \
    X(neighbor_allgather, Neighbor_allgather, 7)                                                   \
    X(neighbor_allgatherv, Neighbor_allgatherv, 8)                                                 \
    X(neighbor_alltoall, Neighbor_alltoall, 7)                                                     \
    X(neighbor_alltoallv, Neighbor_alltoallv, 9)

/// Calls that stand-ins make (stand_in.h): X(WAITS, NAME, COUNT, MEMBERS), with COUNT arguments
/// before ierror, and which of them is the communicator whose ranks all make the call. Those that
/// take a buffer, and those that do not.
#define LOOMP_BUFFER_CALLS(X)                                                                      \
    X(for_ranks, win_create, 6, e)                                                                 \
    X(for_device, file_read, 5, nullptr)                                                           \
    X(for_device, file_write, 5, nullptr)                                                          \
    X(for_device, file_read_shared, 5, nullptr)                                                    \
    X(for_device, file_write_shared, 5, nullptr)                                                   \
    X(for_device, file_read_at, 6, nullptr)                                                        \
    X(for_device, file_write_at, 6, nullptr)                                                       \
    X(for_ranks, file_read_all, 5, nullptr)                                                        \
    X(for_ranks, file_write_all, 5, nullptr)                                                       \
    X(for_ranks, file_read_ordered, 5, nullptr)                                                    \
    X(for_ranks, file_write_ordered, 5, nullptr)                                                   \
    X(for_ranks, file_read_at_all, 6, nullptr)                                                     \
    X(for_ranks, file_write_at_all, 6, nullptr)
#define LOOMP_OTHER_CALLS(X)                                                                       \
    X(for_ranks, comm_dup, 2, a)                                                                   \
    X(for_ranks, comm_dup_with_info, 3, a)                                                         \
    X(for_ranks, comm_create, 3, a)                                                                \
    X(for_ranks, comm_create_group, 4, nullptr)                                                    \
    X(for_ranks, comm_split, 4, a)                                                                 \
    X(for_ranks, comm_split_type, 5, a)                                                            \
    X(for_ranks, intercomm_create, 6, a)                                                           \
    X(for_ranks, intercomm_merge, 3, a)                                                            \
    X(for_ranks, cart_create, 6, a)                                                                \
    X(for_ranks, cart_sub, 3, a)                                                                   \
    X(for_ranks, graph_create, 6, a)                                                               \
    X(for_ranks, dist_graph_create, 9, a)                                                          \
    X(for_ranks, comm_disconnect, 1, a)                                                            \
    X(for_ranks, win_allocate, 6, d)                                                               \
    X(for_ranks, win_allocate_shared, 6, d)                                                        \
    X(for_ranks, win_create_dynamic, 3, b)                                                         \
    X(for_ranks, win_free, 1, nullptr)                                                             \
    X(for_ranks, file_close, 1, nullptr)                                                           \
    X(for_ranks, file_sync, 1, nullptr)                                                            \
    X(for_ranks, file_set_size, 2, nullptr)                                                        \
    X(for_ranks, file_preallocate, 2, nullptr)                                                     \
    X(for_ranks, file_seek_shared, 3, nullptr)                                                     \
    X(for_ranks, file_set_atomicity, 2, nullptr)
