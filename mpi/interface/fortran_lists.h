// Routines of Fortran, in lists: X is called for each.
// Written by mpi/interface/generate.py from mpi/interface/functions.txt; change that table.
#pragma once

/// Collectives without a list of datatypes, except MPI_Allreduce and MPI_Alltoallv: X(NAME, NAME in
/// C without MPI_, COUNT), with COUNT arguments before ierror, or before the request of the
/// nonblocking form.
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
    X(reduce, Reduce, 7)                                                                           \
    X(reduce_scatter, Reduce_scatter, 6)                                                           \
    X(reduce_scatter_block, Reduce_scatter_block, 6)                                               \
    X(scan, Scan, 6)                                                                               \
    X(exscan, Exscan, 6)

/// Collectives of neighbours that exchange no blocks.
#define LOOMP_FORTRAN_NEIGHBOURS(X)                                                                \
    X(neighbor_allgather, Neighbor_allgather, 7)                                                   \
    X(neighbor_allgatherv, Neighbor_allgatherv, 8)

/// Calls that stand-ins make and that take a buffer: X(WAITS, NAME, COUNT, MEMBERS, MADE), with
/// COUNT arguments before ierror; MEMBERS is the argument with the communicator whose ranks all
/// make the call, MADE a new communicator's.
#define LOOMP_BUFFER_CALLS(X)                                                                      \
    X(for_ranks, win_create, 6, e, nullptr)                                                        \
    X(for_device, file_read, 5, nullptr, nullptr)                                                  \
    X(for_device, file_write, 5, nullptr, nullptr)                                                 \
    X(for_device, file_read_shared, 5, nullptr, nullptr)                                           \
    X(for_device, file_write_shared, 5, nullptr, nullptr)                                          \
    X(for_ranks, file_read_all, 5, nullptr, nullptr)                                               \
    X(for_ranks, file_write_all, 5, nullptr, nullptr)                                              \
    X(for_ranks, file_read_ordered, 5, nullptr, nullptr)                                           \
    X(for_ranks, file_write_ordered, 5, nullptr, nullptr)                                          \
    X(for_device, file_read_at, 6, nullptr, nullptr)                                               \
    X(for_device, file_write_at, 6, nullptr, nullptr)                                              \
    X(for_ranks, file_read_at_all, 6, nullptr, nullptr)                                            \
    X(for_ranks, file_write_at_all, 6, nullptr, nullptr)                                           \
    X(for_ranks, file_read_all_begin, 4, nullptr, nullptr)                                         \
    X(for_ranks, file_read_all_end, 3, nullptr, nullptr)                                           \
    X(for_ranks, file_read_at_all_begin, 5, nullptr, nullptr)                                      \
    X(for_ranks, file_read_at_all_end, 3, nullptr, nullptr)                                        \
    X(for_ranks, file_read_ordered_begin, 4, nullptr, nullptr)                                     \
    X(for_ranks, file_read_ordered_end, 3, nullptr, nullptr)                                       \
    X(for_ranks, file_write_all_begin, 4, nullptr, nullptr)                                        \
    X(for_ranks, file_write_all_end, 3, nullptr, nullptr)                                          \
    X(for_ranks, file_write_at_all_begin, 5, nullptr, nullptr)                                     \
    X(for_ranks, file_write_at_all_end, 3, nullptr, nullptr)                                       \
    X(for_ranks, file_write_ordered_begin, 4, nullptr, nullptr)                                    \
    X(for_ranks, file_write_ordered_end, 3, nullptr, nullptr)

