// The names of TAMPI in Fortran (include/loomp/TAMPIf.h). Nonblocking operations are started
// through Fortran, which knows MPI_BOTTOM, MPI_IN_PLACE and the rest by their Fortran addresses;
// its library is there when a program calls these names, and the layer does not ask for it.
#include "loomp/TAMPI.h"

#include <cstdlib>

#include "mpi/interface/fortran.h"
#include "mpi/waiting/call.h"
#include "mpi/waiting/continuations.h"
#include "mpi/waiting/errors.h"
#include "mpi/waiting/interception.h"
#include "platform/export.h"
#ifdef MPICH // mpi.h says so
#include "mpi/interface/fortran_mpich.h"
#else
#include "mpi/fortran/fortran_openmpi_alltoallw.h"
#endif

using namespace loomp::mpi;

namespace {

constexpr std::size_t kStatusWords = sizeof(MPI_Status) / sizeof(MPI_Fint);

/// mpi_f08's own constants, which some libraries have besides mpif.h's.
bool ignored(const void *statuses) {
#ifdef MPICH
    if (is_f08_status_ignore(statuses) || is_f08_statuses_ignore(statuses))
        return true;
#endif
    return statuses == MPI_F_STATUS_IGNORE || statuses == MPI_F_STATUSES_IGNORE;
}

/// `function` is where the statuses go, or null.
void complete_task(const Continuation &self, int count, MPI_Status *statuses) {
    auto *to = static_cast<MPI_Fint *>(self.function);
    for (int i = 0; to != nullptr && i < count; ++i)
        PMPI_Status_c2f(&statuses[i], to + static_cast<std::size_t>(i) * kStatusWords);
    loomp_release_task(static_cast<loomp_held_task_t *>(self.data), 1);
}

int wait_for_all(int count, MPI_Request *requests, MPI_Fint *statuses) {
    for (int i = 0; i < count; ++i) {
        MPI_Status status;
        const int error = MPI_Wait(&requests[i], &status);
        if (error != MPI_SUCCESS)
            return error;
        if (statuses != nullptr)
            PMPI_Status_c2f(&status, statuses + static_cast<std::size_t>(i) * kStatusWords);
    }
    return MPI_SUCCESS;
}

/// The task completes with the requests; `statuses`: null if they are not wanted.
int bind(const Call &call, int count, MPI_Request *requests, MPI_Fint *statuses, Look look) {
    loomp_held_task_t *task = active() ? loomp_hold_task(1) : nullptr;
    if (task == nullptr)
        return wait_for_all(count, requests, statuses);
    const int error = when_complete(
        call, count, requests, {complete_task, statuses, task, statuses != nullptr, true}, look);
    if (error != MPI_SUCCESS)
        loomp_release_task(task, 1);
    return error;
}

MPI_Fint bind_handles(const Call &call, int count, MPI_Fint *handles, void *statuses,
                      Look look = Look::at_once) {
    constexpr int few_enough = 16;
    MPI_Request few[few_enough];
    MPI_Request *requests = few;
    if (count > few_enough) {
        requests = static_cast<MPI_Request *>(
            std::malloc(static_cast<std::size_t>(count) * sizeof(MPI_Request)));
        if (requests == nullptr)
            return MPI_ERR_NO_MEM;
    }
    for (int i = 0; i < count; ++i)
        requests[i] = PMPI_Request_f2c(handles[i]);
    const int error = bind(call, count, requests,
                           ignored(statuses) ? nullptr : static_cast<MPI_Fint *>(statuses), look);
    for (int i = 0; i < count; ++i)
        handles[i] = PMPI_Request_c2f(requests[i]);
    if (requests != few)
        std::free(requests);
    return error;
}

} // namespace

LOOMP_EXPORT void tampi_iwait_(MPI_Fint *request, void *status, MPI_Fint *code) {
    *code = bind_handles({.name = "tampi_iwait", .from = LOOMP_CALLER}, 1, request, status);
}

LOOMP_EXPORT void tampi_iwaitall_(const MPI_Fint *count, MPI_Fint *requests, void *statuses,
                                  MPI_Fint *code) {
    *code =
        bind_handles({.name = "tampi_iwaitall", .from = LOOMP_CALLER}, *count, requests, statuses);
}

namespace {

/// `address` with C's constants in place of mpi_f08's, which the routines for mpif.h do not know.
void *argument(void *address) {
#ifdef MPICH
    return buffer_in_c(address);
#else
    return address;
#endif
}

} // namespace

#define LOOMP_PASSED_1 argument(a)
#define LOOMP_PASSED_5 LOOMP_PASSED_1, argument(b), argument(c), argument(d), argument(e)
#define LOOMP_PASSED_6 LOOMP_PASSED_5, argument(f)
#define LOOMP_PASSED_7 LOOMP_PASSED_6, argument(g)
#define LOOMP_PASSED_8 LOOMP_PASSED_7, argument(h)
#define LOOMP_PASSED_9 LOOMP_PASSED_8, argument(i)

#define LOOMP_STARTS(NAME, COUNT)                                                                  \
    extern "C" __attribute__((weak)) void mpi_##NAME##_(LOOMP_ARGUMENTS_##COUNT,                   \
                                                        MPI_Fint *request, MPI_Fint *code);

