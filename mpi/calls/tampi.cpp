// The names of TAMPI (include/loomp/TAMPI.h), but those that start an operation (calls/generated).
#include "loomp/TAMPI.h"

#include "mpi/calls/bind_to_task.h"
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

} // namespace

int loomp::mpi::bind(const Call &call, int count, MPI_Request *requests, MPI_Status *statuses,
                     Look look) {
    loomp_held_task_t *task = active() ? loomp_hold_task(1) : nullptr;
    if (task == nullptr)
        return MPI_Waitall(count, requests, statuses != nullptr ? statuses : MPI_STATUSES_IGNORE);
    const int error = when_complete(
        call, count, requests, {complete_task, statuses, task, statuses != nullptr, true}, look);
    if (error != MPI_SUCCESS)
        loomp_release_task(task, 1);
    return error;
}

LOOMP_EXPORT int TAMPI_Iwait(MPI_Request *request, MPI_Status *status) {
    return bind({.name = "TAMPI_Iwait", .from = LOOMP_CALLER}, 1, request,
                status == MPI_STATUS_IGNORE ? nullptr : status);
}

LOOMP_EXPORT int TAMPI_Iwaitall(int count, MPI_Request requests[], MPI_Status *statuses) {
    return bind({.name = "TAMPI_Iwaitall", .from = LOOMP_CALLER}, count, requests,
                statuses == MPI_STATUSES_IGNORE ? nullptr : statuses);
}

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