/// Calls that stand-ins make and that take no buffer.
#define LOOMP_OTHER_CALLS(X)                                                                       \
    X(for_ranks, comm_dup, 2, a, b)                                                                \
    X(for_ranks, comm_dup_with_info, 3, a, c)                                                      \
    X(for_ranks, comm_create, 3, a, c)                                                             \
    X(for_ranks, comm_create_group, 4, nullptr, d)                                                 \
    X(for_ranks, comm_split, 4, a, d)                                                              \
    X(for_ranks, comm_split_type, 5, a, e)                                                         \
    X(for_other_jobs, intercomm_create, 6, a, f)                                                   \
    X(for_ranks, intercomm_merge, 3, a, c)                                                         \
    X(for_ranks, cart_create, 6, a, f)                                                             \
    X(for_ranks, cart_sub, 3, a, c)                                                                \
    X(for_ranks, graph_create, 6, a, f)                                                            \
    X(for_ranks, dist_graph_create, 9, a, i)                                                       \
    X(for_ranks, dist_graph_create_adjacent, 10, a, j)                                             \
    X(for_ranks, comm_disconnect, 1, a, nullptr)                                                   \
    X(for_other_jobs, comm_join, 2, nullptr, nullptr)                                              \
    X(for_ranks, win_allocate, 6, d, nullptr)                                                      \
    X(for_ranks, win_allocate_shared, 6, d, nullptr)                                               \
    X(for_ranks, win_create_dynamic, 3, b, nullptr)                                                \
    X(for_ranks, win_free, 1, nullptr, nullptr)                                                    \
    X(for_ranks, win_fence, 2, nullptr, nullptr)                                                   \
    X(for_ranks, win_start, 3, nullptr, nullptr)                                                   \
    X(for_ranks, win_complete, 1, nullptr, nullptr)                                                \
    X(for_ranks, file_close, 1, nullptr, nullptr)                                                  \
    X(for_ranks, file_sync, 1, nullptr, nullptr)                                                   \
    X(for_ranks, file_set_size, 2, nullptr, nullptr)                                               \
    X(for_ranks, file_preallocate, 2, nullptr, nullptr)                                            \
    X(for_ranks, file_seek_shared, 3, nullptr, nullptr)                                            \
    X(for_ranks, file_set_atomicity, 2, nullptr, nullptr)                                          \
    X(for_ranks, file_set_info, 2, nullptr, nullptr)

/// Makers of communicators: X(NAME, NAME in C without MPI_, COUNT), with COUNT arguments before the
/// new communicator.
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

/// The bytes of collectives, computed from their arguments a, b, ... as the recorder does.
#define LOOMP_BYTES_barrier (0)
#define LOOMP_BYTES_bcast (one(integer(d), integer(b), datatype(c)))
#define LOOMP_BYTES_gather                                                                         \
    (is_root(integer(g), communicator(h)) ? all(communicator(h), integer(e), datatype(f))          \
                                          : one(integer(g), integer(b), datatype(c)))
#define LOOMP_BYTES_gatherv                                                                        \
    (is_root(integer(h), communicator(i)) ? all(communicator(i), integers(e), datatype(g))         \
                                          : one(integer(h), integer(b), datatype(c)))
#define LOOMP_BYTES_scatter                                                                        \
    (is_root(integer(g), communicator(h)) ? all(communicator(h), integer(b), datatype(c))          \
                                          : one(integer(g), integer(e), datatype(f)))
#define LOOMP_BYTES_scatterv                                                                       \
    (is_root(integer(h), communicator(i)) ? all(communicator(i), integers(b), datatype(d))         \
                                          : one(integer(h), integer(f), datatype(g)))
#define LOOMP_BYTES_allgather (all(communicator(g), integer(e), datatype(f)))
#define LOOMP_BYTES_allgatherv (all(communicator(h), integers(e), datatype(g)))
#define LOOMP_BYTES_alltoall (all(communicator(g), integer(e), datatype(f)))
#define LOOMP_BYTES_alltoallv                                                                      \
    (both(address(a), communicator(i), integers(b), datatype(d), integers(f), datatype(h)))
#define LOOMP_BYTES_alltoallw (0)
#define LOOMP_BYTES_reduce (one(integer(f), integer(c), datatype(d)))
#define LOOMP_BYTES_allreduce (bytes_of(integer(c), datatype(d)))
#define LOOMP_BYTES_reduce_scatter (group(communicator(f), integers(c), datatype(d)))
#define LOOMP_BYTES_reduce_scatter_block (group(communicator(f), integer(c), datatype(d)))
#define LOOMP_BYTES_scan (bytes_of(integer(c), datatype(d)))
#define LOOMP_BYTES_exscan (bytes_of(integer(c), datatype(d)))
#define LOOMP_BYTES_neighbor_allgather                                                             \
    (neighbours(communicator(g), integer(b), datatype(c), integer(e), datatype(f)))
#define LOOMP_BYTES_neighbor_allgatherv                                                            \
    (neighbours(communicator(h), integer(b), datatype(c), integers(e), datatype(g)))
#define LOOMP_BYTES_neighbor_alltoall                                                              \
    (neighbours(communicator(g), integer(b), datatype(c), integer(e), datatype(f)))
#define LOOMP_BYTES_neighbor_alltoallv                                                             \
    (neighbours(communicator(i), integers(b), datatype(d), integers(f), datatype(h)))
#define LOOMP_BYTES_neighbor_alltoallw (0)
