// Open MPI's Fortran bindings call the library's own C functions and not those that a program may
// replace, so they are taken over one by one: under the name that mpif.h and `use mpi` call
// (mpi_recv_) and under the one that `use mpi_f08` calls (ompi_recv_f). The nonblocking form is
// started through Fortran as well, which knows MPI_BOTTOM, MPI_IN_PLACE and the rest by their
// Fortran addresses. MPICH's bindings call C functions by their replaceable names: nothing to do.
//
// This file is compiled twice, for the names of mpi_f08 with LOOMP_FOR_F08. A tool
// (adapters/tools.h) has other functions for mpi_f08 (mpi_recv_f08_), which the program calls
// before it comes here: then the layer calls the library.
//
// libmpi_mpifh.so is there when a program calls these names; the layer does not ask for it.
#include "mpi/interface/fortran_openmpi.h"
#include "mpi/calls/allreduce.h"
#include "mpi/calls/alltoallv.h"
#include "mpi/calls/alltoallw.h"
#include "mpi/calls/neighbours.h"
#include "mpi/fortran/fortran_openmpi_alltoallw.h"
#include "mpi/interface/fortran.h"
#include "mpi/waiting/outside_call.h"
#include "mpi/waiting/request_origin.h"
#include "mpi/waiting/stand_in.h"
#include "mpi/waiting/wait_in_task.h"
#include "platform/export.h"

using namespace loomp::mpi;

/// LOOMP_NEXT names the next routine after the layer's, a tool's or the library's (gated_calls.S).
/// LOOMP_NEXT_IN_C is C's function.
#if defined(LOOMP_GATED_FORTRAN) && !defined(LOOMP_FOR_F08)
#define LOOMP_NEXT(NAME) __asm__("loomp_next_pmpi_" NAME "_")
#else // if it was unknown which routines the library has: this one's own
#define LOOMP_NEXT(NAME) __asm__("pmpi_" NAME "_")
#endif
#ifdef LOOMP_FOR_F08
#define LOOMP_ROUTINE(NAME, ...) LOOMP_EXPORT void ompi_##NAME##_f(__VA_ARGS__)
#define LOOMP_NEXT_IN_C(NAME) PMPI_##NAME
#else
#define LOOMP_ROUTINE(NAME, ...) LOOMP_EXPORT void mpi_##NAME##_(__VA_ARGS__)
#define LOOMP_NEXT_IN_C(NAME) next::NAME
#endif

namespace {

#ifdef LOOMP_FOR_F08
constexpr bool kHidesFromTools = true;
#else
constexpr bool kHidesFromTools = false;
#endif

/// Returns the description of a call with these arguments.
Call message_call(const char *name, void *peer, void *tag, void *comm, const void *from) {
    return {.name = name,
            .comm = PMPI_Comm_f2c(*static_cast<MPI_Fint *>(comm)),
            .peer = *static_cast<MPI_Fint *>(peer),
            .tag = *static_cast<MPI_Fint *>(tag),
            .is_layers = kHidesFromTools,
            .from = from};
}

/// Returns the call's communicator; `comm` is null if it has none.
MPI_Comm members(const void *comm) {
    return comm == nullptr ? MPI_COMM_NULL : PMPI_Comm_f2c(*static_cast<const MPI_Fint *>(comm));
}

/// `error` is that of a call that the library has not made, or MPI_SUCCESS.
void give(MPI_Fint *code, int error) {
    if (error != MPI_SUCCESS)
        *code = error;
}

/// The request has just been started by Fortran; `code` is its ierror.
void complete(const Call &call, MPI_Fint handle, void *status, MPI_Fint &code) {
    if (code != MPI_SUCCESS)
        return;
    MPI_Request request = PMPI_Request_f2c(handle);
    StatusInC result(status);
    code = in_task() ? wait_for(call, &request, result.get())
                     : wait_in_place(call, &request, result.get());
}

} // namespace

