// The names of TAMPI (include/loomp/TAMPI.h).
#include "loomp/TAMPI.h"

#include "mpi/interface/collectives.h"
#include "mpi/waiting/call.h"
#include "mpi/waiting/continuations.h"
#include "mpi/waiting/errors.h"
#include "mpi/waiting/interception.h"
#include "platform/export.h"

using namespace loomp::mpi;

namespace {

/// `function` is where the statuses go, or null.
void complete_task(const Continuation &self, int count, MPI_Status *statuses) {
    auto *to = static_cast<MPI_Status *>(self.function);
    for (int i = 0; to != nullptr && i < count; ++i)
        to[i] = statuses[i];
    loomp_release_task(static_cast<loomp_held_task_t *>(self.data), 1);
}

/// `statuses`: null if they are not wanted.
int bind(const Call &call, int count, MPI_Request *requests, MPI_Status *statuses,
         Look look = Look::at_once) {
    loomp_held_task_t *task = active() ? loomp_hold_task(1) : nullptr;
    if (task == nullptr)
        return MPI_Waitall(count, requests, statuses != nullptr ? statuses : MPI_STATUSES_IGNORE);
    const int error = when_complete(call, count, requests, {complete_task, statuses, task}, look);
    if (error != MPI_SUCCESS)
        loomp_release_task(task, 1);
    return error;
}

/// Operations are started by MPI's own names, which a recorder may stand before.
template <class Start>
int start_and_bind(const Call &call, Start start, MPI_Status *status = MPI_STATUS_IGNORE) {
    MPI_Request request = MPI_REQUEST_NULL;
    const int error = make_for(call, [&] { return start(&request); });
    if (error != MPI_SUCCESS)
        return error;
    return bind(call, 1, &request, status == MPI_STATUS_IGNORE ? nullptr : status, Look::in_turn);
}

} // namespace

LOOMP_EXPORT int TAMPI_Iwait(MPI_Request *request, MPI_Status *status) {
    return bind({.name = "TAMPI_Iwait", .from = LOOMP_CALLER}, 1, request,
                status == MPI_STATUS_IGNORE ? nullptr : status);
}

LOOMP_EXPORT int TAMPI_Iwaitall(int count, MPI_Request requests[], MPI_Status *statuses) {
    return bind({.name = "TAMPI_Iwaitall", .from = LOOMP_CALLER}, count, requests,
                statuses == MPI_STATUSES_IGNORE ? nullptr : statuses);
}

LOOMP_EXPORT int TAMPI_Irecv(void *buffer, int count, MPI_Datatype type, int source, int tag,
                             MPI_Comm comm, MPI_Status *status) {
    return start_and_bind(
        {.name = "TAMPI_Irecv", .peer = source, .tag = tag, .from = LOOMP_CALLER},
        [&](MPI_Request *r) { return MPI_Irecv(buffer, count, type, source, tag, comm, r); },
        status);
}

/// PARAMETERS in parentheses, then the arguments.
#define LOOMP_TAMPI(NAME, PARAMETERS, ...)                                                         \
    LOOMP_EXPORT int TAMPI_##NAME PARAMETERS {                                                     \
        return start_and_bind({.name = "TAMPI_" #NAME, .from = LOOMP_CALLER},                      \
                              [&](MPI_Request *r) { return MPI_##NAME(__VA_ARGS__, r); });         \
    }

LOOMP_TAMPI(Isend,
            (const void *buffer, int count, MPI_Datatype type, int target, int tag, MPI_Comm comm),
            buffer, count, type, target, tag, comm)
LOOMP_TAMPI(Ibsend,
            (const void *buffer, int count, MPI_Datatype type, int target, int tag, MPI_Comm comm),
            buffer, count, type, target, tag, comm)
LOOMP_TAMPI(Issend,
            (const void *buffer, int count, MPI_Datatype type, int target, int tag, MPI_Comm comm),
            buffer, count, type, target, tag, comm)
LOOMP_TAMPI(Irsend,
            (const void *buffer, int count, MPI_Datatype type, int target, int tag, MPI_Comm comm),
            buffer, count, type, target, tag, comm)
LOOMP_TAMPI(Ibarrier, (MPI_Comm comm), comm)

#define LOOMP_TAMPI_COLLECTIVE(NAME, NONBLOCKING, SUFFIX, PARAMETERS, ...)                         \
    LOOMP_TAMPI(NONBLOCKING, PARAMETERS, __VA_ARGS__)
LOOMP_FOR_COLLECTIVES(LOOMP_TAMPI_COLLECTIVE, , int, int)

LOOMP_EXPORT int TAMPI_Property_get(int property, int *value) {
    switch (property) {
    case TAMPI_PROPERTY_BLOCKING_MODE:
    case TAMPI_PROPERTY_NONBLOCKING_MODE:
        *value = active() ? 1 : 0;
        return MPI_SUCCESS;
    case TAMPI_PROPERTY_AUTO_INIT:
        *value = 1;
        return MPI_SUCCESS;
    case TAMPI_PROPERTY_THREAD_TASKAWARE:
        *value = thread_is_aware() ? 1 : 0;
        return MPI_SUCCESS;
    default:
        return MPI_ERR_ARG;
    }
}

LOOMP_EXPORT int TAMPI_Property_set(int property, int value) {
    if (property == TAMPI_PROPERTY_THREAD_TASKAWARE)
        set_thread_aware(value != 0);
    return property == TAMPI_PROPERTY_THREAD_TASKAWARE || property == TAMPI_PROPERTY_AUTO_INIT
               ? MPI_SUCCESS
               : MPI_ERR_ARG;
}

LOOMP_EXPORT int TAMPI_Init(int required, int *provided) {
    int level = MPI_THREAD_SINGLE;
    const int error = MPI_Query_thread(&level);
    *provided = level == MPI_THREAD_MULTIPLE && required == MPI_TASK_MULTIPLE ? required : level;
    return error;
}

LOOMP_EXPORT int TAMPI_Blocking_enabled(int *flag) {
    return TAMPI_Property_get(TAMPI_PROPERTY_BLOCKING_MODE, flag);
}

LOOMP_EXPORT int TAMPI_Nonblocking_enabled(int *flag) {
    return TAMPI_Property_get(TAMPI_PROPERTY_NONBLOCKING_MODE, flag);
}

LOOMP_EXPORT int TAMPI_Finalize() { return MPI_SUCCESS; }