/// COUNT arguments, then request and ierror.
#define LOOMP_FORTRAN_TAMPI(NAME, COUNT)                                                           \
    LOOMP_STARTS(NAME, COUNT)                                                                      \
    LOOMP_EXPORT void tampi_##NAME##_(LOOMP_ARGUMENTS_##COUNT, MPI_Fint *request,                  \
                                      MPI_Fint *code) {                                            \
        const Call call = {.name = "tampi_" #NAME, .from = LOOMP_CALLER};                          \
        make_for(call, [&] {                                                                       \
            mpi_##NAME##_(LOOMP_PASSED_##COUNT, request, code);                                    \
            return MPI_SUCCESS;                                                                    \
        });                                                                                        \
        if (*code == MPI_SUCCESS)                                                                  \
            *code = bind_handles(call, 1, request, MPI_F_STATUS_IGNORE, Look::in_turn);            \
    }

LOOMP_FORTRAN_TAMPI(isend, 6)
LOOMP_FORTRAN_TAMPI(ibsend, 6)
LOOMP_FORTRAN_TAMPI(issend, 6)
LOOMP_FORTRAN_TAMPI(irsend, 6)
#define LOOMP_TAMPI_COLLECTIVE(NAME, IN_C, COUNT) LOOMP_FORTRAN_TAMPI(i##NAME, COUNT)
LOOMP_FORTRAN_COLLECTIVES(LOOMP_TAMPI_COLLECTIVE)
LOOMP_TAMPI_COLLECTIVE(allreduce, Allreduce, 6)
LOOMP_TAMPI_COLLECTIVE(alltoallv, Alltoallv, 9)
#ifdef MPICH
LOOMP_FORTRAN_TAMPI(ialltoallw, 9)
#endif

#ifndef MPICH
namespace {

/// `function`: what to free.
void free_and_complete(const Continuation &self, int, MPI_Status *) {
    std::free(self.function);
    loomp_release_task(static_cast<loomp_held_task_t *>(self.data), 1);
}

} // namespace

LOOMP_EXPORT void tampi_ialltoallw_(void *from, MPI_Fint *from_counts, MPI_Fint *from_offsets,
                                    MPI_Fint *from_types, void *to, MPI_Fint *counts,
                                    MPI_Fint *offsets, MPI_Fint *types, MPI_Fint *comm,
                                    MPI_Fint *request, MPI_Fint *code) {
    const MPI_Comm all = PMPI_Comm_f2c(*comm);
    const int peers = peers_of(all);
    from = buffer_in_c(from);
    const Datatypes lists(from == MPI_IN_PLACE ? nullptr : from_types, peers, types, peers);
    const Call call = {.name = "tampi_ialltoallw", .from = LOOMP_CALLER};
    MPI_Request started = MPI_REQUEST_NULL;
    *code = make_for(call, [&] {
        return MPI_Ialltoallw(from, from_counts, from_offsets, lists.from, buffer_in_c(to), counts,
                              offsets, lists.to, all, &started);
    });
    *request = PMPI_Request_c2f(MPI_REQUEST_NULL);
    loomp_held_task_t *task = *code == MPI_SUCCESS && active() ? loomp_hold_task(1) : nullptr;
    if (task != nullptr) {
        *code = when_complete(call, 1, &started, {free_and_complete, lists.from, task, false, true},
                              Look::in_turn);
        if (*code == MPI_SUCCESS)
            return;
        loomp_release_task(task, 1);
    } else if (*code == MPI_SUCCESS) {
        *code = MPI_Wait(&started, MPI_STATUS_IGNORE);
    }
    std::free(lists.from);
}
#endif

LOOMP_STARTS(irecv, 6)
LOOMP_EXPORT void tampi_irecv_(LOOMP_ARGUMENTS_6, MPI_Fint *request, void *status, MPI_Fint *code) {
    const Call call = {.name = "tampi_irecv", .from = LOOMP_CALLER};
    make_for(call, [&] {
        mpi_irecv_(LOOMP_PASSED_6, request, code);
        return MPI_SUCCESS;
    });
    if (*code == MPI_SUCCESS)
        *code = bind_handles(call, 1, request, status, Look::in_turn);
}

LOOMP_EXPORT void tampi_property_get_(const MPI_Fint *property, MPI_Fint *value, MPI_Fint *code) {
    *code = TAMPI_Property_get(*property, value);
}
LOOMP_EXPORT void tampi_property_set_(const MPI_Fint *property, const MPI_Fint *value,
                                      MPI_Fint *code) {
    *code = TAMPI_Property_set(*property, *value);
}
LOOMP_EXPORT void tampi_blocking_enabled_(MPI_Fint *flag, MPI_Fint *code) {
    *code = TAMPI_Blocking_enabled(flag);
}
LOOMP_EXPORT void tampi_nonblocking_enabled_(MPI_Fint *flag, MPI_Fint *code) {
    *code = TAMPI_Nonblocking_enabled(flag);
}
LOOMP_EXPORT void tampi_init_(const MPI_Fint *required, MPI_Fint *provided, MPI_Fint *code) {
    *code = TAMPI_Init(*required, provided);
}
LOOMP_EXPORT void tampi_finalize_(MPI_Fint *code) { *code = TAMPI_Finalize(); }