/// COUNT arguments, then ierror. APPLIES: whether the call is taken over. CALL: what is told of it.
#define LOOMP_FORTRAN_CALL(NAME, NONBLOCKING, COUNT, APPLIES, CALL)                                \
    LOOMP_LIBRARYS next_##NAME(LOOMP_ARGUMENTS_##COUNT, MPI_Fint *code) LOOMP_NEXT(#NAME);         \
    LOOMP_LIBRARYS next_##NONBLOCKING(LOOMP_ARGUMENTS_##COUNT, MPI_Fint *request, MPI_Fint *code)  \
        LOOMP_NEXT(#NONBLOCKING);                                                                  \
    LOOMP_ROUTINE(NAME, LOOMP_ARGUMENTS_##COUNT, MPI_Fint *code) {                                 \
        const Call call = CALL;                                                                    \
        if (!(APPLIES)) {                                                                          \
            const OutsideCall outside(call);                                                       \
            return next_##NAME(LOOMP_VALUES_##COUNT, code);                                        \
        }                                                                                          \
        MPI_Fint request = 0;                                                                      \
        make_for(call, [&] {                                                                       \
            next_##NONBLOCKING(LOOMP_VALUES_##COUNT, &request, code);                              \
            return MPI_SUCCESS;                                                                    \
        });                                                                                        \
        complete(call, request, MPI_F_STATUS_IGNORE, *code);                                       \
    }
#define LOOMP_MESSAGE_CALL(NAME) message_call("mpi_" #NAME, d, e, f, LOOMP_CALLER)
#define LOOMP_OTHER_CALL(NAME)                                                                     \
    (Call{.name = "mpi_" #NAME, .is_layers = kHidesFromTools, .from = LOOMP_CALLER})
#define LOOMP_COLLECTIVE_CALL(NAME, COMM)                                                          \
    (Call{.name = "mpi_" #NAME,                                                                    \
          .comm = PMPI_Comm_f2c(*COMM),                                                            \
          .is_layers = kHidesFromTools,                                                            \
          .from = LOOMP_CALLER})
#define LOOMP_FORTRAN_SEND(NAME, NONBLOCKING)                                                      \
    LOOMP_FORTRAN_CALL(NAME, NONBLOCKING, 6, in_task(), LOOMP_MESSAGE_CALL(NAME))

/// COUNT arguments, the last of which is the communicator, then ierror.
#define LOOMP_FORTRAN_COLLECTIVE(NAME, IN_C, COUNT)                                                \
    LOOMP_LIBRARYS next_##NAME(LOOMP_ARGUMENTS_##COUNT, MPI_Fint *code) LOOMP_NEXT(#NAME);         \
    LOOMP_LIBRARYS next_i##NAME(LOOMP_ARGUMENTS_##COUNT, MPI_Fint *request, MPI_Fint *code)        \
        LOOMP_NEXT("i" #NAME);                                                                     \
    LOOMP_ROUTINE(NAME, LOOMP_ARGUMENTS_##COUNT, MPI_Fint *code) {                                 \
        if (!starts_collectives())                                                                 \
            return next_##NAME(LOOMP_VALUES_##COUNT, code);                                        \
        const auto *comm = static_cast<const MPI_Fint *>(LOOMP_LAST_##COUNT);                      \
        const Call call = LOOMP_COLLECTIVE_CALL(NAME, comm);                                       \
        bool all = true;                                                                           \
        *code = ask_for_layer(call, call.comm, all);                                               \
        if (*code != MPI_SUCCESS)                                                                  \
            return;                                                                                \
        if (!all) {                                                                                \
            collective_elsewhere(call, [&] {                                                       \
                next_##NAME(LOOMP_VALUES_##COUNT, code);                                           \
                return MPI_SUCCESS;                                                                \
            });                                                                                    \
            return;                                                                                \
        }                                                                                          \
        *code = start_and_wait(call, [&](MPI_Request *request) {                                   \
            MPI_Fint handle = 0;                                                                   \
            MPI_Fint error = MPI_SUCCESS;                                                          \
            next_i##NAME(LOOMP_VALUES_##COUNT, &handle, &error);                                   \
            if (error == MPI_SUCCESS)                                                              \
                *request = PMPI_Request_f2c(handle);                                               \
            return static_cast<int>(error);                                                        \
        });                                                                                        \
    }

/// COUNT arguments, then status and ierror.
#define LOOMP_FORTRAN_RECEIVE(NAME, NONBLOCKING, COUNT, CALL)                                      \
    LOOMP_LIBRARYS next_##NAME(LOOMP_ARGUMENTS_##COUNT, void *status, MPI_Fint *code)              \
        LOOMP_NEXT(#NAME);                                                                         \
    LOOMP_LIBRARYS next_##NONBLOCKING(LOOMP_ARGUMENTS_##COUNT, MPI_Fint *request, MPI_Fint *code)  \
        LOOMP_NEXT(#NONBLOCKING);                                                                  \
    LOOMP_ROUTINE(NAME, LOOMP_ARGUMENTS_##COUNT, void *status, MPI_Fint *code) {                   \
        const Call call = CALL;                                                                    \
        if (!in_task()) {                                                                          \
            const OutsideCall outside(call);                                                       \
            return next_##NAME(LOOMP_VALUES_##COUNT, status, code);                                \
        }                                                                                          \
        MPI_Fint request = 0;                                                                      \
        make_for(call, [&] {                                                                       \
            next_##NONBLOCKING(LOOMP_VALUES_##COUNT, &request, code);                              \
            return MPI_SUCCESS;                                                                    \
        });                                                                                        \
        complete(call, request, status, *code);                                                    \
    }

LOOMP_FORTRAN_SEND(send, isend)
LOOMP_FORTRAN_SEND(ssend, issend)
LOOMP_FORTRAN_SEND(rsend, irsend)
LOOMP_FORTRAN_RECEIVE(recv, irecv, 6, LOOMP_MESSAGE_CALL(recv))
LOOMP_FORTRAN_RECEIVE(mrecv, imrecv, 4, LOOMP_OTHER_CALL(mrecv))

// Nonblocking calls stay what they are; the layer notes what their requests are.
#define LOOMP_FORTRAN_START(NAME, NOTE)                                                            \
    LOOMP_LIBRARYS next_##NAME(LOOMP_ARGUMENTS_6, MPI_Fint *request, MPI_Fint *code)               \
        LOOMP_NEXT(#NAME);                                                                         \
    LOOMP_ROUTINE(NAME, LOOMP_ARGUMENTS_6, MPI_Fint *request, MPI_Fint *code) {                    \
        NOTE;                                                                                      \
        const Call call = LOOMP_MESSAGE_CALL(NAME);                                                \
        make_for(call, [&] {                                                                       \
            next_##NAME(LOOMP_VALUES_6, request, code);                                            \
            return MPI_SUCCESS;                                                                    \
        });                                                                                        \
        if (*code == MPI_SUCCESS)                                                                  \
            note_started(call, PMPI_Request_f2c(*request));                                        \
    }
LOOMP_FORTRAN_START(isend, loomp_note_send())
LOOMP_FORTRAN_START(ibsend, loomp_note_send())
LOOMP_FORTRAN_START(issend, loomp_note_send())
LOOMP_FORTRAN_START(irsend, loomp_note_send())
LOOMP_FORTRAN_START(irecv, )

namespace {

void forget(const MPI_Fint *requests, MPI_Fint count) {
    for (MPI_Fint i = 0; i < count; ++i) {
        const MPI_Request request = PMPI_Request_f2c(requests[i]);
        forget_started(1, &request);
    }
}

} // namespace

// A routine that completes or frees a request may give its handle to another one. COUNT arguments,
// then ierror; LIST has REQUESTS requests.
#define LOOMP_FORTRAN_FORGETS(NAME, COUNT, REQUESTS, LIST)                                         \
    LOOMP_LIBRARYS next_##NAME(LOOMP_ARGUMENTS_##COUNT, MPI_Fint *code) LOOMP_NEXT(#NAME);         \
    LOOMP_ROUTINE(NAME, LOOMP_ARGUMENTS_##COUNT, MPI_Fint *code) {                                 \
        forget(static_cast<const MPI_Fint *>(LIST), REQUESTS);                                     \
        next_##NAME(LOOMP_VALUES_##COUNT, code);                                                   \
    }
#define LOOMP_FIRST_ARGUMENT *static_cast<const MPI_Fint *>(a)
LOOMP_FORTRAN_FORGETS(test, 3, 1, a)
LOOMP_FORTRAN_FORGETS(request_free, 1, 1, a)
LOOMP_FORTRAN_FORGETS(testall, 4, LOOMP_FIRST_ARGUMENT, b)
LOOMP_FORTRAN_FORGETS(testany, 5, LOOMP_FIRST_ARGUMENT, b)
LOOMP_FORTRAN_FORGETS(testsome, 5, LOOMP_FIRST_ARGUMENT, b)

LOOMP_FORTRAN_COLLECTIVES(LOOMP_FORTRAN_COLLECTIVE)
LOOMP_FORTRAN_NEIGHBOURS(LOOMP_FORTRAN_COLLECTIVE)

// C's functions: those with lists of datatypes (fortran_openmpi_alltoallw.h), exchanges with
// neighbours, whose blocks the layer puts in order, MPI_Allreduce, which has two ways, and
// MPI_Alltoallv, which may get other counts.

LOOMP_ROUTINE(alltoallv, void *from, MPI_Fint *from_counts, MPI_Fint *from_offsets,
              MPI_Fint *from_type, void *to, MPI_Fint *counts, MPI_Fint *offsets, MPI_Fint *type,
              MPI_Fint *comm, MPI_Fint *code) {
    *code = alltoallv<LOOMP_NEXT_IN_C(Alltoallv), LOOMP_NEXT_IN_C(Ialltoallv)>(
        LOOMP_COLLECTIVE_CALL(alltoallv, comm), buffer_in_c(from), from_counts, from_offsets,
        PMPI_Type_f2c(*from_type), buffer_in_c(to), counts, offsets, PMPI_Type_f2c(*type),
        PMPI_Comm_f2c(*comm));
}

LOOMP_ROUTINE(alltoallw, void *from, MPI_Fint *from_counts, MPI_Fint *from_offsets,
              MPI_Fint *from_types, void *to, MPI_Fint *counts, MPI_Fint *offsets, MPI_Fint *types,
              MPI_Fint *comm, MPI_Fint *code) {
    const Call call = LOOMP_COLLECTIVE_CALL(alltoallw, comm);
    const MPI_Comm all = call.comm;
    *code = check_comm(call, all);
    if (*code != MPI_SUCCESS)
        return;
    const int peers = peers_of(all);
    from = buffer_in_c(from);
    const Datatypes lists(from == MPI_IN_PLACE ? nullptr : from_types, peers, types, peers);
    *code = alltoallw<LOOMP_NEXT_IN_C(Alltoallw), LOOMP_NEXT_IN_C(Ialltoallw)>(
        call, from, from_counts, from_offsets, lists.from, buffer_in_c(to), counts, offsets,
        lists.to, all);
    std::free(lists.from);
}

LOOMP_ROUTINE(allreduce, void *from, void *to, MPI_Fint *count, MPI_Fint *type, MPI_Fint *op,
              MPI_Fint *comm, MPI_Fint *code) {
    *code = allreduce<LOOMP_NEXT_IN_C(Allreduce), LOOMP_NEXT_IN_C(Iallreduce)>(
        LOOMP_COLLECTIVE_CALL(allreduce, comm), buffer_in_c(from), buffer_in_c(to), *count,
        PMPI_Type_f2c(*type), PMPI_Op_f2c(*op), PMPI_Comm_f2c(*comm));
}

LOOMP_ROUTINE(neighbor_alltoall, void *from, MPI_Fint *from_count, MPI_Fint *from_type, void *to,
              MPI_Fint *count, MPI_Fint *type, MPI_Fint *comm, MPI_Fint *code) {
    *code = neighbours<LOOMP_NEXT_IN_C(Neighbor_alltoall), LOOMP_NEXT_IN_C(Ineighbor_alltoall),
                       LOOMP_NEXT_IN_C(Ineighbor_alltoallw)>(
        LOOMP_COLLECTIVE_CALL(neighbor_alltoall, comm), buffer_in_c(from), *from_count,
        PMPI_Type_f2c(*from_type), buffer_in_c(to), *count, PMPI_Type_f2c(*type),
        PMPI_Comm_f2c(*comm));
}

LOOMP_ROUTINE(neighbor_alltoallv, void *from, MPI_Fint *from_counts, MPI_Fint *from_offsets,
              MPI_Fint *from_type, void *to, MPI_Fint *counts, MPI_Fint *offsets, MPI_Fint *type,
              MPI_Fint *comm, MPI_Fint *code) {
    *code = neighbours<LOOMP_NEXT_IN_C(Neighbor_alltoallv), LOOMP_NEXT_IN_C(Ineighbor_alltoallv),
                       LOOMP_NEXT_IN_C(Ineighbor_alltoallw)>(
        LOOMP_COLLECTIVE_CALL(neighbor_alltoallv, comm), buffer_in_c(from), from_counts,
        from_offsets, PMPI_Type_f2c(*from_type), buffer_in_c(to), counts, offsets,
        PMPI_Type_f2c(*type), PMPI_Comm_f2c(*comm));
}

LOOMP_ROUTINE(neighbor_alltoallw, void *from, MPI_Fint *from_counts, MPI_Aint *from_offsets,
              MPI_Fint *from_types, void *to, MPI_Fint *counts, MPI_Aint *offsets, MPI_Fint *types,
              MPI_Fint *comm, MPI_Fint *code) {
    const Call call = LOOMP_COLLECTIVE_CALL(neighbor_alltoallw, comm);
    const MPI_Comm all = call.comm;
    *code = check_comm(call, all);
    if (*code != MPI_SUCCESS)
        return;
    const Neighbours found = neighbours_of(all);
    const Datatypes lists(from_types, found.targets, types, found.sources);
    *code = neighbours<LOOMP_NEXT_IN_C(Neighbor_alltoallw), LOOMP_NEXT_IN_C(Ineighbor_alltoallw),
                       LOOMP_NEXT_IN_C(Ineighbor_alltoallw)>(
        call, buffer_in_c(from), from_counts, from_offsets, lists.from, buffer_in_c(to), counts,
        offsets, lists.to, all);
    std::free(lists.from);
}

// --- Made by stand-ins: communicators, windows and files
// ------------------------------------------

/// COUNT arguments, then ierror. Statuses are plain arguments here.
#define LOOMP_FORTRAN_BY_STAND_IN(WAITS, NAME, COUNT, MEMBERS, MADE)                               \
    LOOMP_LIBRARYS next_##NAME(LOOMP_ARGUMENTS_##COUNT, MPI_Fint *code) LOOMP_NEXT(#NAME);         \
    LOOMP_ROUTINE(NAME, LOOMP_ARGUMENTS_##COUNT, MPI_Fint *code) {                                 \
        const auto make = [&] {                                                                    \
            next_##NAME(LOOMP_VALUES_##COUNT, code);                                               \
            return MPI_SUCCESS;                                                                    \
        };                                                                                         \
        give(code, elsewhere(LOOMP_OTHER_CALL(NAME), Waits::WAITS, make, members(MEMBERS)));       \
    }
LOOMP_BUFFER_CALLS(LOOMP_FORTRAN_BY_STAND_IN)
LOOMP_OTHER_CALLS(LOOMP_FORTRAN_BY_STAND_IN)
// `use mpi` calls these if the program passes a C_PTR.
LOOMP_FORTRAN_BY_STAND_IN(for_ranks, win_allocate_cptr, 6, d, nullptr)
LOOMP_FORTRAN_BY_STAND_IN(for_ranks, win_allocate_shared_cptr, 6, d, nullptr)

// Those with strings, whose lengths come last.
#define LOOMP_TEXT_CALL(WAITS, NAME, MEMBERS, ARGUMENTS, VALUES)                                   \
    LOOMP_LIBRARYS next_##NAME ARGUMENTS LOOMP_NEXT(#NAME);                                        \
    LOOMP_ROUTINE_PASSED(NAME, ARGUMENTS) {                                                        \
        const auto make = [&] {                                                                    \
            next_##NAME VALUES;                                                                    \
            return MPI_SUCCESS;                                                                    \
        };                                                                                         \
        give(code, elsewhere(LOOMP_OTHER_CALL(NAME), Waits::WAITS, make, members(MEMBERS)));       \
    }
#define LOOMP_ROUTINE_PASSED(NAME, ARGUMENTS) LOOMP_ROUTINE_LIST(NAME, LOOMP_UNWRAPPED ARGUMENTS)
#define LOOMP_UNWRAPPED(...) __VA_ARGS__
#define LOOMP_ROUTINE_LIST(NAME, ...) LOOMP_ROUTINE(NAME, __VA_ARGS__)

LOOMP_TEXT_CALL(for_ranks, file_open, a, (LOOMP_ARGUMENTS_5, MPI_Fint *code, int length),
                (LOOMP_VALUES_5, code, length))
LOOMP_TEXT_CALL(for_ranks, file_set_view, nullptr, (LOOMP_ARGUMENTS_6, MPI_Fint *code, int length),
                (LOOMP_VALUES_6, code, length))
LOOMP_TEXT_CALL(for_other_jobs, comm_accept, d, (LOOMP_ARGUMENTS_5, MPI_Fint *code, int length),
                (LOOMP_VALUES_5, code, length))
LOOMP_TEXT_CALL(for_other_jobs, comm_connect, d, (LOOMP_ARGUMENTS_5, MPI_Fint *code, int length),
                (LOOMP_VALUES_5, code, length))
LOOMP_TEXT_CALL(for_other_jobs, comm_spawn, f,
                (LOOMP_ARGUMENTS_8, MPI_Fint *code, int command_length, int arguments_length),
                (LOOMP_VALUES_8, code, command_length, arguments_length))
LOOMP_TEXT_CALL(for_other_jobs, comm_spawn_multiple, g,
                (LOOMP_ARGUMENTS_9, MPI_Fint *code, int commands_length, int arguments_length),
                (LOOMP_VALUES_9, code, commands_length, arguments_length))

LOOMP_ROUTINE(win_wait, MPI_Fint *window, MPI_Fint *code) {
    *code = MPI_Win_wait(PMPI_Win_f2c(*window));
}

// They give the library functions of the program. COUNT arguments, then ierror.
#define LOOMP_GIVES_FUNCTIONS(NAME, COUNT)                                                         \
    LOOMP_LIBRARYS next_##NAME(LOOMP_ARGUMENTS_##COUNT, MPI_Fint *code) LOOMP_NEXT(#NAME);         \
    LOOMP_ROUTINE(NAME, LOOMP_ARGUMENTS_##COUNT, MPI_Fint *code) {                                 \
        expect_callbacks();                                                                        \
        next_##NAME(LOOMP_VALUES_##COUNT, code);                                                   \
    }
LOOMP_GIVES_FUNCTIONS(op_create, 3)
LOOMP_GIVES_FUNCTIONS(grequest_start, 5)
LOOMP_GIVES_FUNCTIONS(comm_create_errhandler, 2)

#ifdef LOOMP_FOR_F08
// mpi_f08, where it converts logical values: the layer is entered here, too.
LOOMP_F08(intercomm_merge, 3)
LOOMP_F08(cart_create, 6)
LOOMP_F08(cart_sub, 3)
LOOMP_F08(graph_create, 6)
LOOMP_F08(dist_graph_create, 9)
LOOMP_F08(dist_graph_create_adjacent, 10)
LOOMP_F08(file_set_atomicity, 2)
LOOMP_F08(op_create, 3)
#endif

// --- Exchanges -----------------------------------------------------------------------------------

LOOMP_LIBRARYS next_sendrecv(void *, void *, void *, void *, void *, void *, void *, void *, void *,
                             void *, void *, void *, MPI_Fint *) LOOMP_NEXT("sendrecv");
LOOMP_LIBRARYS next_irecv(void *, void *, void *, void *, void *, void *, MPI_Fint *, MPI_Fint *)
    LOOMP_NEXT("irecv");
LOOMP_LIBRARYS next_isend(void *, void *, void *, void *, void *, void *, MPI_Fint *, MPI_Fint *)
    LOOMP_NEXT("isend");

LOOMP_ROUTINE(sendrecv, void *send_buffer, void *send_count, void *send_type, void *target,
              void *send_tag, void *buffer, void *count, void *type, void *source, void *tag,
              void *comm, void *status, MPI_Fint *code) {
    const Call receiving = message_call("mpi_sendrecv", source, tag, comm, LOOMP_CALLER);
    Call sending = message_call("mpi_sendrecv", target, send_tag, comm, LOOMP_CALLER);
    sending.sends = true;
    if (!in_task()) {
        const OutsideCall outside(receiving, {&sending, 1, 0});
        return next_sendrecv(send_buffer, send_count, send_type, target, send_tag, buffer, count,
                             type, source, tag, comm, status, code);
    }
    MPI_Fint receive = 0;
    MPI_Fint send = 0;
    bool refused = false;
    *code = check_send<PMPI_Send_init>(sending, send_buffer, *static_cast<MPI_Fint *>(send_count),
                                       PMPI_Type_f2c(*static_cast<MPI_Fint *>(send_type)),
                                       sending.peer, sending.tag, sending.comm, refused);
    if (refused)
        return;
    make_for(receiving, [&] {
        next_irecv(buffer, count, type, source, tag, comm, &receive, code);
        return MPI_SUCCESS;
    });
    if (*code != MPI_SUCCESS)
        return;
    make_for(sending, [&] {
        next_isend(send_buffer, send_count, send_type, target, send_tag, comm, &send, code);
        return MPI_SUCCESS;
    });
    if (*code != MPI_SUCCESS) {
        MPI_Request request = PMPI_Request_f2c(receive);
        LOOMP_NEXT_IN_C(Cancel)(&request);
        LOOMP_NEXT_IN_C(Request_free)(&request);
        return;
    }
    MPI_Fint first = MPI_SUCCESS;
    complete(receiving, receive, status, first);
    complete(sending, send, MPI_F_STATUS_IGNORE, *code);
    if (first != MPI_SUCCESS)
        *code = first;
}

// --- Errors --------------------------------------------------------------------------------------

LOOMP_ROUTINE(comm_set_errhandler, MPI_Fint *comm, MPI_Fint *handler, MPI_Fint *code) {
    *code = MPI_Comm_set_errhandler(PMPI_Comm_f2c(*comm), PMPI_Errhandler_f2c(*handler));
}
LOOMP_ROUTINE(comm_get_errhandler, MPI_Fint *comm, MPI_Fint *handler, MPI_Fint *code) {
    MPI_Errhandler found = MPI_ERRHANDLER_NULL;
    *code = MPI_Comm_get_errhandler(PMPI_Comm_f2c(*comm), &found);
    *handler = PMPI_Errhandler_c2f(found);
}
